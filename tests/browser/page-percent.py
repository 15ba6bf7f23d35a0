"""Shares in the table and in the details have one decimal, however small they are."""
import tempfile

format = 'html'
INPUT = tempfile.NamedTemporaryFile('w', suffix='.folded')
INPUT.write('main;most 9990\nmain;some 7\nmain;none 3\n')
INPUT.flush()
draw = INPUT.name


def case(p):
	p.open('#fn=none')
	p.same('table', p.rows('> .number'), ['99.9%', '99.9%', '0.1%', '0.1%', '<0.1%', '<0.1%', '0.0%', '100.0%'])
	p.true('details', 'total 3 samples <0.1%' in p.text('footer'))
