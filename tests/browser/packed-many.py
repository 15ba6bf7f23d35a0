"""If there are very many frames, only frames wide enough to be seen are drawn; narrow frames become
strips, and a wide frame between them is kept."""
from lib.packer import deflate, frame, pack, put

draw = 'plain.folded'


def case(p):
	leaves = [frame('leaf', own=1) for _ in range(100000)]
	leaves[70000] = frame('wide', own=20000, children=[frame('inner', own=100)])
	tree = frame('', children=[frame('main', children=leaves), frame('other', own=1000)])
	packed = deflate(pack(tree))
	p.write('many.svg', put(p.read('packed-many.svg'), packed, 'deflate', 121099, ['all']))
	p.open(path='many.svg#s=^main$')
	p.keys('n', 'Enter')
	p.same('drawn', p.visible(), ['inner', 'main', 'wide'])
	p.near('wide', p.frame('wide (')['width'], 1180 * 20100 / 120099)
	strip = p.js('const b = document.querySelector("#frames > .narrow").getBoundingClientRect(); return [b.left, b.right, b.top]')
	p.near('strip begins', strip[0], 10)
	p.near('strip ends', strip[1], 1190)
	p.near('on its level', strip[2], p.frame('wide (')['y'])
	p.click('#search')
	p.search('^leaf$|^inner$')
	p.same('counted', p.text('#matched'), 'Matched: 83.3% (100000 frames)')
	p.keys('n', 'n')
	p.true('the first leaf is made wide enough', p.focused().startswith('leaf (1 '))
	p.near('to be seen', p.frame('leaf (1 ')['width'], 1180)
	p.same('counted along', p.text('#matched'), 'Matched: 83.3% (2 of 100000 frames)')
	p.click('#unzoom')
	p.same('and it is as before', p.text('#matched').split('%')[1], ' (100000 frames)')
