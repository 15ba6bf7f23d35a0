"""Parents are at half opacity; Search and the case toggle are faint until hovered, focused or in use."""
draw = 'plain.folded --subtitle "below" --stroke-color "#112233"'


def case(p):
	p.open()

	def opacity(selector):
		return p.js('return getComputedStyle(document.querySelector(arguments[0])).opacity', selector)

	for id, key, tabs in ('#search', 'F3', ['Tab', 'Tab']), ('#ignorecase', 'Control-i', ['Tab']):
		p.same('faint', opacity(id), '0.7')
		p.hover(id)
		p.same('hovered', opacity(id), '1')
		p.hover('#title')
		p.keys(*tabs)
		p.same('focused', opacity(id), '1')
		p.keys(key)
		if p.asked():
			p.answer('read')
		p.keys('Tab', 'Tab')
		p.same('in use', opacity(id), '1')
		p.keys('Shift-Tab', 'Shift-Tab')
	p.click('run (')
	p.same('parent', opacity('#frames > .parent'), '0.5')
	p.same('subtitle', p.js('return getComputedStyle(document.querySelector("#subtitle")).fill'), 'rgb(160, 160, 160)')
	p.hover('#title')
	stroke = 'const s = getComputedStyle(document.querySelector("#frames rect")); return [s.stroke, s.strokeWidth]'
	p.same('stroke', p.js(stroke), ['rgb(17, 34, 51)', '1px'])
