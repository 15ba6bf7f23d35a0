"""Zoom and search are kept in the address; other parameters and the fragment are left as they are."""
draw = 'plain.folded'


def case(p):
	p.open('?a=%20b+c&flag&x2=7#part')
	others = '?a=%20b+c&flag&x2=7'
	p.click('run (')
	run = p.frame('run (')
	zoomed = '&x=%s&y=%s' % (run['start'], run['top'])
	p.same('zoomed', p.query(), others + zoomed)
	p.search('a&b=c+d #%')
	p.same('searched', p.query(), others + zoomed + '&s=a%26b%3Dc%2Bd%20%23%25')
	p.click('#unzoom')
	p.same('unzoomed', p.query(), others + '&s=a%26b%3Dc%2Bd%20%23%25')
	p.click('#search')
	p.same('reset', p.query(), others)
	p.same('fragment', p.js('return location.hash'), '#part')
