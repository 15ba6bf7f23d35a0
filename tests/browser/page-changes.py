"""The page of a comparison opens with a list of changes above noise. The table has shares before and after, and marks
noise; a switch gives frames the widths of one side, also with filters and from the address."""
command = 'diff'
format = 'html'
draw = 'before.folded after.folded'


def rows(p, panel):
	return p.js('''return Array.from(document.querySelectorAll('#panel-' + arguments[0] + ' .rows > .row:not([hidden])'))
		.sort((a, b) => a.getAttribute('aria-rowindex') - b.getAttribute('aria-rowindex'))
		.map(row => Array.from(row.querySelectorAll('[role=gridcell]:not(.wide)'), cell => cell.textContent))''', panel)


def part(p, name):
	"""The width of a frame as a share of the root's."""
	return p.frame(name + ' (')['width'] / p.frame('all (')['width']


def pressed(p):
	return p.texts('.switch [aria-pressed=true]')


def case(p):
	p.open()
	p.same('at first', (p.shown('#panel-changes'), p.view(), pressed(p)), (True, '', ['Change']))
	p.same('changed', rows(p, 'changes'), [['deep', '-15.36%', 'gone', '17.09%', '0.00%'], ['x', '+11.52%', 'new', '0.00%', '11.52%'],
		['new', '+7.68%', 'new', '0.00%', '7.68%'], ['slow', '+1.15%', 'new', '0.00%', '1.15%']])
	p.same('summary', p.text('#panel-changes .bar'), '4 functions changed by more than noise, 3 within it. Own counts, as shares of all.')
	p.press('#panel-changes .rows > .row .name', 0)
	p.same('selected', (p.view(), p.js('return document.querySelector("path.chosen") !== null')), ('#fn=deep', True))
	p.press('#tab-table')
	p.same('table', rows(p, 'table'), [['slow', '+12.67%', '8.55%', '20.35%', '1'], ['same', '+11.90%', '34.19%', '42.63%', '1'],
		['x', '+11.52%', '0.00%', '11.52%', '1'], ['new', '+7.68%', '0.00%', '7.68%', '1'], ['main', 'noise', '100.00%', '100.00%', '1'],
		['edge', 'noise', '12.82%', '15.90%', '1'], ['loop', 'none', '34.19%', '30.72%', '2'], ['little', 'noise', '1.71%', '1.92%', '1'],
		['fast', '-11.52%', '25.64%', '11.52%', '1'], ['gone', '-15.36%', '17.09%', '0.00%', '1'], ['deep', '-15.36%', '17.09%', '0.00%', '1']])
	p.near('the larger', part(p, 'gone'), 200 / 1652, 0.005)
	p.press('.switch button', 0)
	p.near('before', part(p, 'gone'), 200 / 1170, 0.005)
	p.same('nothing new', (p.gone('new ('), p.frame('slow (')['label'], pressed(p)), (True, '+slow', ['Before']))
	p.same('address', p.view(), '#side=before&panel=table&fn=deep')
	p.press('.switch button', 2)
	p.near('after', part(p, 'slow'), 265 / 1302, 0.005)
	p.same('nothing gone', p.gone('gone ('), True)
	p.press('.switch button', 1)
	p.near('as at first', part(p, 'gone'), 200 / 1652, 0.005)
	p.open('#side=after&f=without:%5Esame%24')
	p.near('filtered, after', part(p, 'slow'), 265 / 747, 0.005)
	p.open('#fn=loop&sw=1')
	p.same('callers', sorted(title.split(', ')[0] for title in p.texts('#sandwich g > g title')),
		['fast (25.64% → 11.52% of all', 'loop (34.19% → 30.72% of all', 'main (25.64% → 11.52% of all', 'main (8.55% → 19.20% of all',
			'slow (8.55% → 19.20% of all'])
	p.open('#panel=tree')
	p.same('tree', p.texts('#panel-tree [aria-level="2"] .number'), ['100.00%', '100.00%'])
