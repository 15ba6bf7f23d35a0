"""The first click zooms to the frame under the mouse, even if the browser has not yet had time for
the script's idle work, or does this work during the click."""
draw = 'tall.folded'
HOLD = 'window.requestIdleCallback = act => { window.becomeIdle = act }'


def check(p, when):
	p.same(when, p.frame('step_7 (')['width'], p.frame('all (')['width'])
	p.true('zoomed', p.view().startswith('#z='))


def case(p):
	p.open()
	p.push(*p.middle('step_7 ('))
	check(p, 'idle')
	held = p.cdp('Page.addScriptToEvaluateOnNewDocument', source=HOLD)['identifier']
	try:
		p.open(path='blank.txt')
		p.open()
		p.push(*p.middle('step_7 ('))
		check(p, 'before')
		p.open(path='blank.txt')
		p.open()
		p.wait(lambda: p.js('return window.becomeIdle !== undefined'))
		x, y = p.middle('step_7 (')
		p.act({'type': 'pointer', 'id': 'mouse', 'actions': [p.moved(x, y), {'type': 'pointerDown', 'button': 0}]})
		p.js('becomeIdle()')
		p.act({'type': 'pointer', 'id': 'mouse', 'actions': [{'type': 'pointerUp', 'button': 0}]})
		check(p, 'meanwhile')
	finally:
		p.cdp('Page.removeScriptToEvaluateOnNewDocument', identifier=held)
