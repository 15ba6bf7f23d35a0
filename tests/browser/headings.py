"""Title and subtitle never run under controls or out of the picture: the middle of a text that is too long is cut out."""
LONG = 'A rather long title of a recording that was made on a machine far away, at night'
draw = "plain.folded --title '%s' --subtitle '%s, with more to say about what was done and why, twice as long as the title'" % (LONG, LONG)

BOXES = '''return Array.from(document.querySelectorAll('#title, #subtitle, #search, #ignorecase, #unzoom, #own')).filter(function (el) {
	return el.getBoundingClientRect().width > 0; }).map(function (el) { const b = el.getBoundingClientRect();
	return [el.id, el.textContent, b.left, b.right, b.top, b.bottom]; })'''


def check(p, width):
	boxes = p.js(BOXES)
	for name, text, left, right, top, bottom in boxes:
		p.true('%s is in the picture of %d: %r' % (name, width, (left, right)), left >= 0 and right <= width)
		for other, _, left2, right2, top2, bottom2 in boxes:
			if name < other and min(bottom, bottom2) - max(top, top2) > 2:
				p.true('%s and %s, %d: %r' % (name, other, width, (left, right, left2, right2)), right <= left2 or right2 <= left)
	return {box[0]: box[1] for box in boxes}


def case(p):
	for width in 1600, 1200, 800, 500:
		p.size(width)
		p.open()
		texts = check(p, width)
		if width == 1600:
			p.same('all of the title', texts['title'], LONG)
		if width == 500:
			p.true('cut: %r' % texts['title'], texts['title'].startswith('A ') and texts['title'].endswith('t') and '…' in texts['title'])
		p.click('run (')
		p.search('read')
		check(p, width)
		p.keys('0')
