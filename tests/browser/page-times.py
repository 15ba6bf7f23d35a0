"""Strips show the activity of each thread. A span that is brushed, with the mouse, a finger or keys, narrows the picture to the
samples in it, as the input counts them; so does a thread. The address keeps both. A second span is compared with the first."""
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
	p.press('#threads')
	p.same('threads', p.texts('.threads button'), ['app 7', 'app 7/8', 'helper 9'])
	p.true('says how it is rounded', re.search(r'rounded to [\d.]+ ms$', p.js('return document.querySelector(".axis").title')))
	whole = root()
	p.same('all', whole, counted((0, buckets)))
	drag(p, '.axis', 0.1, 0.35)
	first = span()
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

	# Another filter afterwards, and the chain
	drag(p, '.axis', 0.5, 0.9, 'touch')
	p.click('draw (')
	p.same('zoomed', p.js('return document.querySelector("#unzoom").classList.contains("hide")'), False)
	p.press('#chain button')
	p.same('removed from the chain', p.shown('.axis .brush.first'), False)
	p.press('nav button')
	p.same('all again', root(), whole)

	# Two spans
	drag(p, '.axis', 0.0, 0.3)
	drag(p, '.axis', 0.6, 0.95, key='\ue008')
	p.same('the first stays', root(), counted(span()))
	p.true('second', re.search(r'[#&]u=\d+-\d+', p.view()))
	rows = {row.split('|')[0]: row for row in p.js('''return Array.from(document.querySelectorAll('#view-spans tbody tr'),
		row => Array.from(row.cells, cell => cell.textContent).join('|'))''')}
	other = tuple(int(text) for text in re.search(r'u=(\d+)-(\d+)', p.view()).groups())
	shares = [100 * counted(which, name='draw') / counted(which) for which in (span(), other)]
	p.same('compared', rows['draw'].split('|')[4:], ['%.1f%%' % shares[0], '%.1f%%' % shares[1], '+%.1f%%' % (shares[1] - shares[0])])
	p.same('largest change first', list(rows)[0], 'parse')
	p.same('the panel', p.shown('#view-spans'), True)
	p.press('#chain button')
	p.same('no spans', (re.search('[fu]=', p.view()), p.shown('#view-spans')), (None, False))

	# Times that cannot be read are left out
	page = p.read('page-times.html')
	for text in ('AAAA', '', '!', re.search('id="times"[^>]*>([^<]*)', page).group(1)[:-20]):
		p.write('broken.html', re.sub('(id="times"[^>]*>)[^<]*', lambda found: found.group(1) + text, page))
		p.open(path='broken.html')
		p.wait(lambda: not p.shown('#tracks'))
		p.same('the picture is there', root(), whole)
