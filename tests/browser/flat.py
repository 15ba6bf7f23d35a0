"""Of very many callees, each too narrow to be seen, a strip stands for all: above their caller, in view, not under the texts around."""
from lib.strip import check_strip

draw = 'flat.folded'


def case(p):
	p.open()
	check_strip(p)
