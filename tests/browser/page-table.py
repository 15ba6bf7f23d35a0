"""The table beside the picture has every function once, with recursion counted once. Its columns sort it, its field searches it, and the
row that is selected, by mouse or keys, outlines the frames of its function, also after a zoom and from the address."""
format = 'html'
draw = 'plain.folded'
ROWS = '''return Array.from(document.querySelectorAll('#panel-table .rows > .row:not([hidden])'))
	.sort((a, b) => a.getAttribute('aria-rowindex') - b.getAttribute('aria-rowindex'))
	.map(row => Array.from(row.querySelectorAll('[role=gridcell]:not(.wide)'), cell => cell.textContent))'''
GRID = '#panel-table .grid'


def column(p, at):
	return [row[at] for row in p.js(ROWS)]


def sorts(p):
	return p.js('return Array.from(document.querySelectorAll("[role=columnheader]:not(.wide)"), el => el.getAttribute("aria-sort"))')


def outlined(p):
	return p.js('const el = document.querySelector("path.chosen"); return el ? (el.getAttribute("d").match(/z/g) || []).length : 0')


def selected(p):
	return p.texts('.rows > [aria-selected=true] > .name')


def type_pattern(p, text):
	p.press('#panel-table input')
	p.keys('Control-a', 'Backspace', *text)


def case(p):
	p.open()
	p.same('panel', p.shown('#panel-table'), True)
	p.same('address', p.view(), '')
	p.same('sorted by self count', sorts(p), ['none', 'descending', 'none', 'none'])
	p.same('most', p.js(ROWS)[:2], [['read', '38.52%', '45.90%', '3'], ['mainly', '17.21%', '17.21%', '1']])
	rows = {row[0]: row[1:] for row in p.js(ROWS)}
	p.same('recursion once', rows['eval'], ['13.93%', '25.41%', '3'])
	p.same('recursion in the middle', rows['apply'], ['0.00%', '18.85%', '3'])
	p.same('summary', p.text('#panel-table .summary'), '%d functions' % len(rows))
	p.press('[role=columnheader] button', 0)
	p.same('sorted by name', (sorts(p)[0], column(p, 0)), ('ascending', sorted(rows)))
	p.press('[role=columnheader] button', 0)
	p.same('turned', (sorts(p)[0], column(p, 0)), ('descending', sorted(rows, reverse=True)))
	type_pattern(p, '^(read|eval)$')
	p.same('searched', sorted(column(p, 0)), ['Read', 'eval', 'read'])
	type_pattern(p, '(')
	p.same('bad pattern', p.text('#panel-table .summary'), 'Bad pattern')
	type_pattern(p, '')
	p.same('all again', len(p.js(ROWS)), len(rows))
	p.search('^main$')
	p.press('.rows > .row .name', p.texts('.rows > .row .name').index('read'))
	p.same('selected', (selected(p), outlined(p)), (['read'], 3))
	p.same('the search stands', p.text('#search'), 'Reset Search')
	p.same('address', p.view(), '#s=%5Emain%24&fn=read')
	p.click('parse')
	p.same('zoomed, two of three', outlined(p), 2)
	p.open('#fn=eval')
	p.same('from the address', (selected(p), outlined(p)), (['eval'], 3))
	p.js('document.querySelector(%r).focus()' % GRID)
	p.keys('\ue010')
	p.same('End', p.js('return document.querySelector(".current").getAttribute("aria-rowindex")'), str(len(rows) + 1))
	p.keys('\ue011', 'ArrowDown', 'Enter')
	p.same('Home, down, Enter', selected(p), [p.js(ROWS)[1][0]])
	current = p.js('return document.querySelector(arguments[0]).getAttribute("aria-activedescendant")', GRID)
	p.same('current', p.js('return document.getElementById(arguments[0]).getAttribute("aria-rowindex")', current), '3')
	p.press('#tab-table')
	p.same('closed', (p.shown('aside'), 'panel=none' in p.view()), (False, True))
	p.size(900)
	p.open()
	p.same('a tab where it is narrow', p.shown('aside'), False)
	p.press('#tab-table')
	p.same('opened', (len(p.js(ROWS)), p.view()), (len(rows), '#panel=table'))
