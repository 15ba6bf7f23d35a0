"""The live region reports the target of the keyboard's moves, and messages. Pointing at frames says nothing."""
format = 'html'
draw = 'plain.folded'
SAID = 'p.unseen'


def case(p):
	p.open()
	p.same('one live region', p.js('return document.querySelectorAll("[role=status]:not([hidden]), [aria-live]").length'), 1)
	p.hover('parse')
	p.true('details', 'parse' in p.text('#details'))
	p.same('pointing', p.text(SAID), '')
	p.keys('Tab')
	p.js('document.querySelector("#frames [tabindex=\'0\']").focus()')
	p.keys('ArrowUp')
	p.same('moving', p.text(SAID), p.text('#details'))
	p.true('to a callee', 'main' in p.text(SAID))
	p.keys('/')
	p.answer('^read$')
	p.true('what matched', p.text(SAID).startswith('Matched: '))
	p.keys('n')
	p.true('matched', p.text(SAID)[:8] in ('Function', 'Matched:'))
