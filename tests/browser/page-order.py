"""A menu or a key puts the heaviest callees first. The address keeps the order, and a zoom stays."""
format = 'html'
draw = 'threads.folded'
ORDER = '''return Array.from(document.querySelectorAll('#frames > :not(path)')).map(el => [el.querySelector('rect').getBoundingClientRect().x,
	el.querySelector('title').textContent.split(' (')[0], Math.round(el.getBoundingClientRect().top)]).sort((a, b) => a[0] - b[0])
	.filter(a => arguments[0].includes(a[1])).map(a => a[1])'''
FIRST = ['db-20/20', 'web-10/11', 'web-10/12']


def case(p):
	p.open()
	p.same('as in the file', p.js(ORDER, FIRST), FIRST)
	p.choose('order', 'Heaviest first')
	p.same('heaviest first', p.js(ORDER, FIRST), ['web-10/11', 'web-10/12', 'db-20/20'])
	p.same('address', p.view(), '#order=heavy')
	p.same('pressed', p.texts('#menu-order [aria-pressed=true]'), ['Heaviest first'])
	p.click('app::run')
	p.keys('o')
	p.same('a zoom stays', p.texts('nav li')[-1], 'app::run')
	p.true('no longer in the address', 'order' not in p.view())
	p.open('#order=heavy')
	p.same('from the address', p.js(ORDER, FIRST), ['web-10/11', 'web-10/12', 'db-20/20'])
	p.near('widths', p.frame('web-10/11')['width'], 0.55 * p.frame('all')['width'], 2)
