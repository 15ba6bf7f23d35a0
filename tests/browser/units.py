"""The script says counts as tests/units.tsv wants it and the library does it; and a page whose unit is known says them so, with the exact
count in titles and details, also for frames that the script draws."""
import os
import re

format = 'html'
draw = '--countname bytes --minwidth 0 units.folded'
HERE = os.path.dirname(os.path.abspath(__file__))
MODULES = [os.path.join(HERE, '../../src/web/viewer', name) for name in ('counts.js', 'units.js')]


def script():
	"""The modules as one function's body."""
	text = ''
	for path in MODULES:
		with open(path, encoding='utf-8') as file:
			text += re.sub(r'^import .*$|^export ', '', file.read(), flags=re.M)
	return text


def vectors():
	with open(os.path.join(HERE, '../units.tsv'), encoding='utf-8') as lines:
		return [line.rstrip('\n').split('\t') for line in lines if line[0] != '#']


def case(p):
	wanted = vectors()
	p.true('vectors', len(wanted) > 40)
	got = p.js(script() + '''return arguments[0].map(([name, text]) => {
		const count = text.length > 15 ? BigInt(text) : Number(text);
		useUnit(name, false);
		return [name, text, inUnit(count), subjectText().trim(), exactCount(count)];
	})''', wanted)
	for one, want in zip(got, wanted):
		p.same('unit', one, want)
	p.open()
	p.same('root', p.frame('all')['title'], 'all (44.1 MiB, 100%; 46,242,119 bytes)')
	p.same('its label', p.frame('all')['label'], 'all (44.1 MiB)')
	p.same('large', p.frame('large')['title'], 'large (34.3 MiB, 77.73%; 35,944,000 bytes)')
	p.same('small', p.frame('small')['title'], 'small (119 bytes, 0.00%)')
	p.hover('large')
	p.same('details', p.text('#details'), 'Function: large (34.3 MiB, 77.73%; 35,944,000 bytes) | self 34.3 MiB, 77.73%')
	p.same('table', p.texts('#panel-table .rows .wide')[:2], ['34.3 MiB', '34.3 MiB'])
	p.same('exact in the table', p.js('return document.querySelector("#panel-table .rows .wide").title'), '35,944,000 bytes')
	p.push(*p.middle('middle'))
	p.same('name', p.texts('nav li'), ['all', 'main', 'middle'])
	p.press('nav button')
	p.js('document.querySelector("form.filter select").value = "without"')
	p.press('form.filter input')
	p.keys(*'large', 'Enter')
	p.same('drawn by the script', p.frame('middle')['title'], 'middle (9.82 MiB, 100.00%; 10,298,000 bytes)')
	p.same('root after a filter', p.frame('all')['label'], 'all (9.82 MiB)')
	p.hover('middle')
	p.js('document.activeElement.blur()')
	p.keys('s')
	p.true('callers and callees', 'middle (9.82 MiB, 100.00%; 10,298,000 bytes)' in p.texts('#sandwich title'))
