"""If a zoom makes the picture taller, the frame under the mouse stays in place, however far the page was scrolled. The same is true for a
reset."""
draw = 'plain.folded --minwidth 20% --height 100'


def case(p):
	p.size(1200, 400)
	p.open()
	scrolled = 'return scrollY'
	p.js('scrollTo(0, 9999)')
	before = p.js(scrolled)
	p.true('scrolled', before > 50)
	p.click('run (')
	p.js('return new Promise(function (done) { setTimeout(done, 100); })')  # what the browser does by itself comes later
	p.same('zoomed', p.js(scrolled), before + 200)
	p.keys('Escape')
	p.wait(lambda: p.js(scrolled) == before)
	p.size(1200)
