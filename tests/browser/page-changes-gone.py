"""In a comparison with an empty second profile, changes are shares of all counts of the first profile."""
command = 'diff'
format = 'html'
draw = 'before.folded empty.folded'


def case(p):
	p.open()
	p.same('gone', p.rows('> .number')[:3], ['100.00%', 'gone', '−100.00%'])
	p.choose('colour', 'As wide as after')
	p.true('widths as they were', p.frame('same (')['width'] > 100)
