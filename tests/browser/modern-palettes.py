"""With --style=modern all frames of the palette hot have the same lightness, like the style's own
colours."""
draw = 'plain.folded --style=modern --colors hot'

FILLS = """return Array.from(document.querySelectorAll('#frames > * > rect')).map(function (rect) {
	return getComputedStyle(rect).fill; })"""


def luminance(colour):
	parts = [int(n) / 255 for n in colour[4:-1].split(',')]
	return sum(w * (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4) for w, c in zip((0.2126, 0.7152, 0.0722), parts))


def case(p):
	p.open()
	light = [luminance(fill) for fill in p.js(FILLS)]
	p.true('many', len(light) > 10)
	p.true('lightness from %.2f to %.2f' % (min(light), max(light)), 0.3 < min(light) and max(light) < 0.8)
