"""The wheel with Ctrl, and + and -, zoom into the graph where the mouse is; a drag and the wheel with Shift move it. A drag does not act as
a click. The address keeps the shown part, and Back undoes a move."""
import re

format = 'html'
draw = 'plain.folded'
CONTROL, SHIFT = '\ue009', '\ue008'


def wheel(p, x, y, by, key=None):
	pause = {'type': 'pause'}
	p.act({'type': 'wheel', 'id': 'wheel', 'actions': [pause, {'type': 'scroll', 'x': round(x), 'y': round(y), 'deltaX': 0, 'deltaY': by}, pause]},
		{'type': 'key', 'id': 'keyboard', 'actions': [{'type': 'keyDown', 'value': key}, pause, {'type': 'keyUp', 'value': key}] if key else [pause]})


def pull(p, x, y, to):
	p.act({'type': 'pointer', 'id': 'mouse', 'actions': [p.moved(x, y), {'type': 'pointerDown', 'button': 0}, p.moved((x + to) / 2, y),
		p.moved(to, y), {'type': 'pointerUp', 'button': 0}]})


def rest(p):
	"""Returns the range in the address, after the graph has stopped moving."""
	p.wait(lambda: 'p=' in p.view())
	before = None
	while before != p.view():
		before = p.view()
		p.js('return new Promise(done => setTimeout(done, 400))')
	return tuple(float(text) for text in re.search(r'p=([\d.e-]+?)-([\d.]+(?:e-\d+)?)(?:&|$)', p.view()).groups())


def placed(p):
	return [(name, round(float(x[:-1]), 2), round(float(wide[:-1]), 2)) for _, x, wide, _, name in p.frames()]


def case(p):
	p.size(1400, 900)
	p.open()
	at_first, whole = p.frame('main ('), p.js('return Number(document.querySelector("#frames").getAttribute("width"))')
	at = at_first['x'] + at_first['width'] / 2, at_first['y'] + 8
	wheel(p, *at, -300, CONTROL)
	start, part = rest(p)
	closer = p.frame('run (')
	p.true('part of all: %r' % part, 0.2 < part < 0.4)
	edges = [min(max((count / 122 - start) / part, 0), 1) for count in (int(closer['start']), int(closer['start']) + int(closer['samples']))]
	p.near('as wide as its part that is shown', closer['width'], (edges[1] - edges[0]) * whole, 3)
	middle = at_first['x'] - 16 + at_first['width'] / 2
	p.near('around the mouse', (middle / whole - start) / part, middle / whole, 0.01)
	p.true('nothing beyond the picture', p.js('''const edge = document.querySelector('#graph').getBoundingClientRect();
		return Array.from(document.querySelectorAll('#frames rect'), el => el.getBoundingClientRect()).every(b => b.left >= edge.left && b.right <= edge.right + 1)'''))
	pull(p, at[0], at[1], at[0] - 200)
	moved = rest(p)
	p.near('a drag moves it', moved[0] - start, 200 / whole * part, 0.003)
	p.true('and is no click', 'z=' not in p.view())
	wheel(p, *at, 100, SHIFT)
	p.near('so does the wheel with Shift', rest(p)[0] - moved[0], 100 / whole * part, 0.003)
	view, frames = p.view(), placed(p)
	p.open(path='blank.txt')
	p.open(view)
	p.same('a link shows the same', placed(p), frames)
	p.size(1100)
	p.size(1400)
	p.same('also after a resize', placed(p), frames)
	p.back()
	p.open()
	p.js('document.querySelector("#graph").focus()')
	p.keys('+', '+')
	p.near('keys', rest(p)[1], 1 / 1.6 ** 2, 0.001)
	p.keys('-', '-')
	p.wait(lambda: 'p=' not in p.view())
	wheel(p, *at, -300, CONTROL)
	rest(p)
	p.back()
	p.wait(lambda: 'p=' not in p.view())
	p.near('Back', p.frame('main (')['width'], at_first['width'])
	wheel(p, *at, -300, CONTROL)
	rest(p)
	p.click('run (')
	p.wait(lambda: 'z=' in p.view())
	p.same('a click zooms to the frame', ('p=' in p.view(), round(p.frame('run (')['width'] / whole, 2)), (False, 1.0))
	p.keys('Escape')
	p.wait(lambda: 'z=' not in p.view())
