"""The address keeps zoom and search after #. Other words, after # and before it, stay."""
import re

draw = 'plain.folded'


def case(p):
	p.open('?a=%20b+c&flag&x2=7#part')
	p.click('run (')
	zoomed = p.view()
	p.true('zoomed', re.match('#part&z=[0-9a-z]+$', zoomed))
	p.search('a&b=c+d #%')
	p.same('searched', p.view(), zoomed + '&s=a%26b%3Dc%2Bd%20%23%25')
	p.click('#unzoom')
	p.same('unzoomed', p.view(), '#part&s=a%26b%3Dc%2Bd%20%23%25')
	p.click('#search')
	p.same('reset', p.view(), '#part')
	p.same('others', p.query(), '?a=%20b+c&flag&x2=7')
