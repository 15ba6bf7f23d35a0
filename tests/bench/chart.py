"""A small chart: lines over two logarithmic axes. Proportional growth has the same slope everywhere."""
import html
import math

WIDTH, HEIGHT = 720, 420
LEFT, RIGHT, TOP, BOTTOM = 70, 150, 50, 55  # margins
STYLE = '''text { font: 13px system-ui, sans-serif; fill: #333 } .title { font-size: 16px; font-weight: 600 }
.grid { stroke: #ddd } .axis { stroke: #888 } polyline { fill: none; stroke-width: 2.5; stroke-linejoin: round }
.s0 { --c: #c2410c } .s1 { --c: #1d6fb8 } .s2 { --c: #6b7280 } .s3 { --c: #4d7c0f }
polyline, circle { stroke: var(--c) } circle { fill: var(--c) } .name { fill: var(--c); font-weight: 600 }
@media (prefers-color-scheme: dark) { text { fill: #ccc } .grid { stroke: #333 } .axis { stroke: #777 }
.s0 { --c: #fb923c } .s1 { --c: #60a5fa } .s2 { --c: #a3a3a3 } .s3 { --c: #a3e635 } }'''


def axis(low, high, begin, end):
	"""Returns the position of a value on a logarithmic axis."""
	span = math.log(high / low) or 1
	return lambda value: begin + (end - begin) * math.log(value / low) / span


def ticks_between(low, high):
	"""Yields 1, 2, 5, 10, 20 and so on."""
	powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
	return [tick for power in powers for tick in (10.0 ** power, 2 * 10.0 ** power, 5 * 10.0 ** power) if low <= tick <= high]


def element(name, text=None, **attributes):
	words = ''.join(' %s="%s"' % (key.strip('_').replace('_', '-'), '%.1f' % value if isinstance(value, float) else
		html.escape(str(value))) for key, value in attributes.items())
	return '<%s%s/>' % (name, words) if text is None else '<%s%s>%s</%s>' % (name, words, html.escape(text), name)


def spread(places, least):
	"""Moves the places of labels apart, from the top down."""
	moved, last = {}, -math.inf
	for name, place in sorted(places.items(), key=lambda item: item[1]):
		last = max(place, last + least)
		moved[name] = last
	return moved


def draw(title, across, up, lines):
	"""Returns the SVG text of {name: [(x, y), ...]}; all x and y are above 0."""
	columns = sorted({x for line in lines.values() for x, _ in line})
	values = [y for line in lines.values() for _, y in line]
	low, high = min(values) / 1.5, max(values) * 1.5
	right, floor = WIDTH - RIGHT, HEIGHT - BOTTOM
	to_x, to_y = axis(columns[0], columns[-1], LEFT + 20, right - 10), axis(low, high, floor, TOP)
	out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-label="%s">' %
		(WIDTH, HEIGHT, html.escape(title)), '<style>%s</style>' % STYLE, element('text', title, x=LEFT, y=26, class_='title')]
	for tick in ticks_between(low, high):
		out += [element('line', x1=LEFT, x2=right, y1=to_y(tick), y2=to_y(tick), class_='grid'),
			element('text', '%g' % tick, x=LEFT - 8, y=to_y(tick) + 4, text_anchor='end')]
	for column in columns:
		out += [element('line', x1=to_x(column), x2=to_x(column), y1=TOP, y2=floor, class_='grid'),
			element('text', '{:,.0f}'.format(column), x=to_x(column), y=floor + 20, text_anchor='middle')]
	out += [element('line', x1=LEFT, x2=right, y1=floor, y2=floor, class_='axis'),
		element('line', x1=LEFT, x2=LEFT, y1=TOP, y2=floor, class_='axis'),
		element('text', across, x=(LEFT + right) / 2, y=HEIGHT - 12, text_anchor='middle'),
		element('text', up, transform='translate(20 %d) rotate(-90)' % ((TOP + floor) / 2), text_anchor='middle')]
	names = spread({name: to_y(line[-1][1]) for name, line in lines.items()}, 16)
	for i, (name, line) in enumerate(lines.items()):
		points = [(to_x(x), to_y(y)) for x, y in line]
		out.append('<g class="s%d">' % i + element('polyline', points=' '.join('%.1f,%.1f' % point for point in points)))
		out += [element('circle', cx=x, cy=y, r=3) for x, y in points]
		out.append(element('text', name, x=right + 4, y=names[name] + 4, class_='name') + '</g>')
	return '\n'.join(out + ['</svg>', ''])
