"""Colours by kind find the kernel's functions in an input with the module of each frame, although their names have no mark."""
format = 'html'
draw = 'kinds.perf'
CLASS = '''return Array.from(document.querySelectorAll('#frames > :not(path)')).filter(el => el.textContent.startsWith(arguments[0]))
	.map(el => el.querySelector('rect').getAttribute('class'))'''


def case(p):
	p.open('#colour=kind')
	p.same('legend', p.texts('.legend li'), ['kernel75.0%', 'user25.0%'])
	p.same('kernel', p.js(CLASS, 'exc_page_fault ('), p.js(CLASS, 'clear_page ('))
	p.true('not user', p.js(CLASS, 'exc_page_fault (') != p.js(CLASS, 'main ('))
