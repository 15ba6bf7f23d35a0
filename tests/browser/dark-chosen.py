"""In dark mode, a picture keeps the colours that the user chose, and its list of keys is readable."""
draw = 'plain.folded --uicolor "#000000"'


def case(p):
	p.prefer('dark')
	p.open()
	p.same('text', p.js('return getComputedStyle(document.querySelector("#title")).fill'), 'rgb(0, 0, 0)')
	p.true('page', min(p.pixel(3, 3)) > 200)
	p.keys('?')
	colours = """const of = function (selector) { return getComputedStyle(document.querySelector(selector)).fill; };
		return [of('#help > rect'), of('#help > text')]"""
	p.same('list', p.js(colours), ['rgb(40, 41, 47)', 'rgb(232, 230, 227)'])
	p.prefer('light')
	p.same('list in the light', p.js(colours), ['rgb(255, 255, 255)', 'rgb(0, 0, 0)'])
