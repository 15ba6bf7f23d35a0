"""In a wider window, frames that were only boxes get labels."""
format = 'html'
draw = 'plain.folded'


def case(p):
	p.size(560)
	p.open('#f=hide:%5Elex%24')
	labels = lambda: sum(bool(frame[4]) for frame in p.frames())
	narrow = labels()
	p.true('boxes', p.js('return document.querySelector("#frames > rect") !== null'))
	p.size(2400)
	p.wait(lambda: labels() > narrow)
	p.settle()
	p.same('labels of all wide frames', [frame[4] for frame in p.frames() if float(frame[2][:-1]) > 8 and not frame[4]], [])
