"""Packs profiles for pictures, in every way that the format allows, to test how the viewer unpacks
them."""
import base64
import os
import re
import zlib


def varint(value):
	out = bytearray()
	while value > 127:
		out.append(value & 127 | 128)
		value >>= 7
	out.append(value)
	return bytes(out)


def text(value):
	data = value.encode()
	return varint(len(data)) + data


def deflate(data, level=9, strategy=zlib.Z_DEFAULT_STRATEGY):
	packer = zlib.compressobj(level, zlib.DEFLATED, -15, 9, strategy)
	return packer.compress(data) + packer.flush()


def frame(name, own=0, children=(), delta=None, hidden=0, gap=0):
	"""Returns a frame with its callees. With gaps, `gap` is the count to the left of the frame."""
	return {'name': name, 'own': own, 'children': children, 'delta': delta, 'hidden': hidden, 'gap': gap}


def total(tree):
	return tree['own'] + tree['hidden'] + sum(total(child) for child in tree['children'])


def preorder(tree):
	found, todo = [], [(tree, 0)]
	while todo:
		one, depth = todo.pop()
		found.append((one, depth))
		todo += [(child, depth + 1) for child in reversed(one['children'])]
	return found


def pack(tree, gaps=False, attributes=(), unseen=None, colours=((10, 20, 30),)):
	"""`attributes` holds (name, is a link, attributes as XML, title or None); `unseen` a weight by name."""
	frames = preorder(tree)
	names = sorted({one['name'] for one, _ in frames})
	deltas = any(one['delta'] is not None for one, _ in frames)
	out = b'\1' + varint(deltas | 2 * gaps | 4 * (unseen is not None)) + varint(len(frames)) + varint(len(names)) + varint(len(colours))
	before = -1
	for _, depth in frames:
		out += varint(before + 1 - depth)
		before = depth
	out += b''.join(varint(names.index(one['name'])) for one, _ in frames)
	out += b''.join(varint(one['own']) for one, _ in frames)
	if gaps:
		out += b''.join(varint(one['hidden']) for one, _ in frames) + b''.join(varint(one['gap']) for one, _ in frames)
	if deltas:
		for one, _ in frames:
			out += b'\0' if one['delta'] is None else varint(1 if one['delta'] >= 0 else 2) + varint(abs(one['delta']))
	last = b''
	for name in names:
		data = name.encode('utf-8', 'surrogatepass')
		shared = len(os.path.commonprefix([last, data]))
		out += varint(shared) + varint(len(data) - shared) + data[shared:]
		last = data
	out += bytes(sum(colours, ())) + b''.join(varint(i % len(colours)) for i in range(len(names)))
	out += varint(len(attributes))
	for name, link, xml, title in attributes:
		out += varint(names.index(name)) + varint(link) + text(xml) + (b'\0' if title is None else b'\1' + text(title))
	if unseen is not None:
		out += b''.join(varint(unseen.get(name, 0)) for name in names)
	return out


def put(svg, packed, coding, count=None, shown=None, extra=''):
	"""Returns the picture with other data, perhaps with another total, and only with frames whose titles begin with an item of `shown`."""
	old = re.search('<metadata id="profile".*?</metadata>', svg, re.DOTALL).group()
	head = re.sub('data-coding="[a-z]*"', 'data-coding="%s"%s' % (coding, extra), old[:old.index('>') + 1])
	svg = svg.replace(old, head + base64.b64encode(packed).decode() + '</metadata>')
	if count is not None:
		svg = re.sub('total_samples="[0-9]+"', 'total_samples="%d"' % count, svg)
		svg = re.sub('(<title>all .*?fg:w=")[0-9]+', r'\g<1>%d' % count, svg)
	if shown is not None:
		svg = re.sub('<g><title>(.*?) \\(.*?</g>', lambda g: g.group() if g.group(1) in shown else '', svg)
	return svg


def read_folded(path):
	"""Returns the tree of folded text."""
	root = frame('', children=[])
	with open(path, encoding='utf-8') as lines:
		for line in sorted(lines):
			stack, count = line.rstrip('\n').rsplit(' ', 1)
			at = root
			for name in stack.split(';'):
				found = [child for child in at['children'] if child['name'] == name]
				if not found:
					found = [frame(name, children=[])]
					at['children'].append(found[0])
				at = found[0]
			at['own'] += int(count)
	return root
