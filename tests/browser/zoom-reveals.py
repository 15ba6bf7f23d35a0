"""A zoom draws frames that were too narrow before, and makes the picture taller for them. A reset undoes both."""
draw = 'plain.folded --minwidth 20%'


def case(p):
	p.size(1200, 120)
	p.open()
	before = p.frames()
	size = 'return Number(document.documentElement.getAttribute("height"))'
	place = 'const el = document.querySelector("#details"); return Number(el.getAttribute("y")) + el.getScreenCTM().f + scrollY'
	height, details, scrolled = p.js(size), p.js(place), p.js('return scrollY')
	p.true('not there', p.gone('Read (') and p.gone('read (6'))
	p.search('^read$')
	p.same('found though it is not drawn', p.matched(), 'Matched: ' + p.covered('plain.folded', '^read$'))
	p.click('#search')
	p.click('run (')
	p.same('label', p.frame('Read (')['label'], 'Read')
	p.near('width', p.frame('Read (')['width'], p.frame('all (')['width'] * 8 / 37)
	p.true('title', p.frame('Read (')['title'] == 'Read (8 samples, 6.56%)')
	apply, top = p.frame('apply ('), p.frame('eval (17', 1)
	p.near('rows', apply['y'] - top['y'], 3 * 16)
	p.same('higher', p.js(size), height + 32)
	p.same('details move', p.js(place), details + 32)
	p.wait(lambda: p.js('return scrollY') == scrolled + 32)  # the frame stays where it is
	p.true('nothing is cut off', p.js('''scrollTo(0, 0);
		const box = document.documentElement.getBoundingClientRect();
		return Array.from(document.querySelectorAll('#frames rect')).every(function (el) {
			const one = el.getBoundingClientRect();
			return one.top > box.top + 30 && one.bottom < box.bottom - 10;
		})'''))
	p.keys('i')
	p.true('flipped, root on top', p.frame('all (')['y'] < p.frame('run (')['y'] < p.frame('Read (')['y'])
	p.same('as high', p.js(size), height + 32)
	p.keys('i', 'Escape')
	p.same('picture', p.frames(), before)
	p.js('scrollTo(0, 9999)')
	p.settle()
	p.same('height', (p.js(size), p.js(place)), (height, details))
	p.size(1200, height + 15)
	p.same('no scroll bar', p.js('return innerWidth - document.documentElement.clientWidth'), 0)
	p.click('run (')
	p.true('a scroll bar', p.js('return innerWidth - document.documentElement.clientWidth') > 0)
	p.near('nothing is below it', p.js('return Number(document.querySelector("#frames").getAttribute("width"))'),
		p.js('return document.documentElement.clientWidth') - 20, 0)
	p.size(1200)
