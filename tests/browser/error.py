"""The picture that reports an empty input does not throw."""
draw = 'empty.folded'
status = 1


def case(p):
	p.open('?x=0&y=0&s=a&ic=1')
	p.true('says so', p.text('text').startswith('ERROR'))
	p.keys('Control-f', 'Escape')
	p.same('asked', p.asked(), False)
