"""In a picture of two profiles, shades and signs show the changes, the key o switches to changes of self counts, and details have the
counts."""
command = 'diff'
draw = '--svg - before.folded after.folded'


def shade(p, name):
	return p.js('''return Array.from(document.querySelectorAll('#frames > g')).find(function (el) {
		return el.querySelector('title').textContent.startsWith(arguments[0] + ' ');
	}.bind(null), arguments[0]).querySelector('rect').getAttribute('class')'''.replace('arguments[0] + \' \'', repr(name + ' ')), name)


def case(p):
	p.open()
	p.same('subtitle', p.text('#subtitle'),
		'before.folded: 1,170 before, after.folded: 1,302 after; counts are not scaled (median of 8 functions)')
	shades = {name: shade(p, name) for name in ('main', 'gone', 'deep', 'new', 'same', 'slow', 'fast', 'little', 'edge')}
	p.same('shades of all', shades, {'main': 'c32', 'gone': 'c42', 'deep': 'c42', 'new': 'c41', 'same': 'c35', 'slow': 'c36', 'fast': 'c39', 'little': 'c32', 'edge': 'c32'})
	p.same('signs', [p.frame(name)['label'] for name in ('gone', 'new', 'slow', 'same', 'main')], ['− gone', '+ new', '+ slow', '+ same', 'main'])
	p.hover('slow (')
	p.same('details', p.text('#details'),
		'Function: slow (100 before, 265 after, +165.0%; self 0 before, 15 after, new) | 7.68% → 20.35% of all')
	p.hover('main (')
	p.same('details', p.text('#details'), 'Function: main (1,170 before, 1,302 after, +11.3%, within noise; self 0 before, 0 after, unchanged) | 89.86% → 100.00% of all')
	p.true('narrow', p.frame('little (')['width'] > 0 and 'within noise' in p.frame('little (')['title'])
	before = p.frames()
	p.keys('o')
	p.same('self changes of callers', [shade(p, name) for name in ('main', 'gone', 'slow', 'same', 'deep', 'new', 'edge')],
		['c32', 'c32', 'c41', 'c32', 'c42', 'c41', 'c32'])
	p.same('label', p.frame('gone (')['label'], 'gone')
	p.true('in the address', 'own=1' in p.js('return location.hash'))
	p.true('switch', p.js('return document.querySelector("#own").getAttribute("aria-pressed")') == 'true')
	p.click('slow (')
	p.same('zoomed', [shade(p, 'slow'), p.frame('slow (')['label']], ['c41', '+ slow'])
	p.click('#own')
	p.same('back, zoomed', [shade(p, 'slow'), shade(p, 'loop')], ['c36', 'c36'])
	p.same('title of a drawn frame', p.frame('loop (')['title'], 'loop (100 before, 250 after, +150.0%; self 100 before, 250 after, +150.0%)')
	p.keys('Escape')
	p.same('picture', p.frames(), before)
	p.search('^gone$')
	p.same('found', p.matched(), 'Matched: %.1f%% before, 0.0%% after' % (100 * 200 / 1302))
