"""A click zooms: the frame gets the width of the picture, its callers stay visible, its callees are scaled, and all other frames are
hidden."""
draw = 'plain.folded --width 1000'


def case(p):
	p.size(1000)
	p.open()
	p.same('reset hidden', p.shown('#unzoom'), False)
	p.click('run (')
	p.same('visible', p.visible(), sorted(['run', 'apply', 'eval', 'apply', 'eval', 'eval', 'apply', 'read', 'Read', 'z',
		'std::vector<int, std::allocator<int>>::push_back(int const&)', 'operator new(unsigned long)']))
	for name in 'all (', 'main (', 'run (':
		frame = p.frame(name)
		p.near(name + ' begins', frame['x'], 10)
		p.near(name + ' fills', frame['width'], 980)
		p.same(name + ' parent', frame['parent'], name != 'run (')
	for name in 'idle (', 'mainly (', 'parse (', 'lex (':
		p.true(name + ' is gone', p.gone(name))
	run, vector = p.frame('run ('), p.frame('std::vector')
	p.near('width above', vector['width'], 980 * int(vector['samples']) / int(run['samples']))
	p.near('place above', vector['x'], 10 + 980 * (int(vector['start']) - int(run['start'])) / int(run['samples']))
	p.click('main (')
	p.click('parse (')
	p.same('nothing of the next frame', p.visible(), ['lex', 'parse', 'read', 'read', 'refill'])
	p.same('reset shown', p.shown('#unzoom'), True)
