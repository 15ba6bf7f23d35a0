"""Two pictures in one page both work, each with its own settings, and do not take the page's keys;
a picture without a fixed width fills its container."""
import re

draw = 'plain.folded --width 600 --nametype One'


def case(p):
	svg = p.read('inline.svg')
	svg = svg[svg.index('<svg'):]
	p.write('inline.html', '<!DOCTYPE html><title>inline</title><body><input id="input"><p class="hide">text</p>' + svg
		+ svg.replace("nametype = 'One'", "nametype = 'Two'") + '</body>')  # the packed script may contain One, too
	p.open(path='inline.html')
	for which, word in (0, 'One'), (1, 'Two'):
		spot = p.js('''const svg = document.querySelectorAll('body > svg')[arguments[0]];
			const frame = Array.from(svg.querySelector('#frames').children).find(function (el) {
				return el.firstElementChild.textContent.startsWith('run (');
			});
			const box = frame.querySelector('rect').getBoundingClientRect();
			return [box.x + box.width / 2, box.y + box.height / 2]''', which)
		state = '''const svg = document.querySelectorAll('body > svg')[arguments[0]];
			return [svg.querySelector('#details').textContent.split(' ')[0],
				svg.querySelectorAll('#frames > .parent').length > 0]'''
		p.hover(tuple(spot))
		p.same('hovered', p.js(state, which), [word, False])
		p.click(tuple(spot))
		p.wait(lambda: p.js(state, which) == [word, True])
		p.keys('Escape')
		p.same('reset', p.js(state, which), [word, False])
	p.click('#input')
	p.keys('/', 'F3')
	p.same('asked', p.asked(), False)
	p.same('typed', p.js('return document.querySelector("input").value'), '/')
	p.true('no stray style', re.match('block|inline', p.js('return getComputedStyle(document.querySelector("p.hide")).display')))
	p.write('inline-fluid.html', '<!DOCTYPE html><title>inline</title><body style="margin: 0"><div style="width: 900px">'
		+ svg.replace('fluiddrawing = false', 'fluiddrawing = true') + '</div></body>')
	p.open(path='inline-fluid.html')
	p.wait(lambda: p.js('return document.querySelector("#frames").getAttribute("width")') == '880')  # as wide as its container
	styles = '''return ['#title', '#own text', 'h1'].map(function (selector) {
		const style = getComputedStyle(document.querySelector(selector));
		return [style.fontFamily, style.fontSize, style.fill]; })'''
	page = '<!DOCTYPE html><title>inline</title><h1 id="title">Page</h1><svg id="own"><text>own</text></svg><div class="hide"></div>'
	p.write('inline-none.html', page)
	p.open(path='inline-none.html')
	plain = p.js(styles)
	p.write('inline-style.html', page + svg)
	p.open(path='inline-style.html')
	p.same('style of the page', p.js(styles), plain)
	p.same('style of the picture', p.js('return getComputedStyle(document.querySelector("#frames text")).fontSize'), '12px')
