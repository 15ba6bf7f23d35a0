"""Names are found in titles that end in a difference."""
draw = 'differential.folded'


def case(p):
	p.open()
	for name in 'grown', 'shrunk', 'same':
		p.same('label', p.frame(name)['label'], name)
	p.search('%|[-+]')
	p.same('found', p.text('#matched'), 'Matched: 0% (no match)')
