"""In a flame chart, frames are in the order of the input, so the menu does not say that they are in the order of their names."""
format = 'html'
draw = '--flamechart plain.folded'


def case(p):
	p.open()
	p.same('the usual order', p.texts('#menu-order [aria-pressed=true]'), ['As in the input'])
