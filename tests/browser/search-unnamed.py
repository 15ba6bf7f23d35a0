"""Frames without a name are found; the root, which has no name either, is not."""
draw = 'unnamed.folded --data none'


def case(p):
	p.open('#s=^$')
	p.same('without data', p.text('#matched'), 'Matched: 50.0% (1 frame)')
