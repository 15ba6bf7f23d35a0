"""For two profiles, the script computes the same figures as the library, those in tests/vectors: functions and their changes."""
from lib.vectors import check_functions, lines, probe

format = 'html'
draw = '../vectors/two.folded'


def case(p):
	p.open()
	probe(p)
	check_functions(p, 'functions-two.tsv')
	changes = lines('changes.tsv')
	p.true('some', len(changes) > 40)
	p.same('changes', p.js('''return arguments[0].map(line =>
		line.slice(0, 7).concat(probe.change(line.slice(0, 5).map(Number), Number(line[5]), Number(line[6]))))''', changes), changes)
