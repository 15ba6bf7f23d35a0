"""In a comparison of profiles of different lengths, the viewer and the file agree on which changes are noise."""
command = 'diff'
draw = '--svg - short.folded long.folded'

SHADES = '''return Array.from(document.querySelectorAll('#frames > g')).map(el =>
	[el.querySelector('title').textContent.split(' ')[0], el.querySelector('rect').getAttribute('class')])'''


def case(p):
	p.open()
	drawn = dict(p.js(SHADES))
	p.same('drawn', drawn, {'all': 'c32', 'main': 'c32', 'base': 'c32', 'little_new': 'c32', 'little_gone': 'c42', 'many': 'c32', 'much_new': 'c41'})
	p.keys('o')
	p.keys('o')
	p.same('by the viewer', dict(p.js(SHADES)), drawn)
	p.hover('little_new (')
	p.true('details', p.text('#details').find('(0 scaled before, 10 after, new, within noise; self 0 scaled before, 10 after, new, within noise; counted 0 before, 10 after) | 0.00% → ') > 0)
