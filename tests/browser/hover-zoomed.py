"""While zoomed, details add the frame's share of the view, but not for callers of the zoomed frame, which are wider than it."""
draw = 'plain.folded'


def case(p):
	p.open()
	p.click('run (')
	p.hover('apply (')
	share = 100 * int(p.frame('apply (')['samples']) / int(p.frame('run (')['samples'])
	p.same('inside', p.told(), 'Function: %s | %.2f%% of view' % (p.frame('apply (')['title'], share))
	p.hover('main (')
	p.same('parent', p.told(), 'Function: ' + p.frame('main (')['title'])
	p.hover('run (')
	p.same('zoomed', p.told(), 'Function: ' + p.frame('run (')['title'] + ' | 100.00% of view')
	p.keys('Escape')
	p.hover('run (')
	p.same('reset', p.told(), 'Function: ' + p.frame('run (')['title'])
