"""The height of the graph's rows follows the browser's font size. On a phone, rows are high enough for a finger, and the table covers the
graph; a button, Esc, Back, or the choice of a row closes the table. A scroll bar leaves the graph as wide as before."""
format = 'html'
draw = 'threads.folded'
SIZES = '''const frames = Array.from(document.querySelectorAll('#frames > g'), el => el.querySelector('rect').getBoundingClientRect());
	const tops = [...new Set(frames.map(box => Math.round(box.top)))].sort((a, b) => b - a);
	return [frames[0].height, tops[0] - tops[1], parseFloat(getComputedStyle(document.querySelector('#frames text')).fontSize),
		document.querySelector('#graph').getBoundingClientRect().bottom - Math.max(...frames.map(box => box.bottom))]'''
ROOM = '''return Array.from(document.querySelectorAll('#frames > g'), el => [el.querySelector('rect'), el.querySelector('text')])
	.filter(([rect, text]) => text && text.textContent).every(([rect, text]) => {
		const box = rect.getBoundingClientRect(), label = text.getBoundingClientRect();
		return label.width <= box.width + 1 && label.height <= box.height + 4 && Math.abs(label.y + label.height / 2 - box.y - box.height / 2) < 4;
	})'''


GRAPH = 'const { clientWidth, clientHeight, scrollHeight } = document.querySelector("#graph"); return [clientWidth, scrollHeight > clientHeight]'


def case(p):
	p.size(1400, 900)
	p.open()
	usual = p.js(SIZES)
	p.same('as in the file', usual[:2], [17, 18])
	p.js('document.documentElement.style.fontSize = "200%"')
	p.wait(lambda: p.js(SIZES)[:3] == [35, 36, 2 * usual[2]])
	p.true('labels fit', p.js(ROOM))
	p.true('the root is in view: %r' % p.js(SIZES)[3], 0 <= p.js(SIZES)[3] <= 16)
	width, scrolls = p.js(GRAPH)
	p.same('all rows fit', scrolls, False)
	p.size(1400, 210)
	p.wait(lambda: p.js(GRAPH)[1])
	p.same('the scroll bar takes no width', p.js(GRAPH)[0], width)
	p.size(1400, 900)
	p.click('main (')
	p.wait(lambda: 'z=' in p.view())
	p.same('also after a zoom', p.js(SIZES)[:2], [35, 36])
	p.keys('i')
	p.true('and when it is flipped', p.js(ROOM))
	p.keys('i')
	p.js('document.documentElement.style.fontSize = ""')
	p.wait(lambda: p.js(SIZES)[:3] == usual[:3])
	p.true('back again', p.js(ROOM))
	p.keys('0')
	p.wait(lambda: 'z=' not in p.view())
	p.same('all frames', p.js(SIZES)[:3], usual[:3])
	p.cdp('Emulation.setDeviceMetricsOverride', width=420, height=800, deviceScaleFactor=1, mobile=True)
	p.cdp('Emulation.setTouchEmulationEnabled', enabled=True)
	try:
		p.open(path='blank.txt')
		p.open()
		p.same('rows for fingers', p.js(SIZES)[:2], [25, 26])
		p.true('with labels in their middle', p.js(ROOM))
		for close in ('button', 'Escape', 'back', 'row'):
			p.press('.menus > .tool')
			p.wait(lambda: p.shown('aside'))
			sheet = p.js('const b = document.querySelector("aside").getBoundingClientRect(); return [b.left, b.width, b.bottom, b.top - document.querySelector("header").offsetHeight]')
			p.same('over the graph, below the bar', sheet, [0, 420, 800, 0])
			if close == 'button':
				p.press('aside > .close')
			elif close == 'back':
				p.back()
			elif close == 'row':
				p.press('.rows > .row')
			else:
				p.keys(close)
			p.wait(lambda: not p.shown('aside'))
		p.true('the function of the row', 'fn=' in p.view())
	finally:
		p.cdp('Emulation.clearDeviceMetricsOverride')
		p.cdp('Emulation.setTouchEmulationEnabled', enabled=False)
		p.size(1200)
