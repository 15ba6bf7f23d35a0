"""A click on the frame that is as wide as the graph shows all of this frame again, also at once after the wheel or a key has zoomed into
it, before the address keeps the shown part. A click on another frame shows all of that frame."""
format = 'html'
draw = 'plain.folded'
CONTROL = '\ue009'
WIDTH = 'return Number(document.querySelector("#frames").getAttribute("width"))'


def wheel_and_click(p, x, y, to, wait):
	"""Turns the wheel with Ctrl, and presses the mouse button after some ms."""
	pause = {'type': 'pause'}
	p.act({'type': 'wheel', 'id': 'wheel', 'actions': [pause, {'type': 'scroll', 'x': round(x), 'y': round(y), 'deltaX': 0, 'deltaY': -300}]},
		{'type': 'key', 'id': 'keyboard', 'actions': [{'type': 'keyDown', 'value': CONTROL}, pause, {'type': 'keyUp', 'value': CONTROL}]},
		{'type': 'pointer', 'id': 'mouse', 'actions': [p.moved(*to), pause, pause, {'type': 'pause', 'duration': wait},
			{'type': 'pointerDown', 'button': 0}, {'type': 'pointerUp', 'button': 0}]})


def case(p):
	p.size(1400, 900)
	for wait in 0, 20, 100, 200:
		p.open(path='blank.txt')
		p.open()
		p.click('main (')
		whole, closer = p.js(WIDTH), p.frame('run (')
		at = closer['x'] + closer['width'] / 2, closer['y'] + 8
		wheel_and_click(p, *at, p.middle('main ('), wait)
		p.js('return new Promise(done => setTimeout(done, 400))')
		p.near('all of it again, after %d ms' % wait, p.frame('run (')['width'], closer['width'])
		p.true('the address, too: ' + p.view(), 'p=' not in p.view())
		wheel_and_click(p, *at, at, wait)
		p.js('return new Promise(done => setTimeout(done, 400))')
		p.near('another frame, after %d ms' % wait, p.frame('run (')['width'], whole, 1)
		p.true('its address: ' + p.view(), 'p=' not in p.view())
