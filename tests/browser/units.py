"""A page with a known unit shows counts in everyday words, with the exact count in titles and details, also for frames that the
script draws."""
format = 'html'
draw = '--countname bytes --minwidth 0 units.folded'


def case(p):
	p.open()
	p.same('root', p.frame('all')['title'], 'all (44.1 MiB, 100%; 46,242,119 bytes)')
	p.same('its label', p.frame('all')['label'], 'all (44.1 MiB)')
	p.same('large', p.frame('large')['title'], 'large (34.3 MiB, 77.73%; 35,944,000 bytes)')
	p.same('small', p.frame('small')['title'], 'small (119 bytes, 0.00%)')
	p.hover('large')
	p.same('details', p.text('#details'), 'Function: large (34.3 MiB, 77.73%; 35,944,000 bytes) | self 34.3 MiB, 77.73%')
	p.same('table', p.js('return document.querySelector("aside .rows .number").title'), '34.3 MiB; 35,944,000 bytes')
	p.push(*p.middle('middle'))
	p.same('name', p.texts('nav li'), ['all', 'main', 'middle'])
	p.press('nav button')
	p.filter('without', 'large')
	p.same('drawn by the script', p.frame('middle')['title'], 'middle (9.82 MiB, 100.00%; 10,298,000 bytes)')
	p.same('root after a filter', p.frame('all')['label'], 'all (9.82 MiB)')
	p.hover('middle')
	p.js('document.activeElement.blur()')
	p.keys('s')
	p.true('callers and callees', 'middle (9.82 MiB, 100.00%; 10,298,000 bytes)' in p.texts('#sandwich title'))
