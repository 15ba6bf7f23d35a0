"""The parts of an address apply in the order filters, zoom, search, in whatever order they are
written, so a link restores a zoom into a frame that exists only after a filter. Back undoes every
step: a filter, an order, colours, a panel, a search, a zoom."""
import re

format = 'html'
draw = 'plain.folded'


def now(p):
	matched = re.sub(r'\d+ of ', '', p.text('#matched'))  # which match was visited last is not in the address
	return p.view(), sorted(frame[4] for frame in p.frames()), p.texts('nav li'), p.texts('#chain .chip'), matched


def case(p):
	p.open()
	states = [now(p)]

	def step(what):
		p.settle()
		p.true(what + ' changes the address', p.view() != states[-1][0])
		states.append(now(p))

	p.hover('main')
	p.keys('h')
	step('a filter')
	p.click('parse')
	step('a zoom into a frame that only the filter makes')
	p.keys('/')
	p.answer('^read$')
	step('a search')
	p.keys('o')
	step('an order')
	p.keys('k')
	step('colours')
	p.press('#tab-tree')
	step('a view')
	for at in range(len(states) - 2, -1, -1):
		p.back()
		p.wait(lambda: p.view() == states[at][0])
		p.settle()
		p.same('back to step %d' % at, now(p), states[at])
	for at in range(1, len(states)):
		p.forward()
		p.wait(lambda: p.view() == states[at][0])
		p.settle()
		p.same('forward to step %d' % at, now(p), states[at])
	words = states[3][0][1:].split('&')
	p.true('words', len(words) == 3)
	for link in '&'.join(words), '&'.join(reversed(words)):
		p.open(path='blank.txt')
		p.open('#' + link)
		p.same('from the link', now(p)[1:], states[3][1:])
