"""The same figures of two profiles whose stacks were merged from the leaf."""
from lib.vectors import check_functions, probe

format = 'html'
draw = '--reverse ../vectors/two.folded'


def case(p):
	p.open()
	probe(p)
	check_functions(p, 'functions-two-reversed.tsv')
