"""A name that stands for all functions of a library without names is explained in the table and in the details."""
format = 'html'
draw = 'library.folded'
WHAT = 'functions of libz.so.1.2.13 without names (install its debug symbols)'


def case(p):
	p.open()
	titles = p.js('return Array.from(document.querySelectorAll(".rows > .row:not([hidden]) > .name"), el => el.title)')
	p.same('table', titles, ['[libz.so.1.2.13]: ' + WHAT, 'work', '[unknown]', 'main', 'deflate'])
	p.press('.rows > .row > .name', 0)
	p.true('details', WHAT in p.text('footer .values'))
	p.press('.rows > .row > .name', 1)
	p.true('no others', 'without names' not in p.text('footer'))
