"""Reset Zoom restores everything, including the labels of the file, and hides itself."""
draw = 'plain.folded --width 1000'


def case(p):
	p.open('?a=1')
	before = p.frames()
	p.click('parse (')
	p.click('lex (')
	p.true('something changed', p.frames() != before)
	p.click('#unzoom')
	p.same('picture', p.frames(), before)
	p.same('reset hidden', p.shown('#unzoom'), False)
	p.same('address', (p.query(), p.view()), ('?a=1', ''))
