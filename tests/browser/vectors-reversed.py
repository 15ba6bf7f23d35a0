"""The script gives the figures of tests/vectors for a profile whose stacks are merged from the
leaf."""
from lib.vectors import check_functions, probe

format = 'html'
draw = '--reverse ../vectors/recursion.folded'


def case(p):
	p.open()
	probe(p)
	check_functions(p, 'functions-reversed.tsv')
