"""A page takes fonts and the colour of borders from options, although its policy allows only fixed
style sheets."""
format = 'html'
draw = "--fonttype 'DejaVu Serif' --fontsize 14 --stroke-color '#ff0000' --bgcolors '#ffffff' --title Look plain.folded"
LOOK = '''const style = getComputedStyle(document.querySelector(arguments[0]));
	return [style.fontFamily, style.fontSize, style.stroke, style.strokeWidth]'''
FONT = '"DejaVu Serif"'
RED = 'rgb(255, 0, 0)'


def case(p):
	p.open()
	p.same('label', p.js(LOOK, '#frames text'), [FONT, '14px', 'none', '1px'])
	p.same('title', p.js(LOOK, '#graph #title')[1], '17px')
	p.same('border', p.js(LOOK, '#frames g rect')[2:], [RED, '1px'])
	p.hover('main')
	p.same('border under the pointer', p.js(LOOK, '#frames :hover > rect')[2:], ['rgb(26, 109, 255)', '1.5px'])
	p.open('#fn=main&view=callers')
	p.same('label of the sandwich', p.js(LOOK, '#sandwich text')[:2], [FONT, '14px'])
