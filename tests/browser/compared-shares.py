"""In a comparison, a search shows a share of each profile. The details of a frame show its two shares and its scaled count before."""
import re

command = 'diff'
draw = '--svg - --scale total before.folded after.folded'


def share(file, pattern):
	total = hit = 0
	for line in open(file, encoding='utf-8'):
		stack, count = line.rsplit(' ', 1)
		total += int(count)
		hit += int(count) * any(re.search(pattern, name) for name in stack.split(';'))
	return 100 * hit / total


def case(p):
	before, after = [__file__.replace('compared-shares.py', name) for name in ('before.folded', 'after.folded')]
	p.open()
	p.search('slow|deep')
	p.same('matched', p.matched(),
		'Matched: %.1f%% before, %.1f%% after' % (share(before, 'slow|deep'), share(after, 'slow|deep')))
	p.keys('Escape')
	p.search('new')
	p.same('only after', p.matched(), 'Matched: 0.0%% before, %.1f%% after' % share(after, 'new'))
	p.keys('Escape')
	p.hover('slow (')
	p.same('details', p.text('#details'), 'Function: %s | %.2f%% → %.2f%% of all' % (
		p.frame('slow (')['title'], share(before, '^slow$'), share(after, '^slow$')))
	p.true('the title is scaled, too', p.frame('slow (')['title'].startswith('slow (111 scaled before, 265 after'))
	p.click('slow (')
	p.search('loop')
	p.same('zoomed', p.matched(), 'Matched: 42.0% before, 94.3% after')
