"""When the mouse is on a frame, the details line shows the frame's title. When the mouse leaves the frame, the line is empty."""
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
