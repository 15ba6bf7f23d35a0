"""A page has the picture, and works as the picture does: zoom, search, keys, address. The trail leads back to each caller.
Ctrl-F is the search. The page can load nothing."""
format = 'html'
draw = 'plain.folded'
FETCH = 'return fetch("blank.txt").then(() => "loaded", () => "blocked")'


def case(p):
	p.open()
	p.same('modern style', p.has_class('#graph > svg', 'modern'), True)
	p.same('trail of the root is absent', p.shown('#trail'), False)
	top = p.frame('main')['y']
	p.click('parse')
	p.true('zoomed', p.view().startswith('#z='))
	p.same('not moved', p.frame('main')['y'], top)
	p.same('trail', p.texts('nav li'), ['all', 'main', 'parse'])
	p.press('nav button')
	p.same('back at the root', p.view(), '')
	p.keys('Control-f')
	p.same('Ctrl-F', p.asked(), True)
	p.answer(None)
	p.click('main')
	p.keys('/')
	p.same('a letter with focus', p.asked(), True)
	p.answer('^read$')
	p.same('matched', p.matched(), 'Matched: ' + p.covered('plain.folded', '^read$', ('main',)))
	p.js('document.querySelector("#frames [tabindex=\'0\']").focus()')
	p.keys('ArrowUp')
	p.true('up is away from the root', p.focused().startswith('parse'))
	p.same('loading', p.js(FETCH), 'blocked')
	p.errors()  # the browser logs what it has blocked
