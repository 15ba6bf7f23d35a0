"""With --width and the root at the top, the picture grows downwards and keeps its scale."""
draw = 'plain.folded --minwidth 20% --width 800 --inverted'


def case(p):
	p.open()
	box = 'const b = document.documentElement.getAttribute("viewBox").split(" ").map(Number); return b'
	before, root, matched = p.js(box), p.frame('all ('), 'const el = document.querySelector("#matched"); return Number(el.getAttribute("y")) + el.getScreenCTM().f + scrollY'
	low = p.js(matched)
	p.click('run (')
	p.same('viewBox', p.js(box), [0, 0, 800, before[3] + 32])
	p.same('height', p.js('return document.documentElement.getAttribute("height")'), str(before[3] + 32))
	p.near('the root stays', p.frame('all (')['y'], root['y'])
	p.same('matched', p.js(matched), low + 32)
	p.near('box', p.frame('Read (')['height'], 15)
	p.click('#unzoom')
	p.same('as before', (p.js(box), p.js(matched)), (before, low))
