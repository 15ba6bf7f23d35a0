"""In the order of time, the graph is the flame chart of one thread: the width of a frame is its
duration, frames are in the order of the input, and idle times are empty. A search, a filter, a span
and a zoom work in it; the address keeps it."""
import os

from lib.times import drag, samples

format = 'html'
draw = 'times.perf'
ROWS = '''const edge = document.querySelector('#frames').getBoundingClientRect();
	return Array.from(document.querySelectorAll('#frames > :not(path)'), el => {
		const { left, width } = (el.querySelector('rect') || el).getBoundingClientRect();
		return [(el.querySelector('title') || { textContent: el.getAttribute('aria-label') }).textContent.split(' (')[0], (left - edge.left) / edge.width, width / edge.width]; })'''


def case(p):
	all_samples = samples(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'times.perf'))
	p.size(1400, 900)
	p.open()
	p.wait(lambda: p.shown('#tracks'))
	start, width, buckets = (int(text) for text in p.js('const d = document.querySelector("#times").dataset; return [d.start, d.width, d.buckets]'))
	p.choose('order', 'In time, one thread')
	p.wait(lambda: 'order=time' in p.view())
	p.true('which thread', 'app 7 in the order of time, widths are time; blank: no samples' in p.text('#trail'))

	def taken(name, thread='app 7/7', span=None):
		"""Returns the share of time in which a function ran: its share of the counts in each bucket, averaged over the buckets."""
		shares = {}
		for who, seconds, count, frames in all_samples:
			bucket = int((seconds * 1e9 - start) // width)
			if who == thread and count and (not span or span[0] <= bucket < span[1]):
				all_counts, its = shares.get(bucket, (0, 0))
				shares[bucket] = all_counts + count, its + (count if name in frames else 0)
		return sum(its / of for of, its in shares.values()) / ((span[1] - span[0]) if span else buckets)

	rows = p.js(ROWS)
	for name in ('parse', 'draw'):
		p.near('time in ' + name, sum(wide for row, _, wide in rows if row == name), taken(name), 0.05)
	first = {name: min(seconds for who, seconds, count, frames in all_samples if who == 'app 7/7' and count and name in frames) for name in ('parse', 'draw')}
	drawn = {name: min(left for row, left, _ in rows if row == name) for name in first}
	p.same('in the order of time', sorted(first, key=first.get), sorted(drawn, key=drawn.get))
	for name in first:
		p.near('where it began', drawn[name], (first[name] * 1e9 - start) / width / buckets, 0.02)
	view = p.view()
	p.open(path='blank.txt')
	p.open(view)
	p.same('in the address', p.js(ROWS), rows)
	p.search('^draw$')
	p.true('a search', p.js('return document.querySelectorAll("#frames > .hit").length') > 0)
	p.open('#order=time&f=without:%5Edraw%24')
	p.true('a filter', not [row for row in p.js(ROWS) if row[0] == 'draw'] and [row for row in p.js(ROWS) if row[0] == 'parse'])
	p.open('#order=time')
	p.true('a unit of time', ' ms' in p.frame('all (')['title'] or ' s' in p.frame('all (')['title'] or ' µs' in p.frame('all (')['title'])
	drag(p, '.axis', 0.5, 1)
	p.near('a span', sum(wide for row, _, wide in p.js(ROWS) if row == 'draw'), taken('draw', span=(buckets // 2, buckets)), 0.08)
	p.choose('order', 'Alphabetical (not in time)')
	p.true('counts again', p.frame('all (')['title'].count('samples') + p.frame('all (')['title'].count('ns') + 1)
