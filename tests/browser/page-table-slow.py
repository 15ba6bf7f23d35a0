"""A pattern for which the time doubles with every letter is stopped in the table's field; a search in the picture goes on beside it."""
format = 'html'
draw = 'slow.folded'


def case(p):
	p.open()
	summary = p.text('#panel-table .summary')
	p.press('#panel-table input')
	p.keys(*'(a+)+$')
	p.press('#graph > svg #search')
	p.answer('r.*d.*a')
	p.wait(lambda: p.matched() == 'Matched: 50.0%')
	p.wait(lambda: p.text('#panel-table .summary').startswith('Stopped: '))
	p.js('const el = document.querySelector("#panel-table input"); el.value = ""; el.dispatchEvent(new Event("input"))')
	p.same('all again', p.text('#panel-table .summary'), summary)
