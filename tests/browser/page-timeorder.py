"""In the order of time, the figures are those of any other order: a frame is as wide as its counts, the rest of the time is blank, and the
page says so. Equal frames of consecutive samples are one, and blanks that are too short to be seen do not part them. The tree adds all
frames of a function up. The page says which thread is shown. The counts of the input are summed here, outside of the page."""
import random
import re
import tempfile

from lib.times import drag

format = 'html'
PERIOD = 1003009           # ns, as of a clock at 997 Hz
STACKS = ('load', 'parse'), ('process', 'sort_rows'), ('process', 'validate')


def made():
	"""Returns samples of a thread that has two thirds of a processor, in slices of some ms: (ms, frames)."""
	chance, found, at = random.Random(7), [], 0.0
	while at < 4000:
		for _ in range(chance.randint(3, 12)):
			phase = 0 if at < 1500 else 1 if at % 200 < 60 else 2
			found.append((at, ['main', *STACKS[phase], 'leaf%d' % chance.randint(0, 4)]))
			at += 1.003
		at += chance.uniform(1, 5)
	return found


SAMPLES = made()
INPUT = tempfile.NamedTemporaryFile('w', suffix='.perf')
INPUT.write(''.join('app 7/%d %d.%06d: %d cpu-clock:\n%s\n' % (tid, 10 + at // 1000, at % 1000 * 1000, PERIOD,
	''.join('\t7f00 %s (app)\n' % name for name in reversed(frames))) for tid, at, frames in sorted(
	[(7, at, frames) for at, frames in SAMPLES] + [(8, 5 + 100 * n, ['wait']) for n in range(3)], key=lambda sample: sample[1])))
INPUT.flush()
draw = INPUT.name
BOXES = '''const titleOf = el => (el.querySelector('title') || { textContent: el.getAttribute('aria-label') }).textContent;
	return Array.from(document.querySelectorAll('#frames > :not(path)'), el => { const rect = el.querySelector('rect') || el;
		return [titleOf(el), Number(rect.getAttribute('fg:x')), Number(rect.getAttribute('fg:w'))]; })'''


def case(p):
	p.size(1400, 900)
	p.open()
	p.wait(lambda: p.shown('#tracks'))
	start, width, buckets = (int(text) for text in p.js('const d = document.querySelector("#times").dataset; return [d.start, d.width, d.buckets]'))
	p.same('the usual order', p.texts('#menu-order [aria-pressed=true]'), ['Alphabetical (not in time)'])

	def taken(name, span):
		"""Returns the sum of the counts of a function in a span."""
		return sum(PERIOD for at, frames in SAMPLES if span[0] <= (round(at * 1000) * 1000 + 10000000000 - start) // width < span[1] and (not name or name in frames))

	def shown(name):
		return [(at, wide) for title, at, wide in p.js(BOXES) if title.startswith(name + ' (')]

	drag(p, '.axis', 1000 / 4003, 2000 / 4003)
	span = tuple(int(text) for text in re.search(r'time%3A(\d+)-(\d+)', p.view()).groups())
	p.near('the bounds are at ticks', span[0], 1e9 / width, 1)
	p.near('the end, too', span[1], 2e9 / width, 1)
	p.same('no text stays over the time', p.shown('.axis .bubble'), False)
	chip = p.texts('#chain .chip')[0]
	others = {name: sum(wide for _, wide in shown(name)) for name in ('main', 'load', 'process', 'sort_rows', 'validate')}
	p.same('the input', {name: taken(name, span) for name in others}, others)
	p.choose('order', 'In time, one thread')
	p.wait(lambda: 'order=time' in p.view())
	p.same('no other counts', {name: sum(wide for _, wide in shown(name)) for name in others}, others)
	p.same('in the same words', p.texts('#chain .chip')[0], chip)
	p.true('counts of CPU: %r' % p.frame('main (')['title'], ' ms of CPU, ' in p.frame('main (')['title'])
	root = p.frame('all (')
	p.same('a span of time', int(root['samples']), (span[1] - span[0]) * width)
	p.same('what the root is', root['title'], 'all (1 s of time, %.0f ms of CPU, 100%%)' % (taken('', span) / 1e6))
	p.same('its label', root['label'], root['title'].replace(', 100%', ''))
	p.true('what is blank', p.text('#trail').count('thread app 7 in the order of time; blank: no samples'))
	p.same('one of two', p.text('#threads').strip(), '1 of 2 threads')
	p.hover('all (')
	p.true('details: %r' % p.text('footer'),
		'total 1 s of time' in p.text('footer') and 'without samples %.0f ms' % (((span[1] - span[0]) * width - taken('', span)) / 1e6) in p.text('footer'))
	p.true('frames are whole', len(shown('main')) < 40)
	for name in ('sort_rows', 'validate', 'load'):
		mine = sorted(shown(name))
		p.true('%s is whole' % name, all(at + wide < after for (at, wide), (after, _) in zip(mine, mine[1:])))
		middle = sum((at + wide / 2) * wide for at, wide in mine) / others[name]
		real = [at * 1e6 + 1e10 - start - span[0] * width for at, frames in SAMPLES if name in frames and span[0] <= (at * 1e6 + 1e10 - start) // width < span[1]]
		p.near('%s is at its time' % name, middle / 1e9, sum(real) / len(real) / 1e9, 0.016)

	# The tree
	p.press('#tab-tree')
	rows = p.js('''return Array.from(document.querySelectorAll('#view-tree [role=treeitem]'), el => [el.querySelector('.name').textContent,
		...Array.from(el.querySelectorAll('.number'), s => s.textContent)])''')
	of = (span[1] - span[0]) * width
	p.same('sums in the tree', rows[:2], [['all', '100.00%', '%.2f%%' % (100 - 100 * taken('', span) / of)], ['app', '%.2f%%' % (100 * taken('main', span) / of), '0.00%']])
	p.same('callees, too', {row[0]: row[1] for row in rows[3:5]}, {name: '%.2f%%' % (100 * taken(name, span) / of) for name in ('load', 'process')})
	p.press('#tab-graph')
	p.search('^validate$')
	p.press('#tab-tree')
	p.press('#view-tree .twist')
	p.same('matches in closed rows of the tree', [row for row in p.texts('#view-tree .below')], ['%d matches below' % len(shown('validate'))])
	p.press('#tab-graph')

	# Threads
	p.press('#threads')
	p.same('of the span', p.texts('.threads small'), ['100.0%', '0.0%'])
	p.press('#chain button')
	all_counts = len(SAMPLES) + 3
	p.same('of all', p.texts('.threads small'), ['%.1f%%' % (100 * len(SAMPLES) / all_counts), '%.1f%%' % (100 * 3 / all_counts)])
	p.press('#tracks .threads button', 1)
	p.true('a picked thread', p.texts('#chain .chip')[0].startswith('thread app 7/8, '))
	p.true('its name', p.js('return document.querySelector("#threads").title') == 'thread app 7/8')
