"""The page works with a keyboard alone, with text twice as large, in forced colours, and on a phone. Every control has a name, and
every stop of the Tab key is marked."""
format = 'html'
draw = "--note '^read=slow' threads.folded"
FOCUS = '''const el = document.activeElement, style = getComputedStyle(el);
	return el === document.body ? ['', true] : [el.closest('#graph') ? 'graph' : (el.getAttribute('aria-label') || el.textContent).trim(),
		el.closest('#graph') !== null || style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2]'''
WANTED = ['Notes', 'Heaviest first', 'Colours', 'Export', 'Group: the first frame of stacks', 'What to do with functions',
	'Functions, as a regular expression', 'Add filter', 'Fold recursion', 'graph']
LAYOUT = '''const box = selector => document.querySelector(selector).getBoundingClientRect();
	return { wide: document.documentElement.scrollWidth, header: box('header').height, graph: box('#graph').height,
		tabs: box('[role=tablist]').top, low: Math.min(...Array.from(document.querySelectorAll('header button, header select, header input'),
			el => el.getBoundingClientRect().height || 99)) }'''


def case(p):
	p.open()
	p.wait(lambda: p.texts('select[aria-label^=Group]'))
	p.js('document.body.focus()')
	stops = []
	for _ in range(30):
		p.keys('Tab')
		name, marked = p.js(FOCUS)
		p.true('the focus on %r can be seen' % name, marked)
		stops.append(name)
	p.same('all can be reached', [name for name in WANTED if name not in stops], [])
	p.same('heading', p.spoken('#title'), ('heading', 'Flame Graph'))
	size = p.js('return parseFloat(getComputedStyle(document.querySelector("header button")).fontSize)')
	p.js('document.documentElement.style.fontSize = "200%"')
	p.same('text of twice the size', p.js('return parseFloat(getComputedStyle(document.querySelector("header button")).fontSize)'), 2 * size)
	p.same('nothing beside the window', p.js(LAYOUT)['wide'], p.js('return innerWidth'))
	p.js('document.documentElement.style.fontSize = ""')
	p.cdp('Emulation.setEmulatedMedia', features=[{'name': 'forced-colors', 'value': 'active'}])
	p.press('#tab-notes')
	tab, button = [p.js('return getComputedStyle(document.querySelector(arguments[0])).backgroundColor', which)
		for which in ('#tab-notes', '[aria-pressed=false]')]
	p.true('which tab is open, in forced colours', tab != button)
	p.press('#tab-notes')
	p.cdp('Emulation.setDeviceMetricsOverride', width=420, height=800, deviceScaleFactor=1, mobile=True)
	p.cdp('Emulation.setTouchEmulationEnabled', enabled=True)
	try:
		p.open(path='blank.txt')
		p.open('#f=without%3Awrite&colour=kind')
		phone = p.js(LAYOUT)
		p.same('no wider than the phone', phone['wide'], 420)
		p.true('compact header', phone['header'] < 220)
		p.true('room for the graph', phone['graph'] > 500)
		p.true('tabs below', phone['tabs'] >= 750)
		p.true('targets for fingers', phone['low'] >= 28)
	finally:
		p.cdp('Emulation.clearDeviceMetricsOverride')
		p.cdp('Emulation.setTouchEmulationEnabled', enabled=False)
