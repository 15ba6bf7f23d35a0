"""A palette with meanings has a legend, also in an inverted picture, in which the details are at the other end."""
draw = 'plain.folded --colors java --inverted'


def case(p):
	p.open()
	texts = p.js("return Array.from(document.querySelectorAll('#legend text')).map(function (el) { return el.textContent; })")
	p.same('texts', texts, ['Java', 'inlined', 'C++', 'kernel', 'other'])
	p.hover('run (')
	p.same('stays', p.shown('#legend'), True)
	foot = p.js('return document.querySelector("#legend").getBoundingClientRect().top')
	p.true('below the frames: %r' % foot, all(frame['y'] < foot for frame in (p.frame('read ('), p.frame('all ('))))
	p.search('read')
	p.cdp('Emulation.setDeviceMetricsOverride', width=400, height=800, deviceScaleFactor=1, mobile=False)
	try:
		p.wait(lambda: not p.shown('#legend'))  # it is hidden while the matched share is shown
	finally:
		p.cdp('Emulation.clearDeviceMetricsOverride')
