"""Of very many callees, each too narrow to be seen, a strip stands for all: above their caller, in view, not under the texts around."""
from lib.strip import STRIP, check_strip

format = 'html'
draw = 'flat.folded'


def case(p):
	p.open()
	p.wait(lambda: p.js(STRIP) is not None)
	p.true('before a zoom: %r' % p.js(STRIP), p.js(STRIP)[2])
	check_strip(p)
