"""If an address names no existing frame, or no valid pattern, it is ignored. If it names the root, the picture is not zoomed."""
draw = 'plain.folded'


def case(p):
	p.open()
	before = p.frames()
	root, run = p.frame('all ('), p.frame('run (')
	queries = ['?x=%s&y=9999' % run['start'], '?x=1&y=' + run['top'], '?x=' + run['start'], '?y=' + run['top'], '?x=&y=',
		'?x=a&y=b', '?x=-1&y=-1', '?x=1e1&y=1', '?x=99999999999999999999999&y=1', '?s=', '?s', '?s=%E0%A4%A', '?&&=&==', '?ic=2', '#z=', '#z=1', '#z=.', '#z=zzzzzzzzzzzzzzzzzzzz.9', '#z=%00', '#s=%E0']
	for query in queries:
		p.open(query)
		p.same('picture of ' + query, p.frames(), before)
		p.same('reset of ' + query, p.shown('#unzoom'), False)
		p.same('search of ' + query, (p.text('#search'), p.text('#matched')), ('Search', ' '))
		p.same('errors of ' + query, p.errors(), [])
	p.open('?s=(')
	p.true('bad pattern', p.text('#matched').startswith('Bad pattern'))
	p.same('search', p.text('#search'), 'Search')
	p.open('?x=0&y=%s&a=1' % root['top'])
	p.same('picture of the root', p.frames(), before)
	p.same('reset', p.shown('#unzoom'), False)
	p.same('address', p.query(), '?a=1')
	p.click('run (')
	p.same('it still works', p.shown('#unzoom'), True)
