"""Keys work if nothing has the focus, and after a click on a button, which then has the focus. A
field, a list of choices or a panel with the focus handles its keys itself."""
format = 'html'
draw = 'plain.folded'
HELP = 'return Array.from(document.querySelectorAll("#help > text"), el => el.textContent)'
APART = '''const boxes = Array.from(document.querySelectorAll('#help > text'), el => el.getBoundingClientRect());
	const list = document.querySelector('#help > rect').getBoundingClientRect();
	return boxes.every((box, i) => box.right < list.right && boxes.every((other, j) => i === j ||
		box.right <= other.left || other.right <= box.left || box.bottom <= other.top + 2 || other.bottom <= box.top + 2))'''


def case(p):
	p.open()
	p.same('the focus is on nothing', p.js('return document.activeElement === document.body'), True)
	p.keys('/')
	p.same('search', p.asked(), True)
	p.answer('^read$')
	p.same('matched', p.matched(), 'Matched: ' + p.covered('plain.folded', '^read$'))
	p.open(path='blank.txt')
	p.open()
	p.keys('i')
	p.same('flip', p.view(), '#flip=1')
	p.keys('i', '?')
	keys = p.js(HELP)
	p.true('no text lies on another, or outside', p.js(APART))
	p.true('a list', '/, Ctrl-F, F3' in keys and 'n, N' in keys and 'f' in keys)
	p.keys('Escape')
	p.keys('Control-f')
	p.same('Ctrl-F', p.asked(), True)
	p.answer(None)
	p.keys('F3')
	p.same('F3', p.asked(), True)
	p.answer(None)
	p.press('.menus > button')
	p.press('.menus > button')
	p.keys('/')
	p.same('after a button', p.asked(), True)
	p.answer(None)
	p.press('#menu-filter summary')
	p.press('form.filter input')
	p.keys('/', 'i')
	p.same('a field takes letters', (p.asked(), p.js('return document.activeElement.value')), (False, '/i'))
	p.keys('Backspace', 'Backspace')
	p.same('and Backspace', p.js('return document.activeElement.value'), '')
	p.js('document.querySelector("form.filter select").focus()')
	p.keys('i')
	p.true('so does a list of choices', 'flip' not in p.view())
	p.js('document.activeElement.blur()')
	p.hover('parse')
	p.keys('s')
	p.same('callers and callees', p.shown('#sandwich'), True)
	p.js('document.activeElement.blur()')
	p.keys('i', 'f', '/')
	p.same('keys of a picture that is not shown do nothing', (p.asked(), 'flip' in p.view(), 'f=' in p.view()), (False, False, False))
	p.keys('Escape')
	p.same('Esc leads back', p.shown('#sandwich'), False)
