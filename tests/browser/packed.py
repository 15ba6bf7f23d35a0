"""The viewer reads every form of packed data: plain, stored, with fixed and with dynamic codes. It draws frames that are only in this
data."""
import os
import zlib

from lib.packer import deflate, pack, put, read_folded

draw = 'plain.folded'
SHOWN = ['all', 'main', 'run']
TITLES = "return Array.from(document.querySelectorAll('#frames title')).map(function (el) { return el.textContent; })"


def case(p):
	svg = p.read('packed.svg')
	data = pack(read_folded(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'plain.folded')))
	p.open()
	p.click('run (')
	want = p.js(TITLES)
	places = [frame[:3] for frame in p.frames()]
	p.search('read')
	matched = p.text('#matched')
	forms = {
		'none': data, 'deflate': deflate(data), 'stored': deflate(data, 0), 'fixed': deflate(data, 9, zlib.Z_FIXED),
		'huffman': deflate(data, 9, zlib.Z_HUFFMAN_ONLY), 'runs': deflate(data, 9, zlib.Z_RLE),
		'streams': deflate(data[:7], 9, zlib.Z_FIXED) + deflate(data[7:50], 0) + deflate(data[50:]),
	}
	for form, packed in forms.items():
		p.write('packed-%s.svg' % form, put(svg, packed, 'none' if form == 'none' else 'deflate', shown=SHOWN))
		p.open(path='packed-%s.svg' % form)
		p.same('frames in the file', len(p.js(TITLES)), len(SHOWN))
		p.click('run (')
		p.same(form + ': titles', p.js(TITLES), want)
		p.same(form + ': places', [frame[:3] for frame in p.frames()], places)
		p.search('read')
		p.same(form + ': matched', p.text('#matched'), matched)
		p.same(form + ': fill by name', p.frame('z (')['fill'], 'rgb(10,20,30)')
		p.same(form + ': fill of the file', p.frame('run (')['fill'] != 'rgb(10,20,30)', True)
