"""A click on a button or a row of a page acts, also if it moves while the mouse button is down, because the window changes its size. A
press that ends elsewhere does not act, and a usual click acts once."""
format = 'html'
draw = 'plain.folded'
TABLE = '.menus > .tool'
PRESSED = 'return document.querySelector(".menus > .tool").getAttribute("aria-pressed")'


def push(p, selector, size, by=0):
	"""Presses the button, changes the size of the window, and releases the button `by` px further left. Returns whether it has moved."""
	at = 'const box = document.querySelector(arguments[0]).getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]'
	x, y = before = p.js(at, selector)
	p.act({'type': 'pointer', 'id': 'mouse', 'actions': [p.moved(x, y), {'type': 'pointerDown', 'button': 0}]})
	p.size(*size)
	after = p.js(at, selector)
	p.act({'type': 'pointer', 'id': 'mouse', 'actions': [p.moved(x - by, y), {'type': 'pointerUp', 'button': 0}]})
	return before != after


def case(p):
	p.size(1400, 900)
	p.open()
	p.true('the button moves', push(p, TABLE, (1500, 900)))
	p.same('the table is closed', p.js(PRESSED), 'false')
	push(p, TABLE, (1500, 900))
	p.same('once, without a move', p.js(PRESSED), 'true')
	push(p, TABLE, (1400, 900), 300)
	p.same('released elsewhere', p.js(PRESSED), 'true')
	push(p, '#menu-colour summary', (1500, 900))
	p.same('a menu', p.js('return document.querySelector("#menu-colour").open'), True)
	p.keys('Escape')
	p.click('main (')
	p.true('the bar of details moves', push(p, 'footer .actions button', (1500, 950)))
	p.true('the filter', 'f=only' in p.view())
	row = 'aside .rows > .row:not([hidden]) .number'
	p.true('a row moves', push(p, row, (1400, 950)))
	p.wait(lambda: 'fn=' in p.view())
