"""Frames that are gone or new differ from those that lost or gained much, also without their patterns. Labels have a contrast of at least
4.5 on all shades, in light and in dark mode, also on pale callers after a zoom."""
command = 'diff'
draw = '--svg - before.folded after.folded'
CONTRAST = '''
	const parts = text => (text.match(/[\\d.]+/g) || []).slice(0, 3).map(Number);
	const light = rgb => { const [r, g, b] = rgb.map(part => part / 255).map(c => c <= 0.04045 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4));
		return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
	const page = parts(getComputedStyle(document.documentElement).backgroundColor);
	const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
	const fillOf = shade => parts(getComputedStyle(document.querySelector('#p' + shade + ' > rect')).fill);
	'''
LABELS = CONTRAST + '''return Array.from(document.querySelectorAll('#frames > g'), el => {
	const text = el.querySelector('text'), rect = el.querySelector('rect'), shade = rect.getAttribute('class').slice(1);
	if (!text || !text.textContent.trim() || shade === '32') { return [99, '', '']; }
	const ink = getComputedStyle(text), alpha = Number(getComputedStyle(rect).opacity);
	const back = fillOf(shade).map((part, i) => alpha * part + (1 - alpha) * page[i]);
	return [Math.min(contrast(parts(ink.fill), back), ink.stroke === 'none' ? 99 : contrast(parts(ink.fill), parts(ink.stroke))), text.textContent, 'c' + shade];
})'''


def case(p):
	for scheme in 'light', 'dark':
		p.prefer(scheme)
		p.open(path='blank.txt')
		p.open()
		for name, strong, whole in ('more and new', 36, 41), ('less and gone', 40, 42):
			differs = p.js(CONTRAST + 'return contrast(fillOf(arguments[0]), fillOf(arguments[1]))', strong, whole)
			p.true('%s, %s: %.2f' % (name, scheme, differs), differs >= 1.5)
		for what in 'gone (', 'new (', 'deep (', 'slow (':
			labels = p.js(LABELS)
			p.true('some labels', any(shade in ('c41', 'c42') for _, _, shade in labels))
			least = min(labels)
			p.true('%s, before a zoom to %s: %r' % (scheme, what, least), least[0] >= 4.5)
			p.click(what)
			least = min(p.js(LABELS))
			p.true('%s, after a zoom to %s: %r' % (scheme, what, least), least[0] >= 4.5)
			p.keys('Escape')
