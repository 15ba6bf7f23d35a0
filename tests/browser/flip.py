"""The key i flips the picture between flame and icicle graph. Labels and arrow keys follow, the address keeps the flip, and the zoom
stays."""
draw = 'plain.folded'

ROWS = """return Array.from(document.querySelector('#frames').children).map(function (el) {
	return [Number(el.querySelector('rect').getAttribute('y')), Number(el.querySelector('text').getAttribute('y'))];
})"""


def case(p):
	p.open()
	rows = p.js(ROWS)
	ys = [y for y, _ in rows]
	frames = p.frames()
	p.keys('i')
	p.same('rows', p.js(ROWS), [[min(ys) + max(ys) - y, min(ys) + max(ys) - 2 * y + label] for y, label in rows])
	p.same('nothing else', p.frames(), frames)
	p.same('address', p.view(), '#flip=1')
	p.true('the root is at the top', p.frame('all (')['y'] < p.frame('main (')['y'] < p.frame('run (')['y'])
	p.keys('Tab', 'ArrowDown', 'ArrowDown')
	p.true('down is to the leaves', p.focused().startswith('parse ('))
	p.keys('ArrowUp')
	p.true('up is to the root', p.focused().startswith('main ('))
	p.click('run (')
	run = p.frame('run (')
	p.same('parents', [p.frame(n)['parent'] for n in ('all (', 'main (', 'apply (')], [True, True, False])
	zoomed = p.view()
	view = p.frames(), p.js(ROWS)
	p.keys('i')
	p.same('zoomed and not flipped', p.view(), zoomed.replace('flip=1&', ''))
	p.same('rows of the file', p.js(ROWS), [[min(ys) + max(ys) - y, min(ys) + max(ys) - 2 * y + label] for y, label in view[1]])
	p.same('picture', p.frames(), view[0])
	p.open(zoomed)
	p.same('restored', (p.js(ROWS), p.view()), (view[1], zoomed))
	p.near('fills', p.frame('run (')['width'], 1180)
	p.keys('0')
	p.same('0 unflips', (p.js(ROWS), p.query()), (rows, ''))
