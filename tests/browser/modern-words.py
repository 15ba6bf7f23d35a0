"""With --style=modern, shortened names that end in the same word stay different, in the file and in the viewer."""
draw = 'words.folded --style=modern --width 220'

TEXTS = """return Array.from(document.querySelectorAll('#frames text')).map(function (el) { return el.textContent; })"""


def case(p):
	svg = p.read('modern-words.svg')
	p.open()
	p.click('main (')
	for words in 'HandlerContext:.flush', 'HandlerAdapter:.flush':
		label = '…' + words
		p.true('in the file: %r' % label, '>%s<' % label in svg)
		p.true('in the viewer: %r' % label, label in p.js(TEXTS))
