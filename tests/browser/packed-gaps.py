"""If frames were left out of the packed data, the other frames keep their places. A search shows bounds of the share, or the exact share
if only one name matches."""
from lib.packer import deflate, frame, pack, put

draw = 'plain.folded'


def case(p):
	tree = frame('', children=[
		frame('main', own=10, hidden=30, children=[frame('work', own=300, gap=20), frame('rest', own=60, gap=10)]),
		frame('tail', own=600, gap=0),
	])
	unseen = {'tail': 8, 'rest': 5, 'tiny': 5}
	packed = pack(tree, gaps=True, unseen=unseen)
	p.write('gaps.svg', put(p.read('packed-gaps.svg'), deflate(packed), 'deflate', 1000, ['all']))
	p.open(path='gaps.svg')
	for pattern, want in ('^work$', '30.0'), ('^tail$', '60.8'), ('^rest$|^work$', '36.0–36.5'), ('t', '66.0–67.3'), ('^main|^rest$', '40.0'):
		p.search(pattern)
		p.same(pattern, p.matched(), 'Matched: ' + want + '%')
		p.click('#search')
	p.js('location.hash = "#s=^rest$"')
	p.wait(lambda: p.matched() == 'Matched: 6.5%')
	p.keys('n')
	p.true('drawn to be focused: %r' % p.focused(), p.focused().startswith('rest ('))
	p.near('after the gaps', p.frame('rest (')['x'], 10 + 1180 * 330 / 400)
