"""A page of two profiles has two heat maps: the map of the first profile is above the map of the second. A cell has a
colour where the input has samples; a click picks its time in both profiles; a search colours the
cells with matches."""
import re

from lib.times import heat_rows, samples

command = 'diff'
format = 'html'
draw = 'times.perf times-after.perf'
TITLE = 18  # px above each map
CELLS = '''const [points] = arguments, c = document.querySelector('.heat canvas'), box = c.getBoundingClientRect(), scale = c.width / box.width;
	const pen = c.getContext('2d');
	return points.map(([x, y]) => Array.from(pen.getImageData(x * scale, y * scale, 1, 1).data));'''


def case(p):
	p.size(1400, 900)
	p.open()
	p.wait(lambda: p.shown('.axis'))
	width, buckets = (int(text) for text in p.js('const d = document.querySelector("#times").dataset; return [d.width, d.buckets]'))
	found = [samples(file) for file in ('times.perf', 'times-after.perf')]

	def counted(side, bucket, name=None):
		start = min(seconds for _, seconds, _, _ in found[side]) * 1e9 // width
		return sum(count for _, seconds, count, frames in found[side]
			if seconds * 1e9 // width - start == bucket and (not name or name in frames))

	p.press('#tab-heat')
	p.wait(lambda: p.shown('.heat'))
	p.same('titles', p.texts('.heat .sides'), ['before', 'after'])
	rows = heat_rows(p, width)
	columns = -(-buckets // rows)
	left, top, across, down = p.js('const b = document.querySelector(".heat canvas").getBoundingClientRect(); return [b.x, b.y, b.width, b.height]')
	part = down / 2

	def place(side, bucket):
		# A point in the left quarter of the cell: a search colours this quarter first
		return ((bucket // rows + 0.25) * across / columns, (side + 1) * part - (bucket % rows + 0.5) * (part - TITLE) / rows)

	for side, when in (0, 'before'), (1, 'after'):
		cells = p.js(CELLS, [place(side, bucket) for bucket in range(buckets)])
		p.same('cells ' + when, [cell[3] > 0 for cell in cells], [counted(side, bucket) > 0 for bucket in range(buckets)])
	busy = max(range(buckets), key=lambda bucket: counted(0, bucket))
	x, y = place(0, busy)
	p.hover((left + x, top + y))
	told = p.text('.heat .bubble').split('\n')
	p.true('shares and a stack: %r' % told, ' → ' in told[0] and len(told) > 1)
	p.push(left + x, top + y)
	p.same('a click picks the cell', re.search(r'time%3A(\d+)-(\d+)', p.view()).groups(), (str(busy), str(busy + 1)))
	p.same('in both profiles', re.search(r'([\d,]+) before, ([\d,]+) after\)$', p.frame('all (')['title']).groups(),
		tuple('{:,}'.format(counted(side, busy)) for side in (0, 1)))
	p.press('#chain button')
	p.search('^draw$')
	for side, when in (0, 'before'), (1, 'after'):
		cells = p.js(CELLS, [place(side, bucket) for bucket in range(buckets)])
		hit = [counted(side, bucket, 'draw') > 0.3 * max(counted(side, bucket), 1) for bucket in range(buckets)]
		p.same('a search colours cells ' + when, [cell[3] > 0 and cell[2] > cell[0] + 40 for cell in cells], hit)
