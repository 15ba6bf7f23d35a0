"""The button ic and Ctrl-I make a search ignore case. The button shows this, the address keeps it, and the search runs again."""
import re

draw = 'plain.folded'


def case(p):
	p.open()
	exact = 'Matched: ' + p.covered('plain.folded', '^read')
	either = 'Matched: ' + p.covered('plain.folded', '^read', flags=re.I)
	p.true('the input can tell', exact != either)
	p.same('not shown', p.has_class('#ignorecase', 'show'), False)
	p.search('^read')
	p.same('exact', p.matched(), exact)
	p.click('#ignorecase')
	p.same('either', p.matched(), either)
	p.same('shown', p.has_class('#ignorecase', 'show'), True)
	p.same('pressed', p.js('return document.querySelector("#ignorecase").getAttribute("aria-pressed")'), 'true')
	p.same('address', p.view(), '#s=%5Eread&ic=1')
	p.keys('Control-i')
	p.same('exact again', p.matched(), exact)
	p.same('not shown', p.has_class('#ignorecase', 'show'), False)
	p.same('address', p.view(), '#s=%5Eread')
	p.open('#s=%5Eread&ic=1')
	p.same('restored', (p.matched(), p.has_class('#ignorecase', 'show')), (either, True))
	p.click('#search')
	p.same('kept without a search', p.view(), '#ic=1')
