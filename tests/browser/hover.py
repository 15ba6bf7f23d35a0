"""Pointing at a frame shows the nametype and its title in the details line; leaving it empties the line."""
draw = 'plain.folded --nametype "Word: \'q\' \\"d\\" \\\\"'


def case(p):
	p.open()
	for name in 'idle (', 'std::vector', 'all (':
		p.hover(name)
		p.same('details', p.told(), 'Word: \'q\' "d" \\ ' + p.frame(name)['title'])
	p.hover('#title')
	p.same('details after leaving', p.text('#details'), ' ')
	stroke = 'return getComputedStyle(document.querySelector("#frames > :hover > rect")).stroke'
	p.hover('idle (')
	p.true('outline', p.js(stroke) != 'none')
