"""For a bad pattern the matched text describes the fault; nothing else changes."""
draw = 'plain.folded --width 1000'


def case(p):
	p.open('?b=2')
	before = p.frames()
	p.search('(')
	p.true('said: %r' % p.text('#matched'), p.text('#matched').startswith('Bad pattern: '))
	p.same('picture', p.frames(), before)
	p.same('control', p.text('#search'), 'Search')
	p.same('address', (p.query(), p.view()), ('?b=2', ''))
	p.search('read')
	found = p.frames(), p.view()
	p.keys('/')
	p.answer('[z-a]')
	p.true('said: %r' % p.text('#matched'), p.text('#matched').startswith('Bad pattern: '))
	p.same('the search before still stands', (p.frames(), p.view()), found)
	p.same('control', p.text('#search'), 'Reset Search')
	p.click('#search')
	p.same('picture', p.frames(), before)
