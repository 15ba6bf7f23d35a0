"""If the packed data cannot be read, a message says so, and the viewer works with the drawn frames."""
import os

from lib.packer import deflate, pack, put, read_folded

draw = 'plain.folded'


def case(p):
	svg = p.read('packed-broken.svg')
	whole = pack(read_folded(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'plain.folded')))
	packed = deflate(whole)
	broken = {
		'cut': (packed[:40], 'deflate'), 'empty': (b'', 'deflate'), 'noise': (bytes(range(255, 0, -1)), 'deflate'),
		'endless': (b'\1\0\xff\xff\xff\xff\x7f' + whole[5:], 'none'), 'version': (b'\2' + whole[1:], 'none'),
		'plain and cut': (whole[:60], 'none'), 'levels': (whole[:5] + b'\0\x09' + whole[7:], 'none'),
		'far back': (b'\x4b\x04\x7f\0', 'deflate'),
	}
	for n, (what, (data, coding)) in enumerate(broken.items()):
		page = 'packed-broken-%d.svg' % n
		p.write(page, put(svg, data, coding))
		p.open(path=page)
		p.wait(lambda: p.text('#details').startswith('Cannot read the embedded profile, only the frames drawn: '))
		p.click('run (')
		p.near(what + ': zooms', p.frame('run (')['width'], 1180)
		p.search('read')
		p.same(what + ': searches', p.matched(), 'Matched: ' + p.covered('plain.folded', 'read', ('main', 'run')))
