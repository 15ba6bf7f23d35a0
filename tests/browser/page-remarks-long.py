"""Long remarks on the data have two lines, and a button shows all of them."""
command = 'diff'
format = 'html'
draw = '../golden/diff/before.data ../golden/diff/after.data'
CUT = 'const el = document.querySelector("#remarks > span"); return el.scrollHeight - el.clientHeight'


def case(p):
	p.size(1400)
	p.open()
	p.same('all is seen', (p.js(CUT), p.shown('#remarks > button')), (0, False))
	p.size(500)
	p.wait(lambda: p.shown('#remarks > button'))
	p.true('two lines of more', p.js(CUT) > 0)
	p.same('button', p.spoken('#remarks > button'), ('button', 'More on the quality of the data'))
	p.press('#remarks > button')
	p.same('all', (p.js(CUT), p.text('#remarks > button')), (0, 'Less'))
	p.press('#remarks > button')
	p.true('two lines again', p.js(CUT) > 0)
