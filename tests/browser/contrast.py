"""Labels of matches, and of frames that a zoom draws, are black or white, depending on the contrast."""
draw = 'plain.folded --colors blue --search-color #ffff80 --minwidth 12%'

LABELS = """return Array.from(document.querySelectorAll('#frames > :not(path)')).map(function (el) {
	const text = el.querySelector('text');
	return [(el.querySelector('rect') || el).getAttribute('fill'), text && text.textContent ? getComputedStyle(text).fill : null];
})"""


def luminance(colour):
	parts = [int(n) / 255 for n in colour[4:-1].split(',')]
	linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
	return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear))


def case(p):
	def check():
		colours = set()
		for fill, text in p.js(LABELS):
			if text:
				white = 1.05 / (luminance(fill) + 0.05) > (luminance(fill) + 0.05) / 0.05
				p.same('on ' + fill, text, 'rgb(255, 255, 255)' if white else 'rgb(0, 0, 0)')
				colours.add(text)
		return colours

	p.open()
	p.click('main (')
	before = check()
	p.true('white', 'rgb(255, 255, 255)' in before)
	p.search('read')
	p.true('hits are black', ['rgb(255,255,128)', 'rgb(0, 0, 0)'] in p.js(LABELS))
	check()
	p.click('#search')
	p.same('as before', check(), before)
