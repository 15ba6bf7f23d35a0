"""Of very many callees, each too narrow to be seen, a strip stands for all: above their caller, in view, not under the texts around."""
draw = 'flat.folded'
STRIP = '''const strip = document.querySelector('#frames > .narrow'), box = strip && strip.getBoundingClientRect();
	const row = Array.from(document.querySelectorAll('#frames > g')).find(el => el.querySelector('title').textContent.startsWith('m ('))
		.querySelector('rect').getBoundingClientRect();
	return strip && [box.width / row.width, row.top - box.bottom, document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2).classList.contains('narrow')]'''


def case(p):
	p.open()
	p.click('m (')
	p.wait(lambda: p.js(STRIP) is not None)
	width, gap, seen = p.js(STRIP)
	p.near('as wide as its caller', width, 1, 0.01)
	p.near('just above it', gap, 1, 0.5)
	p.true('in view, under nothing', seen)
