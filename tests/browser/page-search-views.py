"""In a view other than the graph, Esc in the search box ends the search at once, so nothing changes under the mouse later. While there is a
search, closed rows of the tree say how many matches they hide."""
format = 'html'
draw = 'plain.folded'
NAMES = 'aside .rows > .row:not([hidden]) > .name'
BELOW = '''return Array.from(document.querySelectorAll('#view-tree [role=treeitem]'), el =>
	[el.querySelector('.name').textContent, (el.querySelector('.below') || { textContent: '' }).textContent])'''


def case(p):
	p.open('#view=tree')
	every = len(p.rows('> .name'))
	p.press('#find')
	p.keys(*'eval')
	p.wait(lambda: len(p.texts(NAMES)) < every)
	p.same('hidden matches', p.js(BELOW), [['all', ''], ['main', '3 matches below'], ['mainly', ''], ['idle', '']])
	p.keys('Escape')
	p.wait(lambda: len(p.texts(NAMES)) == every)
	p.same('no search any more', (p.text('.search output'), p.js('return document.querySelector("#find").value'), p.view()), ('', '', '#view=tree'))
	p.same('no marks', [text for _, text in p.js(BELOW) if text], [])
	row = p.js('const b = document.querySelectorAll(arguments[0])[3].getBoundingClientRect(); return [b.x + 20, b.y + 5]', NAMES)
	name = p.texts(NAMES)[3]
	p.act({'type': 'pointer', 'id': 'mouse', 'actions': [p.moved(*row), {'type': 'pointerDown', 'button': 2}, {'type': 'pause', 'duration': 80}, {'type': 'pointerUp', 'button': 2}]})
	p.same('the menu of the row that was clicked', p.text('#menu strong'), name)
	p.keys('Escape', '/', *'^eval$', 'Enter', 'Escape')
	p.same('a kept search, too', (p.text('.search output'), p.view()), ('', '#view=tree'))
	p.open(path='blank.txt')
	p.open('#view=tree&s=%5Eeval%24')
	p.press('#view-tree .twist', 1)
	p.press('#view-tree .twist', 3)
	p.same('where the matches are', [row for row in p.js(BELOW) if row[1]], [['apply', '2 matches below']])
	p.open('#view=tree&s=%5Eapply%24&tree=up')
	p.same('callers that match', [name for name, text in p.js(BELOW) if text], ['read', 'eval'])
