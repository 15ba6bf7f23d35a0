"""Without scripts, screen readers see the picture as one image with a name and a summary."""
draw = 'plain.folded --no-javascript --title "Read & <eval>" --countname "ms"'


def case(p):
	p.open()
	p.same('picture', p.spoken('svg'), ('image', 'Read & <eval>'))
	tree = p.cdp('Accessibility.getFullAXTree')['nodes']
	said = [node['description']['value'] for node in tree if node.get('description', {}).get('value')]
	p.same('summary', said, ['122 ms in all. Functions with most ms of their own: read 41 (33.61%), mainly 21 (17.21%), '
		'eval 17 (13.93%), idle 14 (11.48%), refill 9 (7.38%).'])
	p.same('name of the page', p.js('return document.title'), 'Read & <eval>')
