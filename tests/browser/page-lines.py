"""Lines: a page made with --with-lines lists the hottest source lines, and the lines of the
selected function. Names are text, never markup."""
format = 'html'
draw = '--with-lines lines.speedscope.json'


def rows(p):
	return [' '.join(row.split()) for row in p.texts('#view-lines tbody tr')]


def case(p):
	p.open()
	p.press('#tab-lines')
	p.wait(lambda: rows(p))
	p.same('hottest first', p.texts('#view-lines tbody td:nth-child(3)'), ['app/parse.c:12', 'app/parse.c:14', '<b>/x>.c:7', 'app/main.c:30'])
	p.same('self counts', p.texts('#view-lines tbody td:first-child'), ['50.0%', '37.0%', '9.0%', '4.0%'])
	p.press('#view-lines tbody tr:nth-child(2) button')
	p.same('of one function', p.texts('#view-lines tbody td:nth-child(3)'), ['app/parse.c:12', 'app/parse.c:14'])
	p.same('total of a caller', p.texts('#view-lines tbody td:nth-child(2)'), ['60.0%', '37.0%'])
	p.press('#view-lines .bar button')
	p.same('all again', len(rows(p)), 4)
	p.same('no markup', p.js("return document.querySelectorAll('#view-lines b b, #view-lines i').length"), 0)
