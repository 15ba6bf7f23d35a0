"""Frames that count nothing, drawn with --minwidth 0, are not mistaken for the root, wherever they
are in the file."""
draw = 'zero.folded --minwidth 0'


def case(p):
	p.open()
	p.keys('Tab')
	p.same('the first to get the focus', p.focused(), 'all (8 samples, 100%)')
	p.keys('ArrowUp', 'ArrowUp')
	p.same('callees', p.focused(), 'a (5 samples, 62.50%)')
	p.search('^(a|b)$')
	p.same('found', p.matched(), 'Matched: 100%')
	p.open('?x=5&y=' + p.frame('b (')['top'])
	p.near('zoomed', p.frame('b (')['width'], 1180)
