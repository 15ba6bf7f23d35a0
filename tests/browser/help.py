"""The key ? lists the keys in a dialog that fits into the picture. Esc, ? or a click closes the dialog. Other keys do nothing while it is
open."""
draw = 'plain.folded'

BOX = '''const box = document.querySelector('#help > rect').getBoundingClientRect();
	return [box.left, box.top, innerWidth - box.right, document.documentElement.getBoundingClientRect().bottom - box.bottom]'''
TEXTS = 'return Array.from(document.querySelectorAll("#help > text")).map(function (el) { return el.textContent; })'
INSIDE = '''const box = document.querySelector('#help > rect').getBoundingClientRect();
	return Array.from(document.querySelectorAll('#help > text')).every(function (el) {
		const text = el.getBoundingClientRect();
		return text.left > box.left && text.right < box.right && text.top > box.top && text.bottom < box.bottom;
	})'''


def case(p):
	def shown():
		return p.js('return document.querySelector("#help") !== null')

	p.open()
	before = p.frames()
	p.keys('Tab', 'ArrowUp')
	at = p.focused()
	p.keys('?')
	p.same('spoken', p.spoken('#help'), ('dialog', 'Keys'))
	p.same('focus', p.focused(), 'help')
	texts = p.js(TEXTS)
	for key in 'Esc', 'Backspace', '0', '/', 'n, N', 'i', 'c', 'C', '?':
		p.true(key, key in texts)
	p.keys('i', '0', 'Enter', 'Tab', 'ArrowUp', '/', 'x')
	p.same('not asked', p.asked(), False)
	p.same('other keys do nothing', (p.frames(), p.view(), p.focused()), (before, '', 'help'))
	p.keys('Escape')
	p.same('closed by Esc', shown(), False)
	p.same('focus is back', p.focused(), at)
	p.keys('?', '?')
	p.same('closed by ?', shown(), False)
	p.keys('?')
	p.click('run (')
	p.same('closed by a click, which does no more', (shown(), p.frames()), (False, before))
	p.click('run (')
	p.same('the next one zooms', p.shown('#unzoom'), True)
	p.keys('?', 'Escape')
	p.same('Esc closes only', p.shown('#unzoom'), True)
	for width, height in (1200, 900), (500, 300), (1000, 120):
		p.size(width, height)
		p.keys('?')
		p.true('within the picture: %r' % p.js(BOX), min(p.js(BOX)) >= -0.1)
		p.true('texts within the box', p.js(INSIDE))
		p.keys('?')
	p.size(1200)
	p.keys('?')
	p.size(500)
	p.wait(lambda: p.js('return document.querySelector("#frames").getAttribute("width")') == '480')
	p.true('within a picture that became narrow: %r' % p.js(BOX), min(p.js(BOX)) >= -0.1)
	p.keys('?')
