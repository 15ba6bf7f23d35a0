"""In a file without its narrow frames, a search for one name is exact. While the details line is
empty, the picture shows the share of the missing frames."""
draw = 'plain.folded --minwidth 20% --data visible'


def case(p):
	p.open()
	p.true('said', p.text('#leftout').startswith('Left out: ') and p.shown('#leftout'))
	p.hover('main (')
	p.same('not below the details', p.shown('#leftout'), False)
	p.hover('#title')
	p.same('said again', p.shown('#leftout'), True)
	p.search('^z$')
	p.same('left out', p.text('#matched'), 'Matched: ' + p.covered('plain.folded', '^z$') + ' (0 frames)')
	p.keys('n')
	p.same('nothing to go to', p.js('return document.querySelector("#frames :focus")'), None)
	p.click('#search')
	p.search('^eval$')
	p.same('in part', p.matched(), 'Matched: ' + p.covered('plain.folded', '^eval$'))
	p.click('#search')
	p.search('^lex$|^z$')
	p.same('bounds', p.matched(), 'Matched: 24.6–25.4%')
	p.click('run (')
	p.same('nothing more is drawn', p.visible(), ['run'])
	p.same('nothing was seen', p.matched(), 'Matched: 0.0–2.7%')
	p.open('#s=^nothing$')
	p.same('no such name', p.matched(), 'Matched: 0% (no match)')
