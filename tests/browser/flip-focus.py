"""In a flipped picture a frame keeps its level for screen readers, and outlines are around the frames of the same name."""
draw = '--style=modern plain.folded'

OUTLINED = '''const box = document.querySelector('#frames > .same').getBoundingClientRect();
	return Array.from(document.querySelectorAll('#frames > g')).filter(function (el) {
		const rect = el.querySelector('rect').getBoundingClientRect();
		return rect.bottom > box.top + 2 && rect.top < box.bottom - 2 && rect.right > box.left + 2 && rect.left < box.right - 2;
	}).map(function (el) { return el.querySelector('title').textContent.split(' (')[0]; })'''
LEVEL = 'return document.activeElement.getAttribute("aria-level")'


def case(p):
	p.open()
	p.keys('Tab', 'ArrowUp', 'ArrowUp', 'ArrowRight', 'ArrowUp', 'ArrowUp')
	p.true('a name that others have: %r' % p.focused(), p.focused().startswith('eval ('))
	level = p.js(LEVEL)
	p.true('outlined: %r' % p.js(OUTLINED), 'eval' in p.js(OUTLINED))
	outlined = p.js(OUTLINED)
	p.keys('i')
	p.same('outlined, flipped', sorted(p.js(OUTLINED)), sorted(outlined))
	p.keys('ArrowUp', 'ArrowDown')
	p.true('the same frame: %r' % p.focused(), p.focused().startswith('eval ('))
	p.same('level, flipped', p.js(LEVEL), level)
