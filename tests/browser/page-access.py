"""All parts of a page can be reached and seen. Tab reaches the graph within five stops, and arrow keys reach the parts of a group. Every
stop is marked. Text of twice the size fits. Forced colours mark the shown view. On a phone, the views are in one row, and the graph
has room."""
format = 'html'
draw = "--note '^read=slow' threads.folded"
FOCUS = '''const el = document.activeElement, style = getComputedStyle(el);
	return el === document.body ? ['', true] : [el.closest('#graph') ? 'graph' : (el.getAttribute('aria-label') || el.textContent).trim(),
		el.closest('#graph') !== null || style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2]'''
LAYOUT = '''const box = selector => document.querySelector(selector).getBoundingClientRect();
	return { wide: document.documentElement.scrollWidth, header: box('header').height, graph: box('#graph').height, top: box('#graph').top,
		low: Math.min(...Array.from(document.querySelectorAll('header button, header summary, header input'),
			el => el.getBoundingClientRect().height || 99)) }'''


def case(p):
	p.size(1400, 900)
	p.open()
	at_first = p.js(LAYOUT)
	p.true('the graph begins near the top: %r' % at_first, at_first['top'] <= 120)
	p.true('and has most of the window: %r' % at_first, at_first['graph'] >= 0.7 * 900)
	p.js('document.body.focus()')
	stops = []
	for _ in range(12):
		p.keys('Tab')
		name, marked = p.js(FOCUS)
		p.true('the focus on %r can be seen' % name, marked)
		stops.append(name)
	p.true('Tab reaches the graph: %r' % stops, 'graph' in stops[:5])
	p.true('the search: %r' % stops, any('Search' in name for name in stops))
	p.js('document.querySelector("#tab-graph").focus()')
	p.keys('ArrowRight', 'Enter')
	p.same('arrow keys and Enter choose a view', p.view(), '#view=callers')
	p.press('#tab-graph')
	p.js('document.querySelector("summary").focus()')
	p.keys('ArrowRight', 'Enter')
	p.same('and a menu', p.js('return document.querySelector("#menu-colour").open'), True)
	p.keys('Escape')
	p.same('which Esc closes', p.js('return document.querySelector("#menu-colour").open'), False)
	p.same('heading', p.spoken('h1'), ('heading', 'web-10/11 and 2 others'))
	size = p.js('return parseFloat(getComputedStyle(document.querySelector("header button")).fontSize)')
	p.js('document.documentElement.style.fontSize = "200%"')
	p.same('text of twice the size', p.js('return parseFloat(getComputedStyle(document.querySelector("header button")).fontSize)'), 2 * size)
	p.same('nothing beside the window', p.js(LAYOUT)['wide'], p.js('return innerWidth'))
	p.js('document.documentElement.style.fontSize = ""')
	p.cdp('Emulation.setEmulatedMedia', features=[{'name': 'forced-colors', 'value': 'active'}])
	p.press('#tab-tree')
	tab, other = [p.js('return getComputedStyle(document.querySelector(arguments[0])).backgroundColor', which)
		for which in ('#tab-tree', '#tab-graph')]
	p.true('which view is shown, in forced colours', tab != other)
	p.press('#tab-graph')
	p.cdp('Emulation.setDeviceMetricsOverride', width=420, height=800, deviceScaleFactor=1, mobile=True)
	p.cdp('Emulation.setTouchEmulationEnabled', enabled=True)
	try:
		p.open(path='blank.txt')
		p.open('#f=without%3Awrite&colour=kind')
		phone = p.js(LAYOUT)
		p.same('no wider than the phone', phone['wide'], 420)
		p.true('a row of views and a row of menus: %r' % phone, phone['header'] <= 84)
		p.true('room for the graph', phone['graph'] > 500)
		p.true('targets for fingers', phone['low'] >= 28)
	finally:
		p.cdp('Emulation.clearDeviceMetricsOverride')
		p.cdp('Emulation.setTouchEmulationEnabled', enabled=False)
		p.size(1200)
