"""With --style=modern, page, texts and frames are dark in dark mode, except in print; labels can be read in both modes."""
draw = 'plain.folded --no-javascript --style=modern'

STYLE = """const of = function (el) { return getComputedStyle(el).fill; };
return { page: of(document.querySelector('.page')), texts: Array.from(document.querySelectorAll('svg > text')).map(of),
	frames: Array.from(document.querySelectorAll('#frames > *')).map(function (el) {
		return [of(el.querySelector('rect')), of(el.querySelector('text'))]; }) }"""


def luminance(colour):
	parts = [int(n) / 255 for n in colour[4:-1].split(',')]
	linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
	return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear))


def contrast(a, b):
	low, high = sorted((luminance(a), luminance(b)))
	return (high + 0.05) / (low + 0.05)


def check(p, style):
	p.true('frames', len(style['frames']) > 3)
	for pair in [(style['page'], text) for text in style['texts']] + style['frames']:
		p.true('contrast of %s and %s: %.1f' % (pair[0], pair[1], contrast(*pair)), contrast(*pair) >= 4.5)


def case(p):
	p.open()
	light = p.js(STYLE)
	check(p, light)
	p.true('light', luminance(light['page']) > 0.9)
	p.prefer('dark')
	dark = p.js(STYLE)
	check(p, dark)
	p.true('dark', luminance(dark['page']) < 0.03)
	for before, after in zip(light['frames'], dark['frames']):
		p.true('darker: %s, %s' % (before[0], after[0]), luminance(after[0]) < 0.5 * luminance(before[0]))
	p.true('beside it, too', max(p.pixel(600, 800)) < 60)
	p.prefer('dark', media='print')
	p.same('print', p.js(STYLE), light)
