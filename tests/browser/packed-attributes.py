"""Frames that are only in the packed data get the links, titles and attributes of --nameattr."""
from lib.packer import frame, pack, put

draw = 'plain.folded'


def case(p):
	tree = frame('', children=[frame('main', own=10, children=[frame('link', own=50), frame('extra', own=30), frame('bare_[k]', own=10)])])
	attributes = [
		('link', 1, ' xlink:href="linked.html?a=1&amp;b=&quot;&#39;" target="_top" data-name="link"', 'A <b>title</b>'),
		('extra', 0, ' class="mine" fg:mine="1" data-x="&lt;&#10;&gt;"', None)]
	p.write('linked.html', '<!DOCTYPE html><title>linked</title>')
	p.write('attributes.svg', put(p.read('packed-attributes.svg'), pack(tree, attributes=attributes), 'none', 100, ['all']))
	p.open(path='attributes.svg#s=main')
	p.keys('n', 'Enter')
	p.same('label', p.frame('A <b>title</b>')['label'], 'link')
	p.same('label without its annotation', p.frame('bare (')['label'], 'bare')
	found = p.js("""const a = document.querySelector('#frames a'), g = document.querySelector('#frames .mine');
		return [a.getAttribute('target'), a.href.baseVal, g.getAttribute('data-x'), g.getAttributeNS('http://github.com/jonhoo/inferno', 'mine'), g.firstChild.textContent]""")
	p.same('attributes', found, ['_top', 'linked.html?a=1&b="\'', '<\n>', '1', 'extra (30 samples, 30.00%)'])
	p.click('A <b>title</b>', key='Control')
	p.near('Ctrl-click zooms', p.frame('A <b>title</b>')['width'], 1180)
	p.click('A <b>title</b>')
	p.wait(lambda: p.js('return location.pathname') == '/linked.html')
