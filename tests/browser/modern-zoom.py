"""With --style=modern, frames look the same after a zoom as in the file: shade, gap, round corners, and height of rows."""
draw = 'plain.folded --style=modern'

RECT = """const rect = Array.from(document.querySelectorAll('#frames > g')).find(function (el) {
	return el.querySelector('title').textContent.startsWith(arguments[0]); }, arguments).querySelector('rect');
return [rect.getAttribute('class'), rect.getAttribute('fill'), rect.getAttribute('rx'), rect.getAttribute('y'), rect.getBoundingClientRect().width]"""
WIDTH = "return Number(document.querySelector('#frames').getAttribute('width'))"


def case(p):
	p.open()
	height = p.js("return document.documentElement.getAttribute('height')")
	before = p.js(RECT.replace('arguments[0]', "'read'").replace(', arguments)', ')'))
	p.click('read')
	after = p.js(RECT.replace('arguments[0]', "'read'").replace(', arguments)', ')'))
	p.same('look', after[:4], before[:4])
	p.true('shade', before[0].startswith('c') and before[1].startswith('#'))
	p.near('width', after[4], p.js(WIDTH) - 0.75, by=0.1)
	p.same('height of the picture', p.js("return document.documentElement.getAttribute('height')"), height)
	p.keys('i')
	p.keys('i')
	p.same('flipped twice', p.js(RECT.replace('arguments[0]', "'read'").replace(', arguments)', ')'))[:4], before[:4])
