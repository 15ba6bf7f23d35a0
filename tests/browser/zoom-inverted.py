"""In an icicle the root is at the top, and parents are above."""
draw = 'plain.folded --inverted --width 1000'


def case(p):
	p.size(1000)
	p.open()
	p.click('lex (')
	p.same('visible', p.visible(), ['lex', 'read'])
	for name in 'parse (', 'main (', 'all (':
		p.same(name + ' parent', p.frame(name)['parent'], True)
		p.near(name + ' fills', p.frame(name)['width'], 980)
	p.keys('Tab')
	p.same('focus', p.focused(), p.frame('lex (')['title'])
	p.keys('ArrowDown')
	p.same('down is to the leaves', p.focused(), p.frame('read (')['title'])
	p.keys('i')
	p.true('flipped, the root is at the bottom', p.frame('all (')['y'] > p.frame('lex (')['y'])
	p.keys('ArrowDown')
	p.same('and down is to the root', p.focused(), p.frame('lex (')['title'])
