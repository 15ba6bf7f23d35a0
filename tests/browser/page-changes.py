"""The table of a comparison has the scaled share before, the share after, and their difference in points. The largest change,
up or down, comes first, and noise comes last. The table has totals or self counts. A word stands for a count that is gone or new. The
legend has the colours of the graph, and shows only one kind of change. A choice gives frames the widths of one profile,
also with filters and from the address."""
command = 'diff'
format = 'html'
draw = 'before.folded after.folded'


def rows(p):
	return p.js('''return Array.from(document.querySelectorAll('aside .rows > .row:not([hidden])'))
		.sort((a, b) => a.getAttribute('aria-rowindex') - b.getAttribute('aria-rowindex'))
		.map(row => Array.from(row.querySelectorAll('[role=gridcell]'), cell => cell.textContent).concat(row.classList.contains('noise')))''')


def part(p, name):
	"""Returns the width of a frame as a share of the root's."""
	return p.frame(name + ' (')['width'] / p.frame('all (')['width']


def number(text):
	return 0.0 if text in ('gone', 'new') else float(text.replace('−', '-').rstrip('%'))


def check(p, what):
	found = rows(p)
	for name, before, after, change, _ in found:
		p.near('%s: the columns of %s subtract' % (what, name), number(after) - number(before), number(change), 0.011)
	changes = [abs(number(row[3])) for row in found if not row[4]]
	p.same(what + ': the largest change first', changes, sorted(changes, reverse=True))
	p.same(what + ': noise last', [row[4] for row in found], sorted(row[4] for row in found))
	return found


def entries(p):
	return p.js('''return Array.from(document.querySelectorAll('.kinds > button'), el => [el.querySelector('span').textContent,
		Number(el.querySelector('small').textContent), el.getAttribute('aria-pressed')])''')


def case(p):
	p.open()
	p.same('at first', p.view(), '')
	found = check(p, 'total')
	p.same('what shrank is beside what grew', sorted(row[0] for row in found[:3]), ['deep', 'gone', 'slow'])
	p.same('a count of 0 is not rounded', {row[0]: row[1:3] for row in found if row[0] in ('gone', 'new')}, {'gone': ['15.36%', 'gone'], 'new': ['new', '7.68%']})
	kinds = entries(p)
	p.same('legend', [kind for kind, _, _ in kinds], ['gone', 'less', 'more', 'new', 'unchanged'])
	p.same('numbers', (sum(n for _, n, _ in kinds), kinds[-1][1]), (len(found), sum(row[4] for row in found)))
	p.same('the swatches are as in the graph', p.js('''const fills = name => new Set(Array.from(document.querySelectorAll(name), el => getComputedStyle(el).fill));
		const drawn = fills('#frames rect'), shown = fills('.kinds rect');
		return [shown.size, Array.from(drawn).filter(fill => !shown.has(fill)).length]'''), [11, 0])
	p.press('.kinds > button', 0)
	p.same('only gone', (sorted(row[0] for row in rows(p)), p.view(), entries(p)[0][2]), (['deep', 'gone'], '#kind=gone', 'true'))
	p.press('.kinds > button', 0)
	p.same('all again', (rows(p), p.view()), (found, ''))
	for at in 1, 2, 3:
		for _ in range(2):
			p.press('[role=columnheader] button', at)
			noise = [row[4] for row in rows(p)]
			p.same('noise is last, by column %d' % at, noise, sorted(noise))
	p.true('graph', 'change of the total, widths the larger count' in p.text('.kinds'))
	p.open('#by=self')
	found = check(p, 'self')
	p.same('changed', [row[0] for row in found if not row[4]], ['deep', 'x', 'new', 'slow'])
	p.same('summary', p.text('aside .summary'), '4 functions changed by more than noise')
	p.same('totals', p.text('header .facts').split(' · ')[0], '1,170 → 1,302 (+11.3%)')
	p.same('title', (p.text('h1'), p.js('return document.title')), ('before.folded → after.folded',) * 2)
	p.same('count', p.js('return document.querySelectorAll("aside .rows > .row:not([hidden]) .number")[0].title')[-7:], ' before')
	p.press('aside .rows > .row .name', 0)
	p.same('selected', (p.view(), p.js('return document.querySelector("path.chosen") !== null')), ('#fn=deep&by=self', True))
	p.press('aside .bar button', 0)
	p.same('in the address', p.view(), '#fn=deep')
	p.open('#fn=deep&by=total')
	p.same('an address that names the totals', sorted(row[0] for row in check(p, 'total')[:3]), ['deep', 'gone', 'slow'])
	p.choose('colour', 'As wide as before')
	p.near('before', part(p, 'gone'), 200 / 1170, 0.005)
	p.same('nothing new', (p.gone('new ('), p.frame('slow (')['label']), (True, '+ slow'))
	p.same('address', p.view(), '#side=before&fn=deep&by=total')
	p.choose('colour', 'As wide as after')
	p.near('after', part(p, 'slow'), 265 / 1302, 0.005)
	p.same('nothing gone', p.gone('gone ('), True)
	p.choose('colour', 'As wide as the larger count')
	p.near('as at first', part(p, 'gone'), 200 / 1652, 0.005)
	p.open('#side=after&f=without:%5Esame%24')
	p.near('filtered, after', part(p, 'slow'), 265 / 747, 0.005)
	p.open('#fn=loop&view=callers')
	p.same('callers', sorted(title.split(', ')[0] for title in p.texts('#sandwich svg g title')),
		['fast (23.04% → 11.52% of all', 'loop (30.72% → 30.72% of all', 'main (23.04% → 11.52% of all', 'main (7.68% → 19.20% of all',
			'slow (7.68% → 19.20% of all'])
	p.open('#fn=deep&view=callers')
	gone = p.js('''return Array.from(document.querySelectorAll('#sandwich svg g'), g => [g.querySelector('title').textContent, g.querySelector('rect').matches('.c42')])''')
	p.same('callers have the counts of their calls, so they are gone as the function is', gone, [
		['deep (15.36% → 0.00% of all, gone)', True], ['gone (15.36% → 0.00% of all, gone) | only its calls of deep', True],
		['main (15.36% → 0.00% of all, gone) | only its calls of deep', True]])
	p.open('#view=tree')
	p.same('tree', p.texts('#view-tree [aria-level="2"] .number'), ['89.86%', '100.00%', '+10.14%'])
