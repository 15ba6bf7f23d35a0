"""The foot of a comparison explains colours and patterns while no details are shown there. The list of keys explains them, too."""
command = 'diff'
draw = '--svg - before.folded after.folded'

SWATCHES = '''return Array.from(document.querySelectorAll(arguments[0] + ' rect')).map(function (rect) {
	return [rect.nextElementSibling.textContent, getComputedStyle(rect).fill]; })'''


def fill(p, name):
	return p.js('''return getComputedStyle(Array.from(document.querySelectorAll('#frames > g')).filter(function (el) {
		return el.textContent.startsWith(%r); })[0].querySelector('rect')).fill''' % name)


def case(p):
	for scheme in 'light', 'dark':
		p.prefer(scheme)
		p.open()
		swatches = p.js(SWATCHES, '#legend')
		p.same('texts', [text for text, _ in swatches], ['+ grew', '- shrank', '+ new', '- gone', 'unchanged'])
		said = dict(swatches)
		p.same('as the frames', [said[text] for text in ('+ new', '- gone', 'unchanged')],
			[fill(p, name) for name in ('new (', 'gone (', 'main (')])
		p.same('all differ', len(set(said.values())), 5)
	box = p.js('const b = document.querySelector("#legend").getBoundingClientRect(); return [b.left, b.right, b.top, b.bottom]')
	height = p.js('return document.documentElement.clientHeight')
	p.true('in view: %r' % box, box[0] >= 0 and box[3] <= height and p.shown('#legend'))
	p.hover('slow (')
	p.same('makes way for details', p.shown('#legend'), False)
	p.hover((0, 0))
	p.same('comes back', p.shown('#legend'), True)
	p.search('slow|deep')
	p.same('beside what matched', p.shown('#legend'), True)
	p.keys('?')
	p.same('in the list of keys', p.js(SWATCHES, '#help .legend'), swatches)
	p.keys('Escape')
	p.keys('Escape')
	p.cdp('Emulation.setDeviceMetricsOverride', width=420, height=800, deviceScaleFactor=1, mobile=True)
	try:
		p.open()
		right = p.js('return document.querySelector("#legend").getBoundingClientRect().right')
		p.true('on a phone, up to %r' % right, p.shown('#legend') and right <= 420)
	finally:
		p.cdp('Emulation.clearDeviceMetricsOverride')
