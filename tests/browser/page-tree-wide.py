"""In the tree, very many callees come a hundred at a time, the heaviest first."""
format = 'html'
draw = 'wide.folded'


def names(p):
	return p.texts('#view-tree [role=treeitem] .name')


def case(p):
	p.open('#view=tree')
	p.same('at first', (names(p)[:3], names(p)[-1], len(names(p))), (['all', 'main', 'f240'], '150 more', 103))
	p.press('#view-tree [role=treeitem]', 102)
	p.same('more', (names(p)[101:103], names(p)[-1], len(names(p))), (['f098', 'f099'], '50 more', 203))
	p.same('focus', p.js('return document.activeElement.querySelector(".name").textContent'), 'f099')
	p.keys('\ue010', 'Enter')
	p.same('all', (names(p)[-1], len(names(p))), ('f249', 252))
	p.same('places', p.js('return document.activeElement.getAttribute("aria-posinset") + " of " + document.activeElement.getAttribute("aria-setsize")'),
		'201 of 250')
	p.keys('\ue011', 'ArrowLeft')
	p.same('closed', names(p), ['all'])
