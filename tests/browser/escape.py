"""Escape resets the search. Pressed again, it resets the zoom. If there is nothing to reset, the browser gets the key."""
draw = 'plain.folded'


def case(p):
	p.open()
	before = p.frames()
	p.js('window.taken = []; window.addEventListener("keydown", function (evt) {'
		'if (evt.key === "Escape") { taken.push(evt.defaultPrevented); } });')
	p.click('run (')
	p.search('eval')
	p.keys('Escape')
	p.same('one thing', (p.text('#search'), p.shown('#unzoom')), ('Search', True))
	p.keys('Escape')
	p.same('picture', p.frames(), before)
	p.same('control', p.text('#search'), 'Search')
	p.same('reset hidden', p.shown('#unzoom'), False)
	p.same('address', p.view(), '')
	p.click('run (')
	p.keys('Escape')
	p.same('zoom alone', p.frames(), before)
	p.search('eval')
	p.keys('Escape')
	p.same('search alone', p.frames(), before)
	p.keys('Escape')
	p.same('taken', p.js('return taken'), [True, True, True, True, False])
