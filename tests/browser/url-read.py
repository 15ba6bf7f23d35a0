"""An address restores the view from which it was copied."""
draw = 'plain.folded'


def case(p):
	p.open()
	p.click('run (')
	p.search('ap+ly|operator new\\(')
	view = p.frames(), p.text('#matched'), p.text('#search'), p.shown('#unzoom'), p.view()
	p.open(view[4])
	p.same('view', (p.frames(), p.text('#matched'), p.text('#search'), p.shown('#unzoom'), p.view()), view)
	p.click('#unzoom')
	p.click('#search')
	plain = p.frames()
	p.open()
	p.same('without', p.frames(), plain)
