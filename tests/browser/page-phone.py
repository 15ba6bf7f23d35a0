"""On a phone, each menu opens below its bar and inside the window. The name, the counts and all actions of a frame have room in the
details, also beside a remark on the quality of the recording, and the actions scroll if the phone is narrow."""
format = 'html'
draw = "--note '^read=slow' threads.folded"
PHONES = (420, 360)
BOX = 'const box = document.querySelector(arguments[0]).getBoundingClientRect(); return [box.left, box.top, box.right, box.bottom]'
BESIDE = '''const menu = document.querySelector(arguments[0]), right = menu.getBoundingClientRect().right;
	return Array.from(menu.querySelectorAll('*')).filter(el => el.getBoundingClientRect().right > right).map(el => el.outerHTML)'''
ROWS = '''const footer = document.querySelector('footer').getBoundingClientRect();
	return Array.from(document.querySelectorAll('footer > strong, footer > .values, footer .actions > button'), el => {
		const box = el.getBoundingClientRect();
		return [el.textContent, footer.top <= box.top && box.bottom <= footer.bottom];
	}).filter(([, inside]) => !inside)'''
LAST = '''const actions = document.querySelector('.actions'), last = actions.lastChild;
	last.scrollIntoView();
	return last.getBoundingClientRect().right <= innerWidth'''


def case(p):
	p.cdp('Emulation.setTouchEmulationEnabled', enabled=True)
	try:
		for width in PHONES:
			p.cdp('Emulation.setDeviceMetricsOverride', width=width, height=800, deviceScaleFactor=1, mobile=True)
			p.open(path='blank.txt')
			p.open()
			bottom = p.js(BOX, 'header')[3]
			for menu in ('filter', 'colour', 'order', 'export'):
				p.press('#menu-%s > summary' % menu)
				box = p.js(BOX, '#menu-%s > div' % menu)
				p.same('parts beside the menu %s' % menu, p.js(BESIDE, '#menu-%s > div' % menu), [])
				p.true('the menu %s is inside %d px: %r' % (menu, width, box), 0 <= box[0] and box[2] <= width)
				p.true('and below the bar, which ends at %r: %r' % (bottom, box), box[1] >= bottom - 8)
			p.keys('Escape')
			p.open('#fn=read')
			p.same('details that are cut off at %d px' % width, p.js(ROWS), [])
			p.true('the last action can be reached at %d px' % width, p.js(LAST))
	finally:
		p.cdp('Emulation.clearDeviceMetricsOverride')
		p.cdp('Emulation.setTouchEmulationEnabled', enabled=False)
		p.size(1200)
