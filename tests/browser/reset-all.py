"""The key 0 resets zoom, search and case. Words of the address that do not belong to the viewer stay."""
draw = 'plain.folded'


def case(p):
	p.open('?a=1')
	before = p.frames()
	p.click('run (')
	p.search('eval')
	p.click('#ignorecase')
	p.keys('0')
	p.same('picture', p.frames(), before)
	p.same('controls', (p.text('#search'), p.text('#matched'), p.shown('#unzoom')), ('Search', ' ', False))
	p.same('case', p.has_class('#ignorecase', 'show'), False)
	p.same('address', (p.query(), p.view()), ('?a=1', ''))
