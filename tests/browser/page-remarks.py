"""A page of two recordings names both files with their numbers of samples."""
import re

command = 'diff'
format = 'html'
draw = '../golden/diff/before.data ../golden/diff/after.data'


def case(p):
	p.open()
	p.true('both files', re.search(r'before\.data: samples: \d.* - .*after\.data: samples: \d', p.text('#remarks')))
