"""The keys n and N move the focus to the next and the previous match, in a circle. Heavy matches come first, and matches within
another match come last. The matched text shows the number of the match."""
draw = 'plain.folded'


def case(p):
	p.open()
	share = 'Matched: ' + p.covered('plain.folded', 'read|eval')
	p.keys('n', 'N')
	p.same('nothing to step to', p.js('return document.querySelector("#frames :focus")'), None)
	p.search('read|eval')
	p.same('not yet', p.text('#matched'), share + ' (6 frames)')
	order = ['read (30', 'read (20', 'eval (17', 'eval (14', 'eval (17', 'read (6']
	levels = []
	for i, name in enumerate(order, 1):
		p.keys('n')
		title = p.focused()
		p.true('%d is %r' % (i, title), title.startswith(name))
		p.same('details', p.told(), 'Function: ' + title)
		p.same('matched', p.text('#matched'), share + ' (%d of 6 frames)' % i)
		levels.append(p.js('return Number(document.activeElement.getAttribute("aria-level"))'))
	p.true('the outer eval first: %r' % levels, levels[2] < levels[4])
	p.keys('n')
	p.true('around', p.focused().startswith(order[0]))
	p.keys('N')
	p.true('back around', p.focused().startswith(order[-1]))
	p.same('counted', p.text('#matched'), share + ' (6 of 6 frames)')
	stroke = 'return getComputedStyle(document.activeElement.querySelector("rect")).strokeWidth'
	p.same('outline', p.js(stroke), '3px')
	p.keys('N')
	p.true('before', p.focused().startswith(order[-2]))
	p.click('parse (')
	p.same('zoomed elsewhere', p.text('#matched'), 'Matched: 100% (2 frames)')
	p.keys('N')
	p.true('the last first', p.focused().startswith('read (20'))
	p.keys('Escape', 'Escape')
	p.search('^lex$')
	p.same('one', p.text('#matched'), 'Matched: ' + p.covered('plain.folded', '^lex$') + ' (1 frame)')
	p.keys('n', 'n')
	p.same('one of one', p.text('#matched'), 'Matched: ' + p.covered('plain.folded', '^lex$') + ' (1 of 1 frame)')
