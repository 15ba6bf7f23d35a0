"""A click on a parent zooms to it; a click on the root unzooms: no Reset Zoom, nothing in the address."""
draw = 'plain.folded'


def case(p):
	p.open()
	before = p.frames()
	p.click('std::vector')
	p.click('run (')
	run = p.frame('run (')
	p.near('fills', run['width'], 1180)
	p.same('parent', run['parent'], False)
	p.same('sibling is back', p.frame('apply (')['hide'], False)
	p.same('its aunt is not', p.frame('parse (')['hide'], True)
	p.same('address', p.query(), '?x=%s&y=%s' % (run['start'], run['top']))
	p.click('all (')
	p.same('picture', p.frames(), before)
	p.same('reset hidden', p.shown('#unzoom'), False)
	p.same('address', p.query(), '')
	p.click('all (')
	p.same('reset still hidden', p.shown('#unzoom'), False)
	p.same('address still empty', p.query(), '')
