"""Inside a page the browser's history belongs to the page; Backspace still undoes zooms."""
draw = 'plain.folded --width 600'


def case(p):
	svg = p.read('history-inline.svg')
	p.write('history-inline.html', '<!DOCTYPE html><title>inline</title>' + svg[svg.index('<svg'):])
	p.open(path='history-inline.html')
	length = p.js('return history.length')
	plain = p.frames()
	p.click('main (')
	main = p.frames()
	p.click('parse (')
	p.same('history', p.js('return history.length'), length)
	p.keys('Backspace')
	p.same('once', p.frames(), main)
	p.keys('Backspace')
	p.same('twice', p.frames(), plain)
