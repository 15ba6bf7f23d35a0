"""With --style=modern, matches keep their colour and get a line. All other frames become pale, with readable text."""
draw = 'plain.folded --style=modern'

LOOK = """return Array.from(document.querySelectorAll('#frames > g')).map(function (el) {
	const rect = el.querySelector('rect'), text = el.querySelector('text');
	return [el.querySelector('title').textContent.split(' ')[0], getComputedStyle(rect).fill, el.classList.contains('hit')]; })"""
LINES = "const path = document.querySelector('#frames > .under'); return path ? path.getAttribute('d').split('M').length - 1 : 0"


def look(p):
	return {name: (fill, hit) for name, fill, hit in p.js(LOOK)}


def case(p):
	p.open()
	before = look(p)
	p.search('^lex$')
	for scheme in ['light', 'dark']:
		p.prefer(scheme)
		after = look(p)
		p.same('hits', [name for name in after if after[name][1]], ['lex'])
		p.true('others are alike', len({fill for fill, hit in after.values() if not hit}) == 1)
		p.true('the hit is not', after['lex'][0] not in {fill for fill, hit in after.values() if not hit})
	p.prefer('light')
	p.same('the colour of the hit', look(p)['lex'][0], before['lex'][0])
	p.same('lines', p.js(LINES), 1)
	p.click('parse')
	p.same('lines, zoomed', p.js(LINES), 1)
	p.keys('Escape')
	p.keys('Escape')
	p.same('as before', look(p), before)
	p.same('no lines', p.js(LINES), 0)
