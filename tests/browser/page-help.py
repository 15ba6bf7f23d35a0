"""The list of keys opens over the view that is shown, in groups with titles. After Esc, ?, a click beside it or on its button, the page is as
before, with the focus where it was. Other keys do nothing while the list is open."""
format = 'html'
draw = 'plain.folded'
OPEN = 'return document.querySelector("#help") !== null && document.querySelector("#help").open'
FOCUS = 'return document.activeElement.id || document.activeElement.className'


def case(p):
	p.open()
	for view in 'tree', 'callers', 'graph':
		p.press('#tab-' + view)
		before = p.view(), p.js(FOCUS), p.js('return document.querySelector("#graph").inert')
		p.keys('?')
		p.same('open over ' + view, (p.js(OPEN), p.view()), (True, before[0]))
		p.same('title', (p.js('return document.querySelector("#help").localName'), p.text('#help-title')), ('dialog', 'Keys'))
		p.same('groups', p.texts('#help h3'), ['In all views', 'The function that is pointed at, or selected', 'Flame graph'])
		p.true('the view can be seen', p.js('return document.querySelector("#help").getBoundingClientRect().height < innerHeight'))
		p.keys('i', 'f', '0')
		p.same('other keys do nothing', p.view(), before[0])
		p.keys('Escape')
		p.same('closed', (p.js(OPEN), (p.view(), p.js(FOCUS), p.js('return document.querySelector("#graph").inert'))), (False, before))
	p.press('#tab-tree')
	p.press('.menus > button', 1)
	p.same('by the button', (p.js(OPEN), p.view()), (True, '#view=tree'))
	p.press('#help button')
	p.same('closed by its button', (p.js(OPEN), p.view()), (False, '#view=tree'))
	p.keys('?', '?')
	p.same('closed by ?', (p.js(OPEN), p.view()), (False, '#view=tree'))
	p.keys('?')
	p.click((4, 450))
	p.same('closed by a click beside it', (p.js(OPEN), p.view()), (False, '#view=tree'))
