"""The script computes the same figures as the library, those in tests/vectors: functions, their callers and callees, labels, units."""
from lib.vectors import check_functions, lines, probe

format = 'html'
draw = '../vectors/recursion.folded'


def case(p):
	p.open()
	probe(p)
	check_functions(p, 'functions.tsv')
	labels, units = lines('labels.tsv'), lines('units.tsv')
	p.true('some of each', min(len(labels), len(units)) > 40)
	p.same('labels', p.js('return arguments[0].map(([name, room]) => [name, room, probe.shorten(name, Number(room))])', labels), labels)
	p.same('units', p.js('''return arguments[0].map(([name, text]) =>
		[name, text, ...probe.unit(name, text.length > 15 ? BigInt(text) : Number(text))])''', units), units)
