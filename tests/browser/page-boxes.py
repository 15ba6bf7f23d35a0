"""In a wider window, frames that were only boxes get labels."""
format = 'html'
draw = 'plain.folded'


def case(p):
	p.size(720)
	p.open('#f=hide:%5Elex%24')
	labels = [frame[4] for frame in p.frames()]
	p.true('boxes', p.js('return document.querySelector("#frames > rect") !== null'))
	p.size(2400)
	p.settle()
	wider = [frame[4] for frame in p.frames()]
	p.true('more labels', sum(map(bool, wider)) > sum(map(bool, labels)))
	p.same('labels of all wide frames', [frame[4] for frame in p.frames() if float(frame[2][:-1]) > 8 and not frame[4]], [])
