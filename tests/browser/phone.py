"""On a phone, the picture is as wide as the screen, details have the numbers before the name, and the area of a control is at least 28 px
wide and high."""
draw = 'plain.folded'


def case(p):
	p.cdp('Emulation.setDeviceMetricsOverride', width=420, height=800, deviceScaleFactor=2, mobile=True)
	p.cdp('Emulation.setTouchEmulationEnabled', enabled=True)
	try:
		p.open()
		p.same('width', p.js('return innerWidth'), 420)
		p.near('frames', p.frame('all (')['width'], 400)
		p.tap('read (30')
		p.same('details', p.text('#details'), '30 samples, 24.59% | self 30, 24.59% | read')
		x, y = p.middle('#ignorecase')
		p.tap((x + 12, y + 12))
		p.same('near the control', p.has_class('#ignorecase', 'show'), True)
		p.tap((x, y + 18))
		p.same('too far', p.has_class('#ignorecase', 'show'), True)
	finally:
		p.cdp('Emulation.setTouchEmulationEnabled', enabled=False)
		p.cdp('Emulation.clearDeviceMetricsOverride')
