"""A click and a key work before the page is idle. A click also works if the page becomes idle while the button is down. The page then
draws the frames of the file again, but the user sees no difference."""
format = 'html'
draw = 'threads.folded --minwidth 20%'
HOLD = 'window.requestIdleCallback = act => { window.becomeIdle = act }; window.heldBack = true'


def press(p, x, y, down):
	p.act({'type': 'pointer', 'id': 'mouse', 'actions': [p.moved(x, y), {'type': 'pointerDown' if down else 'pointerUp', 'button': 0}]})


def case(p):
	held = p.cdp('Page.addScriptToEvaluateOnNewDocument', source=HOLD)['identifier']
	try:
		p.open()
		p.true('not idle', p.js('return window.heldBack'))
		p.push(*p.middle('web-10/11'))
		p.same('zoomed', p.texts('nav li')[-1], 'web-10/11')
		p.open(path='blank.txt')
		p.open()
		p.wait(lambda: p.js('return window.becomeIdle !== undefined'))
		x, y = p.middle('web-10/11')
		press(p, x, y, True)
		p.js('becomeIdle()')
		p.settle()
		press(p, x, y, False)
		p.same('idle while the button is down', p.texts('nav li')[-1], 'web-10/11')
		p.open(path='blank.txt')
		p.open()
		p.hover('web-10/11')
		p.keys('f')
		p.same('a key', [text.rstrip('×') for text in p.texts('#chain .chip')], ['only web-10/11'])
		p.open(path='blank.txt')
		p.open()
		p.wait(lambda: p.js('return window.becomeIdle !== undefined'))
		p.js('becomeIdle()')
		p.wait(lambda: p.frames())
		p.push(*p.middle('web-10/11'))
		p.same('after that', p.texts('nav li')[-1], 'web-10/11')
	finally:
		p.cdp('Page.removeScriptToEvaluateOnNewDocument', identifier=held)
