"""If nothing matches a search, a text says so, and the search can be reset."""
draw = 'plain.folded --width 1000'


def case(p):
	p.open()
	before = p.frames()
	p.search('nowhere')
	p.same('matched', p.text('#matched'), 'Matched: 0% (no match)')
	p.same('control', p.text('#search'), 'Reset Search')
	p.same('picture', p.frames(), before)
	p.click('#search')
	p.same('matched', p.text('#matched'), ' ')
	p.search('')
	p.same('no answer, no search', (p.text('#search'), p.text('#matched')), ('Search', ' '))
	p.search(None)
	p.same('turned away, no search', (p.text('#search'), p.text('#matched')), ('Search', ' '))
