"""A picture inside <img> is dark in dark mode, too."""
draw = 'plain.folded'


def case(p):
	p.write('dark-image.html', '<!DOCTYPE html><title>image</title><style>:root { color-scheme: light dark; } body { margin: 0; }</style>'
		'<img src="dark-image.svg" alt="">')
	p.open(path='dark-image.html')
	p.true('light', min(p.pixel(3, 3)) > 200)
	p.prefer('dark')
	p.open(path='dark-image.html')
	p.true('dark: %r' % p.pixel(3, 3), max(p.pixel(3, 3)) < 60)
