"""With --style=modern colours that were asked for stay as they are in the dark, and the text on them black."""
draw = 'plain.folded --no-javascript --style=modern --colors=blue'

STYLE = """return Array.from(document.querySelectorAll('#frames > * > rect[fill]')).map(function (rect) {
	return [getComputedStyle(rect).fill, rect.getAttribute('fill'), getComputedStyle(rect.nextElementSibling).fill]; })"""


def case(p):
	p.open()
	for scheme in ['light', 'dark']:
		p.prefer(scheme)
		style = p.js(STYLE)
		p.true('frames', len(style) > 3)
		for fill, given, text in style:
			p.same(scheme, [fill.replace(' ', ''), text], [given, 'rgb(0, 0, 0)'])
