"""Names in the packed data stay text, whatever they hold: in drawn frames, details, searches and copies."""
import re

from lib.packer import deflate, frame, pack, put

draw = 'plain.folded'
NAMES = ['</metadata><script>window.ran=1</script>', '<img src=x onerror="window.ran=2">', '"\' onload="window.ran=3', ']]>&amp;&#60;',
	'${window.ran=4}', '\u202eevil\u202c \u2066x', 'a\0b\x1b[31m\x7f\ufffe', '\U0001f525', 'é' * 200, '_[k]', 'constructor', '__proto__',
	'\ufeffbom']


def case(p):
	tree = frame('', children=[frame('main', children=[frame(name, own=10) for name in NAMES])])
	p.write('hostile-data.svg', put(p.read('packed-hostile.svg'), deflate(pack(tree)), 'deflate', 10 * len(NAMES), ['all']))
	p.js('window.ran = 0')
	p.open(path='hostile-data.svg#s=main')
	p.keys('n', 'Enter')
	shown = p.js("return Array.from(document.querySelectorAll('#frames title')).slice(2).map(function (el) { return el.textContent; })")
	kept = [name.replace('\0', '\ufffd').replace('\x1b', '\ufffd').replace('\ufffe', '\ufffd') for name in NAMES]
	kept[NAMES.index('_[k]')] = ''
	p.same('titles', shown, [name + ' (10 samples, %.2f%%)' % (100 / len(NAMES)) for name in kept])
	for name in kept:
		p.hover(name + ' (')
		upright = re.sub('[\u202c\u202e\u2066]', '\ufffd', name)  # marks that would turn the numbers round
		p.same('details', p.told(), 'Function: %s (10 samples, %.2f%%) | %.2f%% of view' % (upright, 100 / len(NAMES), 100 / len(NAMES)))
	p.click('#search')
	p.search('^(constructor|__proto__|<img)')
	p.same('found', p.text('#matched'), 'Matched: 23.1% (3 frames)')
	p.same('ran', p.js('return window.ran || 0'), 0)
	p.same('elements', p.js('return document.querySelectorAll("script").length + document.querySelectorAll("img").length'), 1)
