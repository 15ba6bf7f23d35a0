"""A click on a caller of the zoomed frame zooms to this caller. A click on the root ends the zoom: Reset Zoom disappears, and the address
has no zoom."""
import re

draw = 'plain.folded'


def case(p):
	p.open()
	before = p.frames()
	p.click('std::vector')
	p.click('run (')
	run = p.frame('run (')
	p.near('fills', run['width'], 1180)
	p.same('parent', run['parent'], False)
	p.same('sibling is back', p.gone('apply ('), False)
	p.same('its aunt is not', p.gone('parse ('), True)
	p.true('address', re.match('#z=[0-9a-z]+$', p.view()))
	p.click('all (')
	p.same('picture', p.frames(), before)
	p.same('reset hidden', p.shown('#unzoom'), False)
	p.same('address', p.view(), '')
	p.click('all (')
	p.same('reset still hidden', p.shown('#unzoom'), False)
	p.same('address still empty', p.view(), '')
