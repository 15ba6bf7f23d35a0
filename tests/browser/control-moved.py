"""A click on a control acts, also if the control moves while the button is down, because the window changes its width. A press that ends
elsewhere does not act."""
draw = 'plain.folded'


def push(p, control, moves, by=0):
	"""Presses the button on a control, and releases it after `moves()`, `by` px further left."""
	x, y = p.middle(control)
	p.act({'type': 'pointer', 'id': 'mouse', 'actions': [p.moved(x, y), {'type': 'pointerDown', 'button': 0}]})
	moves()
	p.act({'type': 'pointer', 'id': 'mouse', 'actions': [p.moved(x - by, y), {'type': 'pointerUp', 'button': 0}]})


def case(p):
	p.open()
	push(p, '#ignorecase', lambda: p.size(1300))
	p.same('it has moved', p.has_class('#ignorecase', 'show'), True)
	push(p, '#ignorecase', lambda: None)
	p.same('once, without a move', p.has_class('#ignorecase', 'show'), False)
	push(p, '#ignorecase', lambda: p.size(1200), 200)
	p.same('released elsewhere', p.has_class('#ignorecase', 'show'), False)
	push(p, '#search', lambda: p.size(1300))
	p.same('the search', p.asked(), True)
