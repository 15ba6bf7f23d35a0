"""Checks the strip that replaces callees too narrow to be seen, in a picture and in a page."""
STRIP = '''const strip = document.querySelector('#frames > .narrow'), box = strip && strip.getBoundingClientRect();
	const row = Array.from(document.querySelectorAll('#frames > g')).find(el => el.querySelector('title').textContent.startsWith('m ('))
		.querySelector('rect').getBoundingClientRect();
	return strip && [box.width / row.width, row.top - box.bottom, document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2).classList.contains('narrow')]'''


def check_strip(p):
	"""Zoom to the caller, and check that the strip is above it, in view, and not under other texts."""
	p.click('m (')
	p.wait(lambda: p.js(STRIP) is not None)
	width, gap, seen = p.js(STRIP)
	p.near('as wide as its caller', width, 1, 0.01)
	p.near('just above it', gap, 1, 0.5)
	p.true('in view, under nothing', seen)
