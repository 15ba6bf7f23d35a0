"""The table beside the picture has every function once, with recursion counted once. Its columns
sort it, a search keeps only the functions that match, and the row that is selected, by mouse or
keys, outlines the frames of its function, also after a zoom and from the address."""
format = 'html'
draw = 'plain.folded'
ROWS = '''return Array.from(document.querySelectorAll('aside .rows > .row:not([hidden])'))
	.sort((a, b) => a.getAttribute('aria-rowindex') - b.getAttribute('aria-rowindex'))
	.map(row => Array.from(row.querySelectorAll('[role=gridcell]'), (cell, i) => i ? cell.textContent : cell.title))'''
GRID = 'aside .grid'


def column(p, at):
	return [row[at] for row in p.js(ROWS)]


def sorts(p):
	return p.js('return Array.from(document.querySelectorAll("[role=columnheader]"), el => el.getAttribute("aria-sort"))')


def outlined(p):
	return p.js('const el = document.querySelector("path.chosen"); return el ? (el.getAttribute("d").match(/z/g) || []).length : 0')


def selected(p):
	return p.texts('.rows > [aria-selected=true] > .name')


def case(p):
	p.open()
	p.same('panel', p.shown('aside'), True)
	p.same('address', p.view(), '')
	p.same('sorted by self count', sorts(p), ['none', 'descending', 'none'])
	p.same('most', p.js(ROWS)[:2], [['read', '38.5%', '45.9%'], ['mainly', '17.2%', '17.2%']])
	rows = {row[0]: row[1:] for row in p.js(ROWS)}
	bars = p.js('''return Object.fromEntries(Array.from(document.querySelectorAll('aside .rows > .row:not([hidden])'), row => [row.querySelector('.name').textContent,
		Array.from(row.querySelectorAll('.number'), el => [parseFloat(el.style.backgroundSize), parseFloat(el.textContent)])]))''')
	most = max(part for cells in bars.values() for _, part in cells)
	for name, cells in bars.items():
		for wide, part in cells:
			p.near('bars have one scale: %s' % name, wide, 100 * part / most, 0.2)
	p.true('names have more than half of the table', p.js('return document.querySelector(".head > .name").clientWidth / document.querySelector("aside").clientWidth') > 0.6)
	p.same('recursion once', rows['eval'], ['13.9%', '25.4%'])
	p.same('recursion in the middle', rows['apply'], ['0.0%', '18.9%'])
	p.same('how many', p.text('.count'), str(len(rows)))
	p.press('[role=columnheader] button', 0)
	p.same('sorted by name', (sorts(p)[0], column(p, 0)), ('ascending', sorted(rows)))
	p.press('[role=columnheader] button', 0)
	p.same('turned', (sorts(p)[0], column(p, 0)), ('descending', sorted(rows, reverse=True)))
	p.same('in the address', p.view(), '#sort=0')
	p.search('^(read|eval)$')
	p.same('searched', (sorted(column(p, 0)), p.text('.count')), (['eval', 'read'], '2 of %d' % len(rows)))
	p.search('(')
	p.same('bad pattern', len(p.js(ROWS)), 2)
	p.keys('/', 'Escape')
	p.same('all again', len(p.js(ROWS)), len(rows))
	p.js("document.querySelectorAll('[role=columnheader] button')[1].click()")
	p.search('.')
	p.press('.rows > .row .name', p.texts('.rows > .row .name').index('read'))
	p.same('selected', (selected(p), outlined(p)), (['read'], 3))
	p.same('the search stands', p.text('#search'), 'Reset Search')
	p.same('address', p.view(), '#s=.&fn=read&sort=1')
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
	p.press('.menus > button')
	p.same('closed', (p.shown('aside'), 'table=off' in p.view()), (False, True))
	p.size(900)
	p.open()
	p.same('closed where it is narrow', p.shown('aside'), False)
	p.press('.menus > button')
	p.same('opened', (len(p.js(ROWS)), p.view()), (len(rows), '#table=on'))
