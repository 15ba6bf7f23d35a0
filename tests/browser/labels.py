"""Labels are cut at the right, as in the file, and are as long as the boxes allow: at load, after a resize and after a zoom."""
draw = 'plain.folded'

LABELS = '''return Array.from(document.querySelector('#frames').children).map(function (el) {
	const text = el.querySelector('text');
	return [el.querySelector('title').textContent.replace(/ \\([\\d,]+ samples, .*$/, ''), text.textContent,
		el.querySelector('rect').getBoundingClientRect().width, text.getComputedTextLength(),
		text.getBoundingClientRect().left - el.querySelector('rect').getBoundingClientRect().left];
})'''


def check(p):
	cut = whole = none = 0
	one = p.js('''const t = document.querySelector('#search'); return t.getComputedTextLength() / 6''')
	for name, label, width, length, inset in p.js(LABELS):
		if width == 0:
			continue
		room = width - 3
		if label == '':
			none += 1
			p.true('nothing fits %r in %r' % (name, room), room < 2 * 12 * 0.59 or room < 3 * one)
			continue
		p.true('%r fits in %r' % (label, width), length <= room + 0.1)
		p.true('%r has room for two' % label, room >= 2 * 12 * 0.59)
		p.near('inset of %r' % name, inset, 3, 0.5)
		if label.startswith('all (') and name == 'all':
			continue
		if label == name:
			whole += 1
		else:
			cut += 1
			p.true('%r is the start of %r' % (label, name), label[-2:] == '..' and name.startswith(label[:-2]))
			p.true('one more would not fit: %r' % label, length + one > room - 0.1)
	return cut, whole, none


def case(p):
	p.open()
	p.true('some of each kind', min(check(p)) > 0)
	first = p.frame('std::vector')['label']
	p.size(1600)
	check(p)
	p.size(560)
	check(p)
	p.true('shorter when narrow', len(p.frame('std::vector')['label']) < len(first))
	p.size(1000)
	p.click('run (')
	check(p)
	p.true('longer when zoomed', len(p.frame('std::vector')['label']) > len(first))
