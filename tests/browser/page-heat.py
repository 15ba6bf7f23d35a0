"""The heat map shows when samples were taken. A click picks a cell, a drag picks a span, and a drag
with Ctrl picks a second span for comparison; the counts are those of the input. A search colours
the cells with matches. Pointing at a cell shows its time and stack."""
import os
import re

from lib.times import heat_rows, samples

format = 'html'
draw = 'times.perf'
PIXEL = '''const c = document.querySelector('.heat canvas'), d = c.getContext('2d').getImageData(arguments[0] * c.width, arguments[1] * c.height, 1, 1).data;
	return Array.from(d)'''
KINDS = '''const c = document.querySelector('.heat canvas'), d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
	let blue = 0, red = 0;
	for (let i = 0; i < d.length; i += 4) {
		blue += d[i + 3] > 0 && d[i + 2] > d[i] + 40;
		red += d[i + 3] > 0 && d[i] > d[i + 2] + 40;
	}
	return [blue > 0, red > 0]'''


def case(p):
	all_samples = samples(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'times.perf'))
	p.size(1400, 900)
	p.open()
	p.wait(lambda: p.shown('#tracks'))
	start, width, buckets = (int(text) for text in p.js('const d = document.querySelector("#times").dataset; return [d.start, d.width, d.buckets]'))

	def counted(span, name=None):
		return sum(count for _, seconds, count, frames in all_samples
			if span[0] <= (seconds * 1e9 - start) // width < span[1] and (not name or name in frames))

	def picks():
		return [tuple(int(text) for text in found) for found in
			(re.search(pattern, p.view()).groups() for pattern in (r'time%3A(\d+)-(\d+)', r'[#&]u=(\d+)-(\d+)') if re.search(pattern, p.view()))]

	def at(x, y):
		box = p.js('const b = document.querySelector(".heat canvas").getBoundingClientRect(); return [b.x, b.y, b.width, b.height]')
		return box[0] + x * box[2], box[1] + y * box[3]

	def drag(start, end, key=None):
		pause = {'type': 'pause'}
		points = [p.moved(*at(*start)), {'type': 'pointerDown', 'button': 0}, p.moved(*at(*end)), {'type': 'pointerUp', 'button': 0}]
		keys = [{'type': 'keyDown', 'value': key}, pause, pause, pause, pause, {'type': 'keyUp', 'value': key}] if key else [pause]
		p.act({'type': 'pointer', 'id': 'mouse', 'actions': [pause, *points, pause]}, {'type': 'key', 'id': 'keyboard', 'actions': keys})

	p.press('#tab-heat')
	p.wait(lambda: p.shown('.heat'))
	p.same('all is warm', p.js(KINDS), [False, True])
	busy = max(range(buckets), key=lambda b: counted((b, b + 1)))
	rows = heat_rows(p, width)
	columns = -(-buckets // rows)
	cell = ((busy // rows + 0.5) / columns, 1 - (busy % rows + 0.5) / rows)
	p.hover(at(*cell))
	told = p.text('.heat .bubble').split('\n')
	p.true('time, share and stack: %r' % told, ' · ' in told[0] and len(told) > 1)
	p.push(*at(*cell))
	p.same('a click picks the cell', picks(), [(busy, busy + 1)])
	p.same('its counts', int(p.frame('all (')['samples']), counted((busy, busy + 1)))
	drag((0.02, 0.9), (0.4, 0.5))
	first, = picks()
	p.same('a drag picks a span', int(p.frame('all (')['samples']), counted(first))
	drag((0.6, 0.9), (0.95, 0.5), '\ue009')
	before, after = picks()
	p.same('the first one is after', after, first)
	p.true('Ctrl picks the one before', before[0] > after[1])
	p.same('compared', p.frame('all (')['title'].split('counted ')[1].split(' after')[0], '%s before, %s' % tuple(format_count(counted(span)) for span in (before, after)))
	p.press('#chain button')
	p.search('^draw$')
	p.same('a search colours cells', p.js(KINDS), [True, True])
	p.js('document.querySelector(".heat").focus()')
	p.keys('ArrowRight')
	p.same('keys pick a span', len(picks()), 1)
	p.keys('Escape')
	p.same('and none', picks(), [])


def format_count(count):
	return '{:,}'.format(count)
