"""The address names a zoomed frame by its path of functions, so it works with another layout, in another profile, and when typed or pasted."""
import re

draw = 'plain.folded'


def case(p):
	p.open()
	p.click('eval (17', 1)
	inner = p.view()
	p.keys('Escape')
	p.click('eval (14')
	outer = p.view()
	p.true('another path, another address', inner != outer)
	svg = p.read('address.svg')
	p.write('address-bare.svg', re.sub('<metadata.*</metadata>', '', svg))
	for page in 'address.svg', 'address-bare.svg':
		p.open(inner, path=page)
		p.same(page + ' inner', p.visible(), ['eval'])
		p.open('', path='blank.txt')
		p.open(outer, path=page)
		p.same(page + ' outer', p.visible(), ['Read', 'apply', 'eval', 'read'])
	p.js('location.hash = arguments[0]', '#s=lex&ic=1')
	p.wait(lambda: p.matched() == 'Matched: ' + p.covered('plain.folded', 'lex'))
	p.same('typed', (p.shown('#unzoom'), p.has_class('#ignorecase', 'show')), (False, True))
	p.back()
	p.wait(lambda: p.shown('#unzoom'))
	p.same('back', (p.visible(), p.text('#search')), (['Read', 'apply', 'eval', 'read'], 'Search'))
	p.open('?x=1&y=5#z=1&other')
	p.same('unknown', (p.shown('#unzoom'), p.view()), (False, '#z=1&other'))
	run = p.frame('run (')
	p.open('?x=%s&y=%s&s=eval' % (run['start'], run['top']))
	p.near('as others write it', p.frame('run (')['width'], 1180)
	p.same('is rewritten', (p.query(), re.sub('z=[0-9a-z]+', 'z', p.view())), ('', '#z&s=eval'))
