"""With counts above 2^53, zoom, search and address distinguish frames that differ by one."""
draw = 'large.folded --minwidth 0'


def case(p):
	p.open()
	small = [p.frame('left ('), p.frame('right (')]
	p.same('starts', int(small[1]['start']) - int(small[0]['start']), 1)
	p.open('?x=%s&y=%s' % (small[1]['start'], small[1]['top']))
	p.same('right is found', p.visible(), ['right', 'under'])
	p.near('right', p.frame('right (')['width'], 1180)
	p.near('under', p.frame('under (')['width'], 1180)
	p.keys('Escape')
	p.open('?x=a&y=%s' % small[1]['top'])
	p.same('no number', p.shown('#unzoom'), False)
	p.click('huge (')
	p.same('huge', p.visible(), ['huge', 'inner'])
	p.open(p.view())
	p.same('huge from the address', p.visible(), ['huge', 'inner'])
	p.keys('Escape')
	p.search('inner|left')
	p.same('share', p.matched(), 'Matched: ' + p.covered('large.folded', 'inner|left'))
