"""A picture is printed on one page, whole and without controls; after printing, the screen is as
before."""
import base64
import re

draw = 'tall.folded'


def case(p):
	p.size(1200, 900)
	p.open()
	p.js('scrollTo(0, 300)')
	p.settle()
	before = p.frames()
	p.js("""window.printed = [];
		window.addEventListener('beforeprint', function () { printed.push(document.documentElement.getAttribute('viewBox')); });""")
	pdf = base64.b64decode(p.cdp('Page.printToPDF', printBackground=True)['data'])
	p.same('pages', len(re.findall(rb'/Type\s*/Page\b', pdf)), 1)
	width, height = p.js('return [document.documentElement.clientWidth, document.documentElement.getAttribute("height")]')
	p.same('box', p.js('return printed'), ['0 0 %d %s' % (width, height)])
	p.same('box afterwards', p.js('return document.documentElement.getAttribute("viewBox")'), None)
	p.same('frames', p.frames(), before)
	p.prefer('light', media='print')
	p.same('controls', [p.shown(name) for name in ('#search', '#ignorecase', '#unzoom', '#title')], [False, False, False, True])
