"""In a picture of two profiles with --colors, a palette colours all frames by name, also the frames that the script draws. Signs
show the changes."""
command = 'diff'
draw = '--colors java --svg - before.folded after.folded'


def check(p, names):
	for name, sign in names.items():
		frame = p.frame(name + ' (')
		p.true('%s has a colour of the palette: %r' % (name, frame['fill']), frame['fill'].startswith('rgb('))
		p.same('sign of ' + name, frame['label'], sign + name)


def case(p):
	p.open()
	names = {'gone': '− ', 'new': '+ ', 'slow': '+ ', 'fast': '− ', 'main': ''}
	check(p, names)
	fill = p.frame('slow (')['fill']
	p.same('no switch to self changes', p.js('return document.querySelector("#own")'), None)
	p.keys('o')
	check(p, names)
	p.size(900)
	check(p, names)
	p.click('slow (')
	check(p, {'slow': '+ ', 'main': ''})
	p.same('the same colour', p.frame('slow (')['fill'], fill)
	p.true('the title has the change', '+165.0%' in p.frame('slow (')['title'])
