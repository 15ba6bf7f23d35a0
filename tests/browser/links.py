"""On a frame with a link, a click or Enter follows the link. Ctrl-click or Space zooms."""
draw = 'plain.folded --nameattr links.attrs'


def case(p):
	here = 'return location.pathname'
	p.write('linked.html', '<!DOCTYPE html><title>linked</title>')
	p.open()
	p.same('element', p.js('return document.querySelectorAll("#frames > a").length') > 0, True)
	p.click('Calculate', key='Control')
	p.same('stays', p.js(here), '/links.svg')
	p.near('Ctrl-click zooms', p.frame('Calculate')['width'], 1180)
	p.same('label is the name', p.frame('Calculate')['label'], 'run')
	p.click('#unzoom')
	p.click('parse (')
	p.same('others zoom', p.js(here), '/links.svg')
	p.keys('Escape')
	p.click('Calculate')
	p.wait(lambda: p.js(here) == '/linked.html')
	p.open()
	p.keys('Tab', 'ArrowUp', 'ArrowUp', 'ArrowRight')
	p.same('focus', p.focused(), 'Calculate')
	p.keys('Space')
	p.near('Space zooms', p.frame('Calculate')['width'], 1180)
	p.keys('Tab')
	p.same('links are not stops of their own', p.js('return !document.activeElement || !document.activeElement.closest("#frames")'), True)
	p.keys('Shift-Tab', 'Enter')
	p.wait(lambda: p.js(here) == '/linked.html')
	p.open('?s=%5Erun%24')
	p.same('found by name', p.matched(), 'Matched: ' + p.covered('plain.folded', '^run$'))
