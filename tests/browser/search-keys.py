"""Ctrl-F and F3 open the search or reset it. The key / repeats the last search. The browser gets a second Ctrl-F."""
draw = 'plain.folded'


def case(p):
	p.open()
	p.js('window.passed = []; window.addEventListener("keydown", function (evt) {'
		'if (/^(f|F3|\\/)$/.test(evt.key) && evt.target.localName !== "input") { passed.push(!evt.defaultPrevented); } });')
	read = 'Matched: ' + p.covered('plain.folded', 'read')
	for key in 'Control-f', 'F3':
		p.keys(key)
		p.true(key + ' asks', p.asked())
		p.answer('read')
		p.same(key + ' is answered', p.asked(), False)
		p.same(key + ' finds', p.matched(), read)
		p.keys(key)
		p.same(key + ' resets', p.text('#search'), 'Search')
	p.keys('/')
	p.answer('lex')
	p.same('/ finds', p.matched(), 'Matched: ' + p.covered('plain.folded', 'lex'))
	p.keys('/')
	p.answer('read')
	p.same('/ finds again', p.matched(), read)
	p.keys('F3')
	p.same('nothing passed', p.js('return passed'), [False] * 7)
	p.keys('Control-f')
	p.true('it asks', p.asked())
	p.js('window.addEventListener("keydown", function (evt) { window.second = evt.defaultPrevented; });')
	p.keys('Control-f')
	p.same('the second Ctrl-F does not ask', p.asked(), False)
	p.same('it passed', p.js('return second'), False)
	p.keys('Control-f')
	p.true('the third asks again', p.asked())
	p.answer(None)
	p.same('turned away', p.asked(), False)
