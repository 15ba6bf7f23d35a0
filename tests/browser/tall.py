"""A picture taller than the window opens at its root, and the controls around the frames stay in
view; a key, a zoom, a match or a link scrolls its frame into view."""
draw = 'tall.folded'
CAPTIONS = ('#title', '#search', '#ignorecase', '#details', '#matched')


def check_around(p, when):
	"""Checks that everything around the frames is in the window, and in the same place as in a window that is as tall as the picture."""
	for caption in CAPTIONS:
		y = p.js('const el = document.querySelector(arguments[0]); return el.getScreenCTM().f + Number(el.getAttribute("y"))', caption)
		p.near('%s: %s' % (when, caption), y, 24 if caption in CAPTIONS[:3] else 883, by=2)


def check_seen(p, when, name, n=0):
	"""Returns the middle of a frame is on the screen, under nothing else."""
	frame = p.frame(name, n)
	hit = p.js('''const hit = document.elementFromPoint(arguments[0], arguments[1]);
		return hit && hit.parentNode.firstElementChild.textContent''', frame['x'] + frame['width'] / 2, frame['y'] + frame['height'] / 2)
	p.same('%s, at y %r' % (when, frame['y']), hit, frame['title'])


def case(p):
	p.size(1200, 900)
	p.open()
	check_seen(p, 'root at first', 'all (')
	check_around(p, 'at first')
	for y in 700, 0:
		p.js('scrollTo(0, arguments[0])', y)
		p.settle()
		check_around(p, 'scrolled to %d' % y)
	p.keys('Tab')
	check_seen(p, 'reached by Tab', 'all (')
	for i in range(60):
		p.keys('ArrowUp')
	check_seen(p, 'walked to', 'step_59 (')
	check_around(p, 'walked')
	p.keys('Enter')
	check_seen(p, 'zoomed to', 'step_59 (')
	p.same('focus', p.focused(), p.frame('step_59 (')['title'])
	p.keys('Escape')
	check_seen(p, 'reset', 'step_59 (')
	p.search('target')
	for i in range(3):
		p.keys('n')
		check_seen(p, 'match %d' % (i + 1), p.focused())
		check_around(p, 'match')
	p.keys('Escape')
	p.js('scrollTo(0, 400)')
	p.settle()
	p.click((700, 450))
	zoomed, link = p.frame('step_', p.js('return document.querySelectorAll("#frames > .parent").length') - 2), p.view()
	p.true('a link', link.startswith('#z='))
	p.open(link)
	check_seen(p, 'restored', zoomed['title'])
	check_around(p, 'restored')
	p.open(path='blank.txt')
	p.open('#flip=1')
	check_seen(p, 'flipped', 'all (')
	p.same('at the top', p.js('return scrollY'), 0)
	check_around(p, 'flipped')
	p.keys('i')
	check_seen(p, 'flipped back', 'all (')
	p.js('scrollTo(0, 400)')
	p.settle()
	middle = p.js('return document.elementFromPoint(500, 450).parentNode.firstElementChild.textContent')
	p.keys('i')
	p.near('what is seen is mirrored', p.frame(middle)['y'], 442, by=20)
