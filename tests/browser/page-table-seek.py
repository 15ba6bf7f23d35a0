"""The table scrolls to the selected row after it is sorted anew, and after a search is cleared. A selected row keeps its bars."""
format = 'html'
draw = 'tall.folded'
SEEN = '''const row = document.querySelector('.rows > [aria-selected=true]:not([hidden])');
	if (!row) { return false; }
	const box = row.getBoundingClientRect(), grid = row.closest('.grid').getBoundingClientRect();
	return box.top >= grid.top + 20 && box.bottom <= grid.bottom + 1'''


def case(p):
	p.size(1200, 500)
	p.open()
	names = p.rows('> .name')
	p.press('aside .rows > .row .name', 6)
	p.true('seen', p.js(SEEN))
	bars = p.js('''const row = document.querySelector('.rows > [aria-selected=true]'), bar = row.querySelector('.number'), style = getComputedStyle(bar);
		return [style.backgroundImage, getComputedStyle(row).color]''')
	p.true('bars in the colour of the text: %r' % bars, bars[1] in bars[0])
	for column in 0, 0, 1, 1:
		p.press('[role=columnheader] button', column)
		p.true('sorted by %d' % column, p.js(SEEN))
	p.js('document.querySelectorAll("[role=columnheader] button")[0].click()')
	p.press('#find')
	chosen = p.js('return document.querySelector(".rows > [aria-selected=true] > .name").title')
	p.keys(*('^%s$' % chosen), 'Enter')
	p.wait(lambda: len(p.rows('> .name')) == 1)
	p.keys('Escape')
	p.wait(lambda: len(p.rows('> .name')) > 1)
	p.true('all rows', p.js(SEEN))
	p.size(1200)
