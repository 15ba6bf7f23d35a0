"""Names that look like the ends of titles stay whole in labels and searches."""
draw = 'names.folded --countname "x, 5%) (3 x"'


def case(p):
	p.open()
	for name in 'f (1 x, 50.00%)', 'g (2 samples, 3%)', 'h()', 'i (3 x, 5%) (3 x, 1.00%)':
		p.same('label', p.frame(name)['label'], name)
	p.search('^(f \\(1 x, 50\\.00%\\)|h\\(\\))$')
	p.same('found', p.matched(), 'Matched: ' + p.covered('names.folded', '^[fh]'))
