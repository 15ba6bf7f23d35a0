"""Every label is readable: its contrast is at least 4.5, in light and in dark mode. This is also true after a zoom, which makes callers
pale, and during a search, which makes all other frames pale."""
format = 'html'
draw = 'plain.folded'
LEAST = '''
	const parts = text => (text.match(/[\\d.]+/g) || []).slice(0, 3).map(Number);
	const light = rgb => { const [r, g, b] = rgb.map(part => part / 255).map(c => c <= 0.04045 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4));
		return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
	const page = parts(getComputedStyle(document.body).backgroundColor);
	const over = (top, alpha) => top.map((part, i) => alpha * part + (1 - alpha) * page[i]);
	return Array.from(document.querySelectorAll('#frames > g'), el => {
		const text = el.querySelector('text'), rect = el.querySelector('rect');
		if (!text || !text.textContent) { return [99, '']; }
		const group = Number(getComputedStyle(el).opacity), box = getComputedStyle(rect), ink = getComputedStyle(text);
		const back = light(over(parts(box.fill), group * box.opacity)), front = light(over(parts(ink.fill), group * ink.opacity));
		return [(Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05), text.textContent];
	}).reduce((a, b) => a[0] < b[0] ? a : b)'''


def case(p):
	for scheme in 'light', 'dark':
		p.prefer(scheme)
		p.open(path='blank.txt')
		p.open()
		for what in 'at first', 'after a zoom', 'with a search':
			if what == 'after a zoom':
				p.click('parse')
			elif what == 'with a search':
				p.search('^read$')
			least = p.js(LEAST)
			p.true('%s, %s: %r' % (scheme, what, least), least[0] >= 4.5)
