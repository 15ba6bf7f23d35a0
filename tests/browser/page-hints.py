"""The bar of details says for each view what can be done in it. The callers and the callees of a function have labels. A function that did
not run in a span is named in words. The buttons for the selected function stay while the mouse is on another frame."""
from lib.times import samples

format = 'html'
draw = 'times.perf'


def case(p):
	p.open()
	p.wait(lambda: 'row of time' in p.text('footer > em'))
	p.same('graph', p.text('footer > em'), 'Click a frame to zoom, right click for more; drag on the row of time to see a span; ? lists all keys')
	p.press('#tab-heat')
	p.same('heat map', p.text('footer > em'), 'Click a cell for its stacks, drag for a span, Ctrl-drag for a second span; ? lists all keys')
	p.press('#tab-tree')
	p.true('tree', p.text('footer > em').startswith('Click a triangle to open a row'))
	p.press('#tab-callers')
	p.true('callers', p.text('footer > em').startswith('Callers are above'))
	p.true('shown', p.shown('footer > em'))
	p.same('labels', p.texts('#sandwich .half'), ['callers', 'no callees'])
	tops = p.js('return Array.from(document.querySelectorAll("#sandwich .half, #sandwich .centre > rect"), el => el.getBoundingClientRect()).map(b => b.top)')
	p.true('above and below: %r' % tops, tops[1] < tops[0] < tops[2])
	p.keys('/')
	p.same('search, with the focus on a tab', p.asked(), True)
	p.answer(None)
	p.press('#tab-heat')
	p.keys('/')
	p.same('also of the heat map', p.asked(), True)
	p.answer(None)
	start, width = (int(text) for text in p.js('const d = document.querySelector("#times").dataset; return [d.start, d.width]'))
	first = min((seconds * 1e9 - start) // width for _, seconds, _, _ in samples('times.perf'))
	early = {name for _, seconds, _, frames in samples('times.perf') for name in frames if (seconds * 1e9 - start) // width == first}
	late = next(name for *_, frames in samples('times.perf') for name in frames[1:] if name not in early)
	p.open('#f=time:%d-%d&fn=%s&view=callers' % (first, first + 1, late))
	p.same('did not run', (p.text('#sandwich > .nothing p'), p.texts('#sandwich > .nothing button')), (late + ' does not occur in this span of time', ['Show the whole time']))
	p.press('#sandwich > .nothing button')
	p.true('all times', not p.shown('#sandwich > .nothing') and 'time' not in p.view())
	p.open(path='blank.txt')
	p.open()
	p.click('all (')
	p.press('aside .rows > .row .name', 1)
	name = p.text('footer strong')
	other = next(each for *_, frames in samples('times.perf') for each in frames[1:] if each != name)
	p.hover(other + ' (')
	p.same('the frame under the mouse', p.text('footer strong'), other)
	p.same('the buttons stay', p.js('return getComputedStyle(document.querySelector("footer .actions")).visibility'), 'visible')
