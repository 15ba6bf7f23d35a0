"""A search looks only at names, not at the counts, units and percentages in titles; anchors work."""
draw = 'plain.folded --countname "alloc(s) of eval"'


def case(p):
	p.open()
	for pattern, share in (
		('^main$', p.covered('plain.folded', '^main$')), ('alloc\\(s\\)', '0% (no match)'), ('%', '0% (no match)'),
		('of eval', '0% (no match)'), ('[0-9]', '0% (no match)'), ('eval$', p.covered('plain.folded', 'eval$'))):
		p.search(pattern)
		p.same('matched ' + pattern, p.matched(), 'Matched: ' + share)
		p.click('#search')
	p.same('label', p.frame('mainly')['label'], 'mainly')
