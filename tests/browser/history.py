"""A zoom is a step in the browser's history, a search is not; back, forward and Backspace go through the zooms."""
draw = 'plain.folded'


def case(p):
	def seen():
		return [frame for frame in p.frames() if frame[0] != 'hide']

	def at(what, query, frames):
		p.wait(lambda: p.query() == query)
		p.same(what, seen(), frames)
		p.same(what + ', reset', p.shown('#unzoom'), query != '')

	p.open()
	length = p.js('return history.length')
	plain = seen()
	p.click('main (')
	main = p.query(), seen()
	p.click('run (')
	run = p.query(), seen()
	p.same('two steps', p.js('return history.length'), length + 2)
	p.click('run (')
	p.same('the same again is none', p.js('return history.length'), length + 2)
	p.back()
	at('back', *main)
	p.back()
	at('back again', '', plain)
	p.forward()
	at('forward', *main)
	p.forward()
	at('forward again', *run)
	p.keys('Backspace')
	at('Backspace', *main)
	p.click('#unzoom')
	at('reset', '', plain)
	p.keys('Backspace')
	at('reset taken back', *main)
	length = p.js('return history.length')
	p.search('read')
	p.same('a search is no step', p.js('return history.length'), length)
	p.keys('Backspace')
	p.wait(lambda: p.query() == '?s=read')
	p.same('it stays', p.matched(), 'Matched: ' + p.covered('plain.folded', 'read'))
	p.same('and the picture is whole', p.shown('#unzoom'), False)
	p.open(run[0])
	p.same('from the address', seen(), run[1])
	p.keys('Backspace')
	at('out of it', '', plain)
	p.js('window.taken = null; window.addEventListener("keydown", function (evt) { taken = evt.defaultPrevented; })')
	p.keys('Backspace')
	p.same('nothing left to take back', p.js('return taken'), False)
