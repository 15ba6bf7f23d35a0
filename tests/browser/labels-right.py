"""--truncate-text-right cuts labels on the right."""
draw = 'plain.folded --truncate-text-right'


def case(p):
	p.open()
	label = p.frame('std::vector')['label']
	p.true('label %r' % label, label.startswith('std') and label.endswith('..'))
