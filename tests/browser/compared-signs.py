"""A shortened label keeps the sign of the change, patterns show growth and shrinkage without colours, and letters do not touch
the patterns."""
command = 'diff'
draw = '--svg - signs-before.folded signs-after.folded'

SHADES = '''return Array.from(document.querySelectorAll('#frames > g')).map(function (el) {
	const rect = el.querySelector('rect'), text = el.querySelector('text'), id = /#p\\d+/.exec(getComputedStyle(rect).fill);
	const pattern = id && document.querySelector(id[0]);
	return [rect.getAttribute('class'), pattern ? pattern.querySelector('path').getAttribute('d') : '', text && text.textContent,
		text && getComputedStyle(text).stroke, pattern && getComputedStyle(pattern.querySelector('rect')).fill];
})'''


def case(p):
	for width in 1200, 500:
		p.size(width)
		p.open()
		cut = 0
		marks = {}
		for shade, mark, label, halo, under in p.js(SHADES):
			number = int(shade[1:])
			marks[number] = mark
			if number != 32 and label:
				p.same('sign of %r, %s' % (label, shade), label[:2], '− ' if 37 <= number <= 40 or number == 42 else '+ ')
				cut += label.endswith('…')
				p.same('halo of %r' % label, halo, under)
		if width == 500:
			p.true('some are cut', cut > 0)
	p.same('no change has no marks', marks[32], '')
	grew, shrank = [{marks[n] for n in marks if n in some} for some in (range(33, 37), range(37, 41))]
	p.true('grew and shrank: %r, %r' % (grew, shrank), grew and shrank and '' not in grew | shrank and not grew & shrank)
