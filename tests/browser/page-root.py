"""The root of a flame graph is visible when a page opens, and stays visible when rows above the picture appear and disappear."""
format = 'html'
draw = 'tall.folded'


def is_seen(p):
	"""Returns whether the middle of the root's box is at the top of the visible part."""
	return p.js('''const root = Array.from(document.querySelectorAll('#frames > g')).find(el => el.firstChild.textContent.startsWith('all ('));
		const box = root.querySelector('rect').getBoundingClientRect();
		return root.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2))''')


def case(p):
	p.open()
	p.settle()
	p.true('at first', is_seen(p))
	p.size(1200, 500)
	p.settle()
	p.true('after the window got lower', is_seen(p))
	p.press('form.filter input')
	p.keys('.', 'Enter')
	p.settle()
	p.true('with another row', is_seen(p))
