"""In the page of a comparison with a profile that has nothing after it, changes are shares of all before it."""
command = 'diff'
format = 'html'
draw = 'before.folded empty.folded'


def case(p):
	p.open()
	p.same('gone', p.texts('#panel-changes .rows > .row:not([hidden]) > .number')[:4], ['-34.19%', 'gone', '34.19%', '0.00%'])
	p.press('.switch button', 2)
	p.true('widths as they were', p.frame('same (')['width'] > 100)
