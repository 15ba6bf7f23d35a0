"""Frames that are only in the packed data have differences in their titles and colours, and counts
multiplied by the factor, like frames in the file."""
from lib.packer import frame, pack, put

draw = 'differential.folded --countname "ms & s"'


def case(p):
	tree = frame('', children=[frame('main', own=5, delta=0, children=[
		frame('down', own=20, delta=-30), frame('none', own=15), frame('up', own=20, delta=20)])])
	svg = p.read('packed-deltas.svg')

	def titles(name, extra='', **changes):
		page = put(svg, pack(tree), 'none', 60, ['all'], extra)
		for old, new in changes.items():
			page = page.replace('data-%s="1"' % old, 'data-%s="%s"' % (old, new))
		p.write(name + '.svg', page)
		p.open(path=name + '.svg')
		p.keys('Tab', 'ArrowUp', 'Enter')
		p.wait(lambda: not p.gone('down ('))
		return p.js("return Array.from(document.querySelectorAll('#frames title')).slice(1).map(function (el) { return el.textContent; })")

	p.same('deltas', titles('deltas'), ['main (60 ms & s, 100.00%; 0.00%)', 'down (20 ms & s, 33.33%; -50.00%)', 'none (15 ms & s, 25.00%)',
		'up (20 ms & s, 33.33%; +33.33%)'])
	fills = "return Array.from(document.querySelectorAll('#frames > g > rect')).slice(1).map(function (el) { return el.getAttribute('fill'); })"
	p.same('colours', p.js(fills), ['rgb(250,250,250)', 'rgb(100,100,255)', 'rgb(10,20,30)', 'rgb(255,150,150)'])
	titles('diffusion', ' data-diffusion="true"')
	p.same('colours that diffuse', p.js(fills), 4 * ['rgb(10,20,30)'])
	p.same('negated', titles('negated', ' data-negate="true"')[1], 'down (20 ms & s, 33.33%; +50.00%)')
	p.same('factor', titles('factor', factor='1000.500000')[1], 'down (20,010 ms & s, 33.33%; -50.00%)')
	p.same('a small factor', titles('small', factor='1e-07')[1], 'down (0 ms & s, 0.00%; -50.00%)')
	p.same('a large factor', titles('large', factor='1e+300')[0], 'main (18,446,744,073,709,551,615 ms & s, 0.00%; 0.00%)')
