"""A view shows the selected function between its callers and its callees, merged over all of its frames, with recursion counted once.
A click makes a frame as wide as the function. Keys move, zoom, select and go back. The address keeps the view, and filters apply to it."""
format = 'html'
draw = 'plain.folded'
ITEMS = '''return Array.from(document.querySelectorAll('#sandwich svg g'), el => {
	const box = el.querySelector('rect').getBoundingClientRect();
	return [el.querySelector('title').textContent, Math.round(box.y), Math.round(box.width)] })'''
SWITCH = '''Array.from(document.querySelectorAll('button')).find(el => el.textContent === 'Callers and callees')'''


def rows(p):
	"""Returns the drawn frames, by row from the top: names with counts."""
	found = {}
	for title, y, _ in p.js(ITEMS):
		found.setdefault(y, []).append(title.split(' samples')[0])
	return [sorted(found[y]) for y in sorted(found)]


def width(p, name):
	return next(px for title, _, px in p.js(ITEMS) if title.startswith(name + ' ('))


def click(p, name):
	p.press('#sandwich svg g', next(at for at, item in enumerate(p.js(ITEMS)) if item[0].startswith(name + ' (')))


def focused(p):
	return p.js('return document.activeElement.querySelector("title").textContent.split(" (")[0]')


def case(p):
	p.open()
	p.js('%s.click()' % SWITCH)
	p.same('without a choice, the function with the largest self count', p.text('#sandwich h2'), 'read')
	p.press('#tab-graph')
	p.press('.rows > .row .name', p.texts('.rows > .row .name').index('eval'))
	p.js('%s.click()' % SWITCH)
	p.same('eval', rows(p), [['main (17'], ['main (14', 'run (17'], ['apply (17', 'run (14'], ['eval (31'],
		['Read (8', 'apply (23'], ['eval (17', 'read (6']])
	p.same('title', p.js(ITEMS)[0][0].split(' | ')[0], 'eval (31 samples, 25.41%)')
	p.js('document.querySelector("#sandwich .centre").focus()')
	p.same('address', p.view(), '#fn=eval&view=callers')
	p.same('the graph rests', p.js('return document.querySelector("#graph").inert'), True)
	p.keys('ArrowDown', 'ArrowRight')
	p.same('down, right', focused(p), 'Read')
	p.same('details', p.text('#sandwich .details'), 'Read (8 samples, 6.56%) | 25.81% of eval')
	click(p, 'Read')
	p.near('as wide as the function', width(p, 'Read'), width(p, 'eval'), 1)
	p.same('callers stay', rows(p)[:4], [['main (17'], ['main (14', 'run (17'], ['apply (17', 'run (14'], ['eval (31']])
	p.same('callees of one', rows(p)[4:], [['Read (8']])
	p.keys('Escape')
	p.same('out again', rows(p)[4], ['Read (8', 'apply (23'])
	p.keys('ArrowUp', 's')
	p.same('selected', (p.view(), focused(p)), ('#fn=apply&view=callers', 'apply'))
	p.same('apply', rows(p), [['main (6'], ['main (17', 'run (6'], ['eval (6', 'run (17'], ['apply (23'],
		['eval (17', 'read (6'], ['apply (17'], ['eval (17']])
	p.keys('Escape')
	p.same('closed', (p.view(), p.shown('#sandwich')), ('#fn=apply', False))
	p.click('parse')
	p.hover('parse')
	p.keys('s')
	p.same('from a frame', rows(p), [['main (50'], ['parse (50'], ['lex (30', 'read (20'], ['read (30', 'refill (9']])
	p.open('#fn=read&view=callers&f=only:%5Elex%24')
	p.same('from the address, filtered', rows(p), [['main (30'], ['parse (30'], ['lex (30'], ['read (30']])
	p.press('.chip button')
	p.true('not filtered any more', ['apply (6', 'lex (30', 'parse (20'] in rows(p) and ['read (56'] in rows(p))
	p.press('.rows > .row .name', p.texts('.rows > .row .name').index('lex'))
	p.same('another function', (p.text('#sandwich h2'), rows(p)), ('lex', [['main (30'], ['parse (30'], ['lex (30'], ['read (30']]))
	p.press('#tab-graph')
	p.same('back at the graph', (p.shown('#sandwich'), p.js('return document.querySelector("#graph").inert')), (False, False))
	p.open('#fn=eval&view=callers&colour=kind')
	p.true('colours by kind', all(int(name[1:]) >= 55 for name in p.js('return Array.from(document.querySelectorAll("#sandwich rect"), el => el.getAttribute("class"))')))
