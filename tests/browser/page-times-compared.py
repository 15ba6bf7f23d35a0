"""A page of two profiles shows the times of both, each relative to its own start. Choosing a span
or a thread narrows both profiles."""
import re

from lib.times import drag, samples

command = 'diff'
format = 'html'
draw = 'times.perf times-after.perf'


def case(p):
	p.open()
	p.wait(lambda: p.shown('.axis'))
	width, buckets = (int(text) for text in p.js('const d = document.querySelector("#times").dataset; return [d.width, d.buckets]'))

	def counted(side, span, thread=None, name=None):
		found = samples(('times.perf', 'times-after.perf')[side])
		start = min(seconds for _, seconds, _, _ in found) * 1e9 // width
		return sum(count for who, seconds, count, frames in found
			if span[0] <= seconds * 1e9 // width - start < span[1] and thread in (None, who) and (not name or name in frames))

	def span():
		return tuple(int(text) for text in re.search(r'time%3A(\d+)-(\d+)', p.view()).groups())

	def shown(name):
		"""Returns the counts before and after of a frame."""
		p.hover(name + ' (')
		return tuple(int(text.replace(',', '')) for text in re.search(r'counted ([\d,]+) before, ([\d,]+) after', p.text('#details')).groups())

	def wanted(*args, **named):
		return tuple(counted(side, *args, **named) for side in (0, 1))

	everything = (0, buckets)
	p.same('all', shown('parse'), wanted(everything, name='parse'))
	p.true('the bar says what is scaled', ' scaled → ' in p.text('footer'))
	p.same('threads of each, not of both together', p.text('header .facts').split(' · ')[2], '3 threads each')
	p.same('the row says the same', p.text('#threads'), '3 threads each')
	p.true('the time of each', re.fullmatch(r'[\d.]+ m?s → [\d.]+ m?s', p.text('header .facts').split(' · ')[1]))
	p.true('how it is scaled', re.search(r'multiplied by [\d.]+ \((median of \d+ functions|ratio of the totals)\)\.', p.js('return document.querySelector(".facts").title')))
	p.true('the title and the root label have scaled counts, too', all(' scaled before, ' in p.frame('all (')[part] for part in ('title', 'label')))
	p.true('and the header has the scale: ' + p.text('header .facts'), re.search(r'\([+−][\d.]+%; scaled by [\d.]+: ([+−][\d.]+%|unchanged)\) · ', p.text('header .facts')))
	p.same('labels', p.texts('.axis .sides'), ['before\nafter'])
	p.press('#threads')
	p.same('threads', sorted(p.texts('.threads button')), ['app 7', 'app 7/8', 'helper 9', 'late 11'])
	p.true('shares', re.fullmatch(r'[\d.]+% → [\d.]+%', p.texts('.threads small')[0]))
	drag(p, '.axis', 0.0, 0.5)
	half = span()
	for name in ('parse', 'main', 'app'):
		p.same(name + ' in a span', shown(name), wanted(half, name=name))
	p.true('both halves of the row are there', p.js("""return Array.from(document.querySelectorAll('.axis > .chart path'),
		el => el.getBBox()).filter(box => box.height > 0).map(box => box.y < 13).sort().join()""") == 'false,false,true,true')

	p.true('no share above 100%', all(float(text.rstrip('%')) <= 100 for text in p.texts('aside .rows .number') if text[-1:] == '%' and text[0] not in '+−'))

	# The second recording is shorter, so frames at the end of the first recording vanish
	drag(p, '.axis', 0.8, 1.0)
	p.same('only before', wanted(span())[1], 0)
	p.same('vanished', p.frame('draw (')['title'].split('after')[0].split(', ')[-1].strip(), '0')

	# One thread only
	p.js('document.querySelector(".axis").focus()')
	p.keys('Escape')
	p.press('#tracks .threads button', p.texts('.threads button').index('app 7/8'))
	p.same('a thread', shown('wait'), wanted(everything, 'app 7/8', name='wait'))
	p.true('other threads are gone', p.gone('parse ('))

	# There is no second span in a comparison
	p.press('#tracks .threads button', p.texts('.threads button').index('app 7/8'))
	drag(p, '.axis', 0.1, 0.3)
	drag(p, '.axis', 0.5, 0.9, key='\ue008')
	p.near('a new span', span()[0] / buckets, 0.5, 0.01)
	p.same('no comparison of spans', (re.search('[#&]u=', p.view()), p.js('return document.querySelector("#view-spans")')), (None, None))
