"""The tree opens a frame's callees, heaviest first, and a chain of single callees at once. It works
with the keys that screen readers announce for trees, and shares the selected function with the
picture and the table."""
format = 'html'
draw = 'plain.folded'


def items(p):
	return p.js('''return Array.from(document.querySelectorAll('#view-tree [role=treeitem]'), el => [Number(el.getAttribute('aria-level')),
		el.querySelector('.name').textContent, el.getAttribute('aria-expanded'), ...Array.from(el.querySelectorAll('.number'), s => s.textContent)])''')


def focused(p):
	return p.js('return document.activeElement.querySelector(".name").textContent')


def case(p):
	p.open('#view=tree')
	p.same('one view', (p.shown('#view-tree'), p.js('return document.querySelector("#graph").inert')), (True, True))
	p.same('at first', items(p), [[1, 'all', 'true', '100.00%', '0.00%'], [2, 'main', 'false', '71.31%', '0.00%'],
		[2, 'mainly', None, '17.21%', '17.21%'], [2, 'idle', None, '11.48%', '11.48%']])
	p.same('place', p.js('''const el = document.querySelectorAll('#view-tree [role=treeitem]')[2];
		return [el.getAttribute('aria-posinset'), el.getAttribute('aria-setsize')]'''), ['2', '3'])
	p.js('document.querySelector("#view-tree [tabindex=\\"0\\"]").focus()')
	p.keys('ArrowDown', 'ArrowRight')
	p.same('opened', [item[:2] for item in items(p)[1:4]], [[2, 'main'], [3, 'parse'], [3, 'run']])
	p.keys('ArrowRight', 'ArrowRight')
	p.same('to the first callee, opened', (focused(p), [item[:3] for item in items(p)[2:6]]),
		('parse', [[3, 'parse', 'true'], [4, 'lex', 'false'], [4, 'read', 'false'], [3, 'run', 'false']]))
	p.keys('\ue010', 'r', 'r')
	p.same('typed', focused(p), 'run')
	p.keys('ArrowRight', 'ArrowRight', 'ArrowDown', 'ArrowUp')
	p.same('in run', focused(p), 'apply')
	p.keys('ArrowRight')
	p.same('a chain', [item[:3] for item in items(p) if item[0] > 4], [[5, 'eval', 'true'], [6, 'apply', 'true'], [7, 'eval', None]])
	p.keys('ArrowRight', 'Enter')
	p.same('selected', (p.view(), p.texts('#view-tree [aria-selected=true] .name')), ('#fn=eval&view=tree', ['eval', 'eval', 'eval']))
	p.true('outlined', p.js('return document.querySelector("path.chosen") !== null'))
	p.keys('ArrowLeft')
	p.same('closed', len([item for item in items(p) if item[0] > 4]), 1)
	p.keys('ArrowLeft')
	p.same('to the caller', focused(p), 'apply')
	p.keys('f')
	p.same('letters are for names', p.texts('#chain .chip'), [])
	p.same('in the table', p.texts('.rows > [aria-selected=true] > .name'), ['eval'])
	p.open('#view=tree&f=only:%5Elex%24')
	p.same('filtered', [item[1] for item in items(p)], ['all', 'main', 'parse', 'lex', 'read'])
	p.open(path='blank.txt')
	p.open()
	p.click('lex (')
	p.press('#tab-tree')
	p.true('the frame that is zoomed to is opened', ['lex', 'read'] == [item[1] for item in items(p)][3:5] or 'lex' in [item[1] for item in items(p)])
	box = p.js('const b = document.querySelector("#view-tree [tabindex=\\"0\\"]"); return [b.querySelector(".name").textContent, b.offsetTop]')
	p.same('and has the focus of the tree', box[0], 'lex')
	marked = p.js('''return Array.from(document.querySelectorAll('#view-tree [role=treeitem]')).filter(el => getComputedStyle(el).boxShadow !== 'none')
		.map(el => el.querySelector('.name').textContent)''')
	p.same('and is marked', marked, ['lex'])
