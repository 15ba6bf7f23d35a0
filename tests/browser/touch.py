"""A tap on a frame shows its details. A second tap zooms."""
draw = 'plain.folded'


def case(p):
	p.open()
	before = p.frames()
	p.tap('run (')
	p.same('details', p.told(), 'Function: ' + p.frame('run (')['title'])
	p.same('picture', p.frames(), before)
	p.tap('lex (')
	p.same('details', p.told(), 'Function: ' + p.frame('lex (')['title'])
	p.same('picture', p.frames(), before)
	p.tap('lex (')
	p.near('fills', p.frame('lex (')['width'], 1180)
	p.tap('#unzoom')
	p.same('picture', p.frames(), before)
