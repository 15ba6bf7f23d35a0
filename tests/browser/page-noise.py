"""A count that appears or vanishes within noise is not called new or gone, because this may be chance."""
command = 'diff'
format = 'html'
draw = 'short.folded long.folded'


def case(p):
	p.open()
	p.hover('little_new (')
	p.same('details', [text.split(' → ')[1].split(' ', 1)[1] for text in p.texts('footer .values > span')], ['within noise'] * 2)
	p.hover('much_new (')
	p.same('more than noise', [text.split(' → ')[1].split(' ', 1)[1] for text in p.texts('footer .values > span')], ['new'] * 2)
	row = next(row for row in p.js('''return Array.from(document.querySelectorAll('.rows > .row'), row =>
		[row.className.includes('noise'), ...Array.from(row.children, cell => cell.textContent)])''') if row[1] == 'little_new')
	p.same('in the table', row[:3], [True, 'little_new', '0.00%'])
	p.open('#fn=little_new&view=callers')
	p.true('callers and callees: ' + p.text('#sandwich .details'), p.text('#sandwich .details').endswith('% of all, within noise)'))
