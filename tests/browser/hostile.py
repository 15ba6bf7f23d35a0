"""Markup and code in names, title, notes and settings are shown as text, and never run."""
draw = ('hostile.folded --title "</text><script>window.ran=1</script>" --nametype "</script>\';window.ran=2;//]]>" '
	'--countname "<b onload=\'window.ran=3\'>" --notes="--><script>window.ran=4</script>" '
	'--fonttype "x;}</style><script>window.ran=5</script>"')


def case(p):
	p.open()
	name = '</script><img src=x onerror="window.ran=6">'
	p.click(name)
	p.near('zoomed', p.frame(name)['width'], 1180)
	p.hover(name)
	p.same('details', p.told(), "</script>';window.ran=2;//]]> " + p.frame(name)['title'] + ' | 100.00% of view')
	p.keys('Escape')
	p.search('<img|\\]\\]>|&amp')
	p.same('found', p.matched(), 'Matched: ' + p.covered('hostile.folded', '<img|\\]\\]>|&amp'))
	p.keys('Escape')
	for name in ']]><script>', '&amp', '&#60', "a'b\\", '${window.ran=8}':
		p.click(name)
		p.near(name + ' zoomed', p.frame(name)['width'], 1180)
		p.keys('Escape')
	p.search('<script>window.ran=9</script>')
	p.same('ran', p.js('return window.ran || null'), None)
	p.same('elements', p.js('return document.querySelectorAll("script").length + document.querySelectorAll("img").length'), 1)
