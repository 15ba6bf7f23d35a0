"""The field shows the share while the user types. Enter keeps the search, and Esc restores the previous search. A bad pattern is reported
beside the field."""
draw = 'plain.folded'
SAID = 'return document.querySelector("#field output").textContent'


def case(p):
	def covered(pattern):
		return 'Matched: ' + p.covered('plain.folded', pattern)

	p.open()
	p.keys('Tab', 'ArrowUp', '/')
	p.same('spoken', p.spoken('#field input'), ('textbox', 'Search for functions by regular expression'))
	p.true('it has the focus', p.js('return document.activeElement.localName') == 'input')
	p.keys('r')
	p.wait(lambda: p.matched() == covered('r'))
	p.keys('e', 'a')
	p.wait(lambda: p.matched() == covered('rea'))
	p.same('beside the field', p.js(SAID), p.text('#matched'))
	p.same('not in the address yet', p.view(), '')
	p.keys('Control-i')
	p.same('case', (p.has_class('#ignorecase', 'show'), p.asked()), (True, True))
	p.keys('Control-i', 'd', '(')
	p.wait(lambda: p.text('#matched').startswith('Bad pattern: '))
	p.keys('Enter')
	p.true('a bad one is not taken', p.asked())
	p.keys('Backspace', 'Enter')
	p.same('taken', (p.asked(), p.matched(), p.view()), (False, covered('read'), '#s=read'))
	p.true('focus is back', p.focused().startswith('main ('))
	p.keys('/')
	p.same('begins with the last', p.js('return document.querySelector("#field input").value'), 'read')
	p.keys('l', 'e', 'x')
	p.wait(lambda: p.matched() == covered('lex'))
	p.keys('Escape')
	p.same('as before', (p.asked(), p.matched(), p.view()), (False, covered('read'), '#s=read'))
	p.same('Esc did no more', p.text('#search'), 'Reset Search')
	p.keys('/', 'x', 'i', '0', 'n')
	p.same('keys are text', p.js('return document.querySelector("#field input").value'), 'xi0n')
	p.click('lex (')
	p.same('a click elsewhere takes it', (p.asked(), p.text('#matched')), (False, 'Matched: 0% (no match)'))
	p.near('and zooms', p.frame('lex (')['width'], 1180)
	for width in 1200, 700, 500, 1200:
		p.size(width)
		p.keys('/')
		box = p.js('const b = document.querySelector("#field input").getBoundingClientRect(); return [b.left, b.right, b.width, b.top]')
		p.true('in the window: %r' % box, box[0] >= 0 and box[1] <= width and box[2] > 60 and box[3] >= 0)
		p.keys('Escape')
