"""If very many callees are too narrow to be seen, one strip is drawn for all of them: above their
caller, in view, and not under other texts."""
from lib.strip import check_strip

draw = 'flat.folded'


def case(p):
	p.open()
	check_strip(p)
