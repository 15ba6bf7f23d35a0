"""In dark mode, the page is dark and the texts are light, also without scripts. Frames and print stay the same."""
draw = 'plain.folded --no-javascript'

STYLE = """const of = function (selector) { return getComputedStyle(document.querySelector(selector)); };
return [of('#background stop').stopColor, of('#background stop + stop').stopColor, of('#title').fill, of('#details').fill,
	of('#search').fill, of('#frames text').fill, of('#frames rect').fill]"""


def luminance(colour):
	parts = [int(n) / 255 for n in colour[4:-1].split(',')]
	linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
	return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear))


def case(p):
	p.open()
	light = p.js(STYLE)
	p.same('light as ever', light[:5], ['rgb(238, 238, 238)', 'rgb(238, 238, 176)'] + ['rgb(0, 0, 0)'] * 3)
	p.prefer('dark')
	dark = p.js(STYLE)
	for page in dark[:2]:
		p.true('dark page: ' + page, luminance(page) < 0.03)
		for text in dark[2:5]:
			contrast = (luminance(text) + 0.05) / (luminance(page) + 0.05)
			p.true('contrast %.1f' % contrast, contrast > 7)
	p.same('frames', dark[5:], light[5:])
	p.true('seen', max(p.pixel(3, 3)) < 60)
	p.true('beside it, too', max(p.pixel(600, 800)) < 60)
	p.prefer('dark', media='print')
	p.same('print', p.js(STYLE), light)
