"""If narrow frames are missing in the file, the table says so."""
format = 'html'
draw = 'plain.folded --minwidth 20% --data visible'


def case(p):
	p.open()
	p.same('summary', p.js('return document.querySelector(".count").title'), '5 functions, without frames too narrow for the file')
