"""A pinch magnifies the picture, as in any page, and zooms to no frame."""
draw = 'plain.folded'


def case(p):
	def touch(kind, apart):
		points = [{'id': 1, 'x': 600 - apart, 'y': 100}, {'id': 2, 'x': 600 + apart, 'y': 100}] if apart else []
		p.cdp('Input.dispatchTouchEvent', type=kind, touchPoints=points)

	p.cdp('Emulation.setTouchEmulationEnabled', enabled=True, maxTouchPoints=2)
	try:
		p.open()
		before = p.frames()
		p.same('before', p.js('return visualViewport.scale'), 1)
		touch('touchStart', 50)
		for apart in range(60, 160, 10):
			touch('touchMove', apart)
		touch('touchEnd', 0)
		p.wait(lambda: p.js('return visualViewport.scale') > 1.5)
		p.same('picture', (p.frames(), p.view()), (before, ''))
	finally:
		p.cdp('Emulation.setTouchEmulationEnabled', enabled=False)
