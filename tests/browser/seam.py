"""The window below a picture has the background colour of the picture."""
draw = 'plain.folded'


def case(p):
	for scheme in 'light', 'dark':
		p.prefer(scheme)
		p.open()
		bottom = int(p.js('return document.documentElement.getBoundingClientRect().bottom'))
		p.true('room below', bottom < 800)
		p.same(scheme, p.pixel(600, bottom + 20), p.pixel(600, bottom - 3))
