"""The search is repeated after every zoom and unzoom; it counts only frames in the view."""
draw = 'plain.folded'


def case(p):
	p.open()
	p.search('read')
	whole = 'Matched: ' + p.covered('plain.folded', 'read')
	p.same('all', p.matched(), whole)
	p.click('lex (')
	p.same('lex', p.matched(), 'Matched: ' + p.covered('plain.folded', 'read', ('main', 'parse', 'lex')))
	p.click('parse (')
	p.same('parse', p.matched(), 'Matched: ' + p.covered('plain.folded', 'read', ('main', 'parse')))
	p.click('#unzoom')
	p.same('all again', p.matched(), whole)
	p.click('run (')
	p.same('run', p.matched(), 'Matched: ' + p.covered('plain.folded', 'read', ('main', 'run')))
	fill = p.frame('main (')['fill']
	p.click('#search')
	p.search('main')
	p.same('parents do not count', p.text('#matched'), 'Matched: 0% (no match)')
	p.same('parents are not marked', p.frame('main (')['fill'], fill)
	p.click('#unzoom')
	p.same('main', p.matched(), 'Matched: ' + p.covered('plain.folded', 'main'))
