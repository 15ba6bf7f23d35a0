"""Strips show the activity of each thread. Selecting a span, with the mouse, a finger or keys,
narrows the picture to its samples, with the counts of the input; so does selecting a thread. The
address of the page holds the span and the thread. A second span is compared with the first."""
import re

from lib.times import drag, samples

format = 'html'
draw = 'times.perf'
TEXT = 'return document.querySelector(".facts").textContent'


def case(p):
	all_samples = samples('times.perf')
	p.open()
	p.wait(lambda: p.js(TEXT) != '')
	data = p.js('const d = document.querySelector("#times").dataset; return [d.start, d.width, d.buckets]')
	start, width, buckets = (int(text) for text in data)

	def counted(span, thread=None, name=None):
		return sum(count for who, seconds, count, frames in all_samples
			if span[0] <= (seconds * 1e9 - start) // width < span[1] and thread in (None, who) and (not name or name in frames))

	def span():
		return tuple(int(text) for text in re.search(r'time%3A(\d+)-(\d+)', p.view()).groups())

	def root():
		return int(p.frame('all (')['samples'])

	p.true('facts', p.js(TEXT).endswith(' · 3 threads'))
	p.near('the text of a tick is at its place', *p.js('''const tick = document.querySelectorAll('.axis .ticks span')[1], [text, axis] = [tick, tick.parentNode]
		.map(el => el.getBoundingClientRect()); return [text.x + text.width / 2 - axis.x, axis.width * parseFloat(tick.style.left) / 100]'''), 1)
	p.press('#threads')
	p.same('threads', p.texts('.threads button'), ['app 7', 'app 7/8', 'helper 9'])
	p.true('says how it is rounded', re.search(r'rounded to [\d.]+ (ms|µs)$', p.js('return document.querySelector(".axis").title')))
	whole = root()
	p.same('all', whole, counted((0, buckets)))
	drag(p, '.axis', 0.1, 0.35)
	first = span()
	p.same('bounds, length and share of the marked span', p.text('.axis .bubble'), '%.1f–%.1f ms · %.3g ms · %.1f%%' % (
		first[0] * width / 1e6, first[1] * width / 1e6, (first[1] - first[0]) * width / 1e6, 100 * counted(first) / whole))
	p.near('from', first[0] / buckets, 0.1, 0.01)
	p.near('to', first[1] / buckets, 0.35, 0.01)
	p.same('narrowed', root(), counted(first))
	p.same('a function', int(p.frame('parse (')['samples']), counted(first, name='parse'))
	p.true('not in the span', p.gone('draw ('))
	p.true('shown', p.shown('.axis .brush.first'))

	# The address
	view = p.view()
	p.open()
	p.open(view)
	p.same('restored', (root(), p.view()), (counted(first), view))

	# A thread
	p.press('#threads')
	p.press('#tracks .threads button', 1)
	p.same('a thread', root(), counted(first, 'app 7/8'))
	p.press('#tracks .threads button', 1)
	p.same('all threads', root(), counted(first))

	# Keys
	p.js('document.querySelector(".axis").focus()')
	p.keys('ArrowRight', 'ArrowRight', 'Shift-ArrowRight')
	p.same('moved and widened', span(), (first[0] + 2, first[1] + 3))
	p.same('counts follow', root(), counted(span()))
	p.same('spoken', p.spoken('.axis')[0], 'slider')
	p.keys('Escape')
	p.same('cleared', (root(), re.search('f=', p.view())), (whole, None))

	# A further filter, and the list of filters
	drag(p, '.axis', 0.5, 0.9, 'touch')
	p.click('draw (')
	p.same('zoomed', p.js('return document.querySelector("#unzoom").classList.contains("hide")'), False)
	p.press('#chain button')
	p.same('removed from the chain', p.shown('.axis .brush.first'), False)
	p.press('nav button')
	p.same('all again', root(), whole)

	# Two spans
	drag(p, '.axis', 0.0, 0.3)
	p.js('Array.from(document.querySelectorAll("button")).find(el => el.textContent === "Compare with ...").click()')
	p.true('says what to do next', p.text('#details').startswith('Drag over the times'))
	p.js('Array.from(document.querySelectorAll("button")).find(el => el.textContent === "Compare with ...").click()')
	drag(p, '.axis', 0.6, 0.95, key='\ue008')
	p.same('the first stays', p.frame('all (')['title'].split('counted ')[1].split(' ')[0], str(counted(span())))
	p.true('second', re.search(r'[#&]u=\d+-\d+', p.view()))
	p.press('aside .bar button', 0)
	rows = {row[0]: row[1:] for row in p.js('''return Array.from(document.querySelectorAll('.rows > .row:not([hidden])'),
		row => Array.from(row.children, cell => cell.textContent))''')}
	other = tuple(int(text) for text in re.search(r'u=(\d+)-(\d+)', p.view()).groups())
	shares = [100 * counted(which, name='draw') / counted(which) for which in (span(), other)]
	p.same('compared', rows['draw'], ['%.2f%%' % shares[0] if shares[0] else 'new', '%.2f%%' % shares[1], '+%.2f%%' % (shares[1] - shares[0])])
	p.same('a frame', int(p.frame('draw (')['title'].split('counted ')[1].split(' ')[0].replace(',', '')), counted(span(), name='draw'))
	p.same('one step', p.texts('#chain .chip')[0].count('→'), 1)
	view = p.view()
	p.open(path='blank.txt')
	p.open(view)
	p.same('the link shows it', p.frame('draw (')['title'].count(' scaled before, '), 2)
	p.press('#chain button')
	p.same('no spans', (re.search('[fu]=', p.view()), len(p.texts('.row.head > *'))), (None, 3))

	# Two threads
	p.press('#threads') if not p.texts('.threads button') else None
	p.press('#tracks .threads button', 0)
	p.press('#trail > button')
	p.press('#tracks .threads button', 1)
	p.true('two threads in the address', 'f=time%3A%400' in p.view() and 'u=%401' in p.view())
	p.same('draw in both threads', [int(text.replace(',', '')) for text in
		re.search(r'counted ([\d,]+) before, ([\d,]+) after', p.frame('all (')['title']).groups()], [counted((0, buckets), thread) for thread in ('app 7/7', 'app 7/8')])
	p.press('#chain button')
	p.press('#threads')

	# Counts that filters leave out are pale; the wheel zooms into time
	p.open('#f=only:^draw$')
	areas = p.js('''return Array.from(document.querySelectorAll('.axis > .chart path'), el => [el.getAttribute('class'), el.getAttribute('d') !== ''])''')
	p.true('pale and not', ['pale', True] in areas and ['', True] in areas)
	p.open()
	box = p.js('const b = document.querySelector(".axis").getBoundingClientRect(); return [b.x, b.y, b.width]')
	p.act({'type': 'wheel', 'id': 'wheel', 'actions': [{'type': 'scroll', 'x': round(box[0] + box[2] / 2), 'y': round(box[1] + 5), 'deltaX': 0, 'deltaY': -400}]})
	low, high = (int(text) for text in re.search(r't=(\d+)-(\d+)', p.view()).groups())
	p.near('closer', (high - low) / buckets, 0.45, 0.02)
	p.near('around the mouse', (low + high) / 2 / buckets, 0.5, 0.02)
	p.hover((box[0] + box[2] * 0.5, box[1] + 5))
	told = p.js('return document.querySelector(".bubble").textContent').split('\n')
	at = (low + high) // 2
	p.true('a stack: %r' % told, len(told) == 1 or told[-1] in [frames[0] for _, seconds, _, frames in all_samples if abs((seconds * 1e9 - start) // width - at) <= 1])
	drag(p, '.axis', 0.25, 0.75)
	p.near('a span of what is seen', (span()[1] - span()[0]) / (high - low), 0.5, 0.02)
	p.js('document.querySelector(".axis").focus()')
	p.keys('Escape', '0')
	p.true('all times', 't=' not in p.view())

	# Times that cannot be read are left out
	page = p.read('page-times.html')
	times = re.search(r'id="times"[^>]*><!\[CDATA\[(.*?)\]\]>', page).group(1)
	for text in 'AAAA', '', '!', times[:-20]:
		p.write('broken.html', page.replace(times, text))
		p.open(path='broken.html')
		p.wait(lambda: not p.shown('#tracks'))
		p.same('the picture is there', root(), whole)
