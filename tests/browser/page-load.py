"""When the page reads its data, nothing visible changes, and the elements under the pointer stay.
Narrow frames are added when the page is idle, and a page opened by a link draws as many frames as a
page after use."""
format = 'html'
draw = 'large.folded'
HOLD = 'window.requestIdleCallback = act => { window.becomeIdle = act }'
COUNT = 'return document.querySelectorAll("#frames > :not(path)").length'


def case(p):
	held = p.cdp('Page.addScriptToEvaluateOnNewDocument', source=HOLD)['identifier']
	try:
		p.open()
		p.wait(lambda: p.js('return window.becomeIdle !== undefined'))
		p.js('window.were = Array.from(document.querySelectorAll("#frames > *"))')
		p.keys('e', 'Escape')
		p.press('#threads') if p.js('return !document.querySelector("#tracks").hidden') else None
		p.press('#tab-tree')
		p.press('#tab-graph')
		p.true('the model is there', p.texts('aside .rows .name'))
		p.same('the same elements', p.js('return were.every(el => el.isConnected)'), True)
		p.js('becomeIdle()')
		p.settle()
		used = p.js(COUNT)
	finally:
		p.cdp('Page.removeScriptToEvaluateOnNewDocument', identifier=held)
	p.open(path='blank.txt')
	p.open('#fn=main')
	p.wait(lambda: p.js(COUNT) == used)
	p.same('errors', p.errors(), [])
