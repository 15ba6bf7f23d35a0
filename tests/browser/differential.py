"""Titles with a difference give their names as well."""
draw = 'differential.folded'


def case(p):
	p.open()
	for name in 'grown', 'shrunk', 'same':
		p.same('label', p.frame(name)['label'], name)
	p.search('%|[-+]')
	p.same('found', p.text('#matched'), 'Matched: 0% (no match)')
