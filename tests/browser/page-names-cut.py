"""The table shortens long names, but keeps the function's own name, and arguments that are the only difference between names."""
command = 'flamegraph'
format = 'html'
draw = 'page-names-cut.folded'


def case(p):
	p.open()
	names = p.rows('.name')
	p.same('all differ', len(set(names)), 6)
	for part in '…Serialize_<true>', '…Serialize_<false>', 'lexically_relative', 'partitionCmpFunc':
		p.true('%s in %r' % (part, names), any(part.strip('…') in name and name.startswith('…') >= part.startswith('…') for name in names))
