"""Filters also work in a page without an embedded profile, with the frames that it draws."""
format = 'html'
draw = '--data none plain.folded'


def case(p):
	p.open('#f=only%3A%5Eparse%24')
	p.same('only parse', p.texts('#frames > g > title'), ['all (50 samples, 100.00%)', 'main (50 samples, 100.00%)',
		'parse (50 samples, 100.00%)', 'lex (30 samples, 60.00%)', 'read (30 samples, 60.00%)', 'read (20 samples, 40.00%)',
		'refill (9 samples, 18.00%)'])
	p.same('left', p.text('#chain output'), '41.0% of all')
	p.press('#chain .chip button')
	p.same('all again', p.frame('idle')['samples'], '14')
