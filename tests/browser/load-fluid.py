"""Without --width the picture takes the window's width, at load and on every resize."""
draw = 'plain.folded'


def check(p, width):
	p.same('frames', float(p.js('return document.querySelector("#frames").getAttribute("width")')), width - 20)
	root = p.frame('all (')
	p.near('root begins', root['x'], 10)
	p.near('root ends', root['x'] + root['width'], width - 10)
	for id in '#search', '#matched':
		p.same(id, float(p.js('return document.querySelector(arguments[0]).getAttribute("x")', id)), width - 10)
	gap = p.js('''const box = function (id) { return document.querySelector(id).getBoundingClientRect(); };
		return box('#search').left - box('#ignorecase').right''')
	p.true('the case toggle stays left of Search', 0 < gap < 200)


def case(p):
	p.size(900)
	p.open()
	p.same('width', p.js('return document.documentElement.getAttribute("width")'), None)
	p.same('viewBox', p.js('return document.documentElement.getAttribute("viewBox")'), None)
	check(p, 900)
	p.size(640)
	check(p, 640)
	p.size(2400)
	check(p, 2400)
