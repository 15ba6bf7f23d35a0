"""A pattern for which the time doubles with every letter is stopped, both in the field and in the
address; the picture still responds, and the search before stays. If the page may not use workers,
such a pattern is refused at once."""
draw = 'slow.folded'
SLOW = '(a+)+$'


def case(p):
	p.open()
	p.search('read')
	p.same('quick', p.matched(), 'Matched: 75.0%')
	p.keys('/')
	p.answer(SLOW)
	p.keys('Tab')
	p.wait(lambda: p.text('#matched').startswith('Stopped: '))
	p.same('the search before stands', (p.view(), p.text('#search')), ('#s=read', 'Reset Search'))
	p.keys('/')
	p.answer('r.*d.*a')
	p.wait(lambda: p.matched() == 'Matched: 50.0%')
	p.wait(lambda: p.view() == '#s=r.*d.*a')
	p.keys('/', *SLOW)
	p.keys('Escape')
	p.same('ended by Esc', (p.matched(), p.asked()), ('Matched: 50.0%', False))
	p.keys('Escape')
	p.same('no search', p.text('#matched'), ' ')
	p.open(path='blank.txt')
	p.open('#s=(a%2B)%2B%24')
	p.click('main (')
	p.true('alive', p.shown('#unzoom'))
	p.wait(lambda: p.text('#matched').startswith('Stopped: '))
	p.same('no search', p.text('#search'), 'Search')
	svg = p.read('search-slow.svg')
	p.write('strict.html', '<!DOCTYPE html><title>strict</title><meta http-equiv="Content-Security-Policy" '
		'content="default-src \'none\'; script-src \'unsafe-inline\'; style-src \'unsafe-inline\'">' + svg[svg.index('<svg'):])
	p.open(path='strict.html')
	p.search(SLOW)
	p.wait(lambda: p.text('#matched').startswith('Stopped: '))
	p.search('r.*d.*a')
	p.wait(lambda: p.matched() == 'Matched: 50.0%')
	p.errors()  # of the policy
