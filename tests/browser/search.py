"""A search marks the matches and shows the share that they cover, counting overlaps once. The control then resets it."""
draw = 'plain.folded --search-color #00aa11'
HIT = 'rgb(0,170,17)'


def case(p):
	p.open()
	before = p.frames()
	for pattern in 'eval|apply', 'read', '^main', 'std::vector<', 'parse|lex', r'\(unsigned long\)$', '.':
		p.search(pattern)
		p.same('share of ' + pattern, p.matched(), 'Matched: ' + p.covered('plain.folded', pattern))
		p.same('control', p.text('#search'), 'Reset Search')
		p.true('control is shown', p.has_class('#search', 'show'))
		p.same('root is no function', p.frame('all (')['fill'] == HIT, False)
		p.click('#search')
		p.same('picture after reset', p.frames(), before)
		p.same('control', p.text('#search'), 'Search')
		p.same('control is faint', p.has_class('#search', 'show'), False)
		p.same('matched', p.text('#matched'), ' ')
	p.search('read')
	for name, n, hit in ('read (', 0, True), ('read (', 1, True), ('read (', 2, True), ('Read (', 0, False), ('lex (', 0, False):
		p.same('%s %d is a hit' % (name, n), p.frame(name, n)['fill'] == HIT, hit)
