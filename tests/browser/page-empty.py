"""If filters leave no stack, the page shows a message, without an error. One step back restores all stacks."""
format = 'html'
draw = 'plain.folded'


def case(p):
	p.open()
	before = p.frames()
	p.filter('only', 'nowhere')
	p.true('said', p.shown('.nothing') and 'No stacks are left' in p.text('.nothing'))
	p.same('no numbers that are none', [frame for frame in p.frames() if 'NaN' in str(frame)], [])
	p.same('errors', p.errors(), [])
	p.back()
	p.wait(lambda: p.view() == '')
	p.same('all again', (p.frames(), p.shown('.nothing')), (before, False))
	p.hover('parse')
	# All keys before the browser tells the page which element is under the mouse now.
	p.js('for (const key of "fus") { document.body.dispatchEvent(new KeyboardEvent("keydown", { key: key, bubbles: true, cancelable: true })); }')
	p.same('keys in a row are for one function', (p.view(), p.text('#sandwich h2')), ('#fn=parse&view=callers', 'parse'))
	# The next key comes before the browser has gone back.
	p.press('#tab-graph')
	p.hover('parse')
	p.js('const back = history.back.bind(history); history.back = () => setTimeout(back, 100);')
	p.keys('f', 'Backspace', 'h')
	p.wait(lambda: p.view() == '#f=hide%3A%5Eparse%24&fn=parse')
