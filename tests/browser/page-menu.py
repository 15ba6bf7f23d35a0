"""A right click or a long press, on a frame or on a row of the table, opens a menu with all actions on the function. The bar of details has
the most important actions for the selected function. The selected function and the function under the mouse have different marks."""
format = 'html'
draw = 'plain.folded'


def right(p, x, y):
	p.act({'type': 'pointer', 'id': 'mouse', 'actions': [p.moved(x, y), {'type': 'pointerDown', 'button': 2},
		{'type': 'pause', 'duration': 60}, {'type': 'pointerUp', 'button': 2}]})


def pick(p, text):
	items = [item.replace('\n', '') for item in p.js('return Array.from(document.querySelectorAll("#menu > button"), el => el.firstChild.textContent)')]
	p.press('#menu > button', items.index(text))


def chips(p):
	return [text.rstrip('×') for text in p.texts('#chain .chip')]


def case(p):
	p.size(1400, 900)
	p.open()
	right(p, *p.middle('parse'))
	p.same('a menu', (p.shown('#menu'), p.text('#menu strong'), p.view()), (True, 'parse', ''))
	pick(p, 'Only stacks with it')
	p.same('only', (chips(p), p.shown('#menu')), (['only parse'], False))
	p.press('#trail > button', len(p.texts('#trail > button')) - 1)
	p.wait(lambda: p.view() == '')
	p.same('undone', (p.shown('#trail'), chips(p)), (False, []))
	right(p, *p.middle('eval'))
	p.keys('ArrowDown', 'Escape')
	p.same('Esc closes it', p.shown('#menu'), False)
	p.same('the function in hand', p.text('footer strong'), 'eval')
	p.hover('run')
	p.same('the one under the mouse', (p.text('footer strong'), p.has_class('footer', 'hovered')), ('run', True))
	p.press('.actions button', 1)
	p.same('an action of the bar is for the one in hand', chips(p), ['hide frames of eval'])
	p.keys('u')
	row = p.js('''const b = Array.from(document.querySelectorAll('.rows > .row:not([hidden])')).find(el => el.textContent.startsWith('lex'))
		.getBoundingClientRect(); return [b.x + 60, b.y + b.height / 2]''')
	right(p, *row)
	pick(p, 'Callers and callees')
	p.same('a row of the table', (p.text('#sandwich h2'), p.view()), ('lex', '#fn=lex&view=callers'))
	p.press('#tab-graph')
	p.js('document.querySelector("#menu").hidden = true')
	x, y = p.middle('parse')
	p.act({'type': 'pointer', 'id': 'finger', 'parameters': {'pointerType': 'touch'}, 'actions': [p.moved(x, y),
		{'type': 'pointerDown', 'button': 0}, {'type': 'pause', 'duration': 900}, {'type': 'pointerUp', 'button': 0}]})
	p.same('a long press', (p.shown('#menu'), p.text('#menu strong')), (True, 'parse'))
	pick(p, 'Zoom')
	p.same('zoomed', p.texts('nav li')[-1], 'parse')
	width = p.js('return document.querySelector("aside").clientWidth')
	box = p.js('const b = document.querySelector("#divider").getBoundingClientRect(); return [b.x, b.y + 200]')
	p.act({'type': 'pointer', 'id': 'mouse', 'actions': [p.moved(*box), {'type': 'pointerDown', 'button': 0}, p.moved(box[0] - 100, box[1]),
		{'type': 'pointerUp', 'button': 0}]})
	p.near('the divider', p.js('return document.querySelector("aside").clientWidth'), width + 100, by=2)
	p.size(1200)
