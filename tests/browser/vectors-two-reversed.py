"""The script gives the figures of tests/vectors for two profiles whose stacks are merged from the
leaf."""
from lib.vectors import check_functions, probe

format = 'html'
draw = '--reverse ../vectors/two.folded'


def case(p):
	p.open()
	probe(p)
	check_functions(p, 'functions-two-reversed.tsv')
