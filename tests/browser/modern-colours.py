"""With --style=modern, colours that the user asked for stay the same in dark mode, with black text on them."""
draw = 'plain.folded --no-javascript --style=modern --colors=blue'

STYLE = """return Array.from(document.querySelectorAll('#frames > * > rect:not([class])')).map(function (rect) {
	return [getComputedStyle(rect).fill, rect.getAttribute('fill'), getComputedStyle(rect.nextElementSibling).fill]; })"""


def case(p):
	p.open()
	for scheme in ['light', 'dark']:
		p.prefer(scheme)
		style = p.js(STYLE)
		p.true('frames', len(style) > 3)
		for fill, given, text in style:
			p.same(scheme, [fill.replace(' ', ''), text], [given, 'rgb(0, 0, 0)'])
