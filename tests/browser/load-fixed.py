"""With --width, nothing moves at load, and the labels of the file stay."""
draw = 'plain.folded --width 1000'


def case(p):
	p.size(700)
	p.open()
	p.same('width', p.js('return document.documentElement.getAttribute("width")'), '1000')
	p.same('viewBox', p.js('return !!document.documentElement.getAttribute("viewBox")'), True)
	p.same('frames', p.js('return document.querySelector("#frames").getAttribute("width")'), '980')
	label = p.frame('std::vector')['label']
	p.true('label as in the file, cut at the right', label == '' or label.endswith('..'))
	p.same('reset hidden', p.shown('#unzoom'), False)
	p.same('matched', p.text('#matched'), ' ')
	p.same('details', p.text('#details'), ' ')
	p.same('address', p.query(), '')
