"""A picture without frames does not break the viewer, and leaves Ctrl-F to the browser."""
draw = 'plain.folded --minwidth 200'


def case(p):
	p.open('?x=0&y=0&s=a')
	p.same('frames', p.js('return document.querySelector("#frames").children.length'), 0)
	p.same('matched', p.text('#matched'), 'Matched: 0% (no match)')
	p.size(700)
	p.click('#search')
	p.click('#ignorecase')
	p.keys('Tab', 'Enter', 'Escape', 'ArrowUp', 'Control-f')
	p.same('not asked', p.asked(), False)
	p.hover('#title')
