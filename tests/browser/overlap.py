"""While the details run into the matched text, the matched text is dim."""
draw = 'plain.folded'


def case(p):
	p.size(640)
	p.open()
	p.search('read')
	opacity = 'return getComputedStyle(document.querySelector("#matched")).opacity'
	p.hover('idle')
	p.same('short details', p.js(opacity), '1')
	p.hover('std::vector')
	p.same('long details', p.js(opacity), '0.1')
	p.hover('#title')
	p.same('no details', p.js(opacity), '1')
