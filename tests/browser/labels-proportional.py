"""With a proportional font, labels are measured: they fit, and have more letters if the letters are narrow."""
draw = 'proportional.folded --fonttype serif'


def case(p):
	p.open()
	shown = {}
	for letter in 'i', 'W':
		frame = p.frame(letter * 20)
		label = frame['label']
		p.true('%r is cut' % label, label.endswith('..'))
		shown[letter] = len(label) - 2
	p.true('letters shown: %r' % shown, shown['i'] > 2 * shown['W'])
	over = p.js('''return Array.from(document.querySelector('#frames').children).filter(function (el) {
		const room = el.querySelector('rect').getBoundingClientRect().width - 3;
		return el.querySelector('text').getComputedTextLength() > room + 1;
	}).length''')
	p.same('labels too long', over, 0)
