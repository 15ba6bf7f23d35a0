"""With --style=modern the viewer shortens names as the file does: it drops the least informative parts first."""
draw = 'modern.folded --style=modern'


def case(p):
	p.open()
	name = 'std::vector<int>::push_back(int const&)'
	seen = []
	for width in range(2400, 400, -100):
		p.size(width)
		label = p.frame(name)['label']
		if not seen or label != seen[-1]:
			seen.append(label)
	p.same('labels', seen[:4], [name, 'std::vector::push_back', 'vector::push_back', 'push_back'])
	p.true('cut at the end: %r' % seen[4:], len(seen) > 4 and all(len(label) > 2 and label[-1] == '…' and
		'push_back'.startswith(label[:-1]) for label in seen[4:]))
