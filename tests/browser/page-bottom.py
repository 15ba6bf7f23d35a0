"""The root stays visible, in its place above the lower edge, when the size of the window changes, and when rows of filters, a note or a
panel appear and disappear. If the picture was scrolled up, the visible part stays the same."""
format = 'html'
draw = 'tall.folded'
FROM_BELOW = '''const port = document.querySelector('#graph');
	return port.scrollHeight - port.clientHeight - port.scrollTop'''


def below(p):
	"""Returns the px of the picture below the visible part."""
	p.settle()
	return p.js(FROM_BELOW)


def check_root(p, when):
	root, port = p.frame('all ('), p.js('const b = document.querySelector("#graph").getBoundingClientRect(); return [b.top, b.bottom]')
	p.near(when + ': px below what is seen', below(p), 0, by=1)
	p.true('%s: the root is seen, at %r in %r' % (when, root['y'], port), port[0] < root['y'] < port[1] - root['height'])


def case(p):
	p.size(1400, 800)
	p.open()
	check_root(p, 'at first')
	for height in 1000, 1100, 600, 900, 500, 1000:
		p.size(1400, height)
		p.wait(lambda: p.js('return innerHeight') == height)
		check_root(p, 'height %d' % height)
	p.filter('without', 'target')
	p.true('a filter', p.texts('#chain .chip'))
	check_root(p, 'with a filter')
	p.press('#chain .chip button')
	p.true('no filter', not p.texts('#chain .chip'))
	check_root(p, 'without it')
	p.hover('step_3 (')
	p.keys('m')
	check_root(p, 'while a note is written')
	p.keys(*'slow', 'Enter')
	check_root(p, 'with a note')
	p.press('#tab-tree')
	p.press('#tab-graph')
	check_root(p, 'another view')
	p.js('document.querySelector("#graph").scrollTop -= 130')
	was = below(p)
	p.near('scrolled up', was, 130, by=1)
	for height in 700, 1000, 800:
		p.size(1400, height)
		p.wait(lambda: p.js('return innerHeight') == height)
		p.near('scrolled up, height %d' % height, below(p), was, by=1)
	p.size(1200)
