"""If very many callees are too narrow to be seen, one strip is drawn for all of them: above their
caller, in view, and not under other texts."""
from lib.strip import STRIP, check_strip

format = 'html'
draw = 'flat.folded'


def case(p):
	p.open()
	p.wait(lambda: p.js(STRIP) is not None)
	p.true('before a zoom: %r' % p.js(STRIP), p.js(STRIP)[2])
	check_strip(p)
