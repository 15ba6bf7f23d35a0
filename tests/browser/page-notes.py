"""Notes: `m` opens a form, Enter keeps the note in the address, Esc goes back to the frame. The frame gets a mark, and its
details and the list show the note. The notes of --note are shown from the start, and a bad pattern is reported. A note is text, never markup."""
format = 'html'
draw = "--note '^read=slow; <b>disk</b>' --note '(a=b' plain.folded"


def marks(p):
	"""Returns the number of frames with a mark."""
	return p.js("const el = document.querySelector('path.noted'); return el ? el.getAttribute('d').split('M').length - 1 : 0")


def case(p):
	p.open()
	p.wait(lambda: marks(p))
	given = marks(p)
	p.hover('read')
	p.true('details', p.text('#details').endswith('| note: slow; <b>disk</b>'))
	p.press('#tab-notes')
	p.same('list', p.texts('#view-notes li span'), ['slow; <b>disk</b>', 'b'])
	p.true('bad pattern', p.texts('#view-notes li')[1].startswith('(abBad pattern: '))
	p.press('#tab-graph')
	p.click('main')
	p.keys('m')
	p.same('label', p.js('return document.activeElement.getAttribute("aria-label")'), 'Note on main')
	p.keys('Escape')
	p.true('back at the frame', p.focused().startswith('main ('))
	p.keys('m', *'a, <i>b', 'Enter')
	p.true('back again', p.focused().startswith('main ('))
	p.same('one more mark', marks(p), given + 1)
	view = p.view()
	p.open(path='blank.txt')
	p.open(view)
	p.same('from the address', marks(p), given + 1)
	p.hover('main')
	p.true('note in the details', p.text('#details').endswith('| note: a, <i>b'))
	p.press('#tab-notes')
	p.same('list of both', p.texts('#view-notes li span'), ['a, <i>b', 'slow; <b>disk</b>', 'b'])
	p.press('#view-notes li button')
	p.same('searched', p.matched(), 'Matched: 100%')
	p.press('[aria-label="Remove the note on main"]')
	p.same('removed', p.texts('#view-notes li span'), ['slow; <b>disk</b>', 'b'])
	p.true('not in the address', '%5B' not in p.view())
