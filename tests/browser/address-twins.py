"""Frames with the same path, which a flame chart may have, get different addresses."""
draw = 'twins.folded --flamechart'


def case(p):
	p.open()
	seen = {}
	for n in range(3):
		p.click('a (', n)
		seen[p.view()] = p.frame('a (')['start']
		p.keys('Escape')
	p.same('all different', (len(seen), len(set(seen.values()))), (3, 3))
	for view, start in seen.items():
		p.open('', path='blank.txt')
		p.open(view)
		p.same('found again', p.frame('a (')['start'], start)
