"""The first click on a frame zooms to this frame: nothing in the page moves while the button is down. This is so with a mouse in a wide
window, and with a finger on a phone, where the outline, the details and the line below show the same function."""
format = 'html'
draw = 'tall.folded'
PLACES = '''return ['#graph', 'header', 'footer'].map(selector => {
	const box = document.querySelector(selector).getBoundingClientRect();
	return [box.top, box.height];
}).concat([[document.querySelector('#frames').getBoundingClientRect().top, 0]])'''


def at(p, name):
	return tuple(round(place) for place in p.middle(name))


def check_click(p, name):
	p.open(path='blank.txt')
	p.open()
	x, y = at(p, name)
	before = p.js(PLACES)
	p.act({'type': 'pointer', 'id': 'mouse', 'actions': [p.moved(x, y), {'type': 'pointerDown', 'button': 0}]})
	p.same('nothing moves under the pointer', p.js(PLACES), before)
	p.act({'type': 'pointer', 'id': 'mouse', 'actions': [{'type': 'pause', 'duration': 60}, {'type': 'pointerUp', 'button': 0}]})
	p.same('zoomed by the first click', p.texts('nav li')[-1], name.split(' ')[0])
	p.same('named below', p.text('footer strong'), name.split(' ')[0])


def case(p):
	for size in (1400, 800), (1200, 700), (800, 600):
		p.size(*size)
		for name in 'step_1 (', 'step_3 (', 'step_9 (':
			check_click(p, name)
	p.size(1200)
	p.open(path='blank.txt')
	p.open()
	x, y = at(p, 'step_5 (')
	p.push(x, y)
	p.same('held for 60 ms', p.texts('nav li')[-1], 'step_5')
	p.cdp('Emulation.setDeviceMetricsOverride', width=420, height=800, deviceScaleFactor=1, mobile=True)
	p.cdp('Emulation.setTouchEmulationEnabled', enabled=True)
	try:
		p.open(path='blank.txt')
		p.open()
		before = p.js(PLACES)
		p.tap('step_5 (')
		p.same('a tap moves nothing', p.js(PLACES), before)
		p.same('details and the line below', (p.text('#details').split('| ')[-1], p.text('footer strong')), ('step_5', 'step_5'))
		p.tap('step_5 (')
		p.same('the second one zooms', p.texts('nav li')[-1], 'step_5')
	finally:
		p.cdp('Emulation.clearDeviceMetricsOverride')
		p.cdp('Emulation.setTouchEmulationEnabled', enabled=False)
