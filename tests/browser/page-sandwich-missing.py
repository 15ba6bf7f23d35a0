"""If the function does not occur in what is shown, the view of callers and callees says so, and why, and offers to show it again."""
command = 'diff'
format = 'html'
draw = 'before.folded after.folded'
DRAWN = 'return document.querySelectorAll("#sandwich svg g").length'


def case(p):
	p.open('#fn=gone&view=callers')
	p.true('it is drawn', p.js(DRAWN) > 2 and not p.shown('#sandwich > .nothing'))
	p.choose('colour', 'As wide as after')
	p.same('words', p.text('#sandwich > .nothing p'), 'gone does not occur in the second profile')
	p.same('no frame, no count', (p.js(DRAWN), p.text('#sandwich .details')), (0, ''))
	p.press('#sandwich > .nothing button')
	p.true('both profiles again', p.js(DRAWN) > 2 and 'side' not in p.view())
	p.open('#fn=slow&view=callers&f=only:%5Efast%24')
	p.same('filters', (p.text('#sandwich > .nothing p'), p.texts('#sandwich > .nothing button')), ('slow does not occur with these filters', ['Remove the filters']))
	p.press('#sandwich > .nothing button')
	p.true('no filter', p.js(DRAWN) > 2 and not p.texts('#chain .chip'))
