"""Inside <object>, the viewer works, and the picture is as wide as the object. Inside <img>, the picture has no viewer."""
draw = 'plain.folded'


def case(p):
	p.write('object.html', '<!DOCTYPE html><title>object</title><body style="margin: 0">'
		'<object data="object.svg" type="image/svg+xml" style="width: 800px; height: 300px"></object><img src="object.svg"></body>')
	p.open(path='object.html')
	width = '''const svg = document.querySelector('object').contentDocument;
		return Number(svg.querySelector('#frames').getAttribute('width'))'''
	p.wait(lambda: p.js('return document.querySelector("object").contentDocument.querySelector("#frames") !== null'))
	p.same('frames', p.js(width), 780)
	spot = p.js('''const svg = document.querySelector('object').contentDocument;
		const box = Array.from(svg.querySelector('#frames').children).find(function (el) {
			return el.firstElementChild.textContent.startsWith('run (');
		}).querySelector('rect').getBoundingClientRect();
		return [box.x + box.width / 2, box.y + box.height / 2]''')
	p.click(tuple(spot))
	p.same('zoomed', p.js('''return document.querySelector('object').contentDocument.
		querySelectorAll('#frames > .parent').length > 0'''), True)
	p.true('image', p.js('return document.querySelector("img").naturalWidth') > 0)
