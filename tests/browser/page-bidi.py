"""Marks in a name that reverse text are shown as such: in labels, in the table, the tree, the details and the trail."""
format = 'html'
draw = 'page-bidi.folded'
MARKS = '''return Array.from(document.querySelectorAll(arguments[0]), el => el.textContent).filter(text => /[\\u202a-\\u202e\\u2066-\\u2069]/.test(text))'''
SEEN = 'ab\ufffdgnp.exe'


def case(p):
	p.size(1400, 900)
	p.open()
	p.same('the label', p.texts('#frames text')[:1], [SEEN])
	p.true('the table', SEEN in p.texts('.rows .name'))
	p.click((p.frame('ab')['x'] + 20, p.frame('ab')['y'] + 8))
	p.wait(lambda: 'z=' in p.view())
	p.same('after a zoom', SEEN in p.texts('#frames text'), True)
	p.same('details', p.text('footer strong'), SEEN)
	p.same('trail', p.texts('nav li')[-1], SEEN)
	p.press('#tab-tree')
	p.true('the tree', SEEN in p.texts('.tree .name'))
	p.press('#tab-callers')
	p.true('callers and callees', SEEN in p.texts('#sandwich text'))
	p.same('nothing else', p.js(MARKS, '#graph text, #sandwich text, aside *, #trail *, footer *, .tree *'), [])
