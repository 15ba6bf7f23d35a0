"""A choice or a key colours frames by module or by kind of code, also after a zoom and a filter. A legend has the shares of self counts.
The choice "by name" restores the colours of the file. The text on every colour is readable."""
format = 'html'
draw = 'threads.folded'
CLASS = '''return Array.from(document.querySelectorAll('#frames > :not(path)')).filter(el => el.textContent.startsWith(arguments[0]))
	.map(el => el.querySelector('rect').getAttribute('class'))'''
CONTRAST = '''const rgb = text => text.match(/[\\d.]+/g).slice(0, 3).map(part => part / 255)
		.map(c => c <= 0.04045 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4));
	const light = text => { const [r, g, b] = rgb(text); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
	const frame = document.querySelector('#frames g:has(text)'), rect = frame.querySelector('rect'), text = frame.querySelector('text');
	const ink = light(getComputedStyle(text).fill), was = rect.getAttribute('class');
	const all = Array.from({ length: 20 }, (none, at) => {
		rect.setAttribute('class', 'c' + (43 + at));
		const page = light(getComputedStyle(rect).fill);
		return (Math.max(ink, page) + 0.05) / (Math.min(ink, page) + 0.05);
	});
	rect.setAttribute('class', was);
	return Math.min(...all)'''


def choose(p, way):
	p.choose('colour', 'Colour by ' + way)


def one(p, name):
	"""Returns the class of all frames of that name."""
	found = set(p.js(CLASS, name))
	p.same('classes of ' + name, len(found), 1)
	return found.pop()


def case(p):
	p.open()
	before = p.frames()
	choose(p, 'kind')
	p.same('legend', p.texts('.legend li'), ['kernel55.0%', 'inlined25.0%', 'JIT12.0%', 'library8.0%', 'user0.0%', 'unknown0.0%'])
	p.same('kernel', one(p, 'schedule ('), one(p, 'memcpy ('))
	p.true('not user', one(p, 'schedule (') != one(p, 'main ('))
	p.same('address', p.view(), '#colour=kind')
	p.click('app::run')
	p.same('after a zoom', one(p, 'schedule ('), 'c56')
	p.hover('app::run')
	p.keys('f')
	p.same('after a filter', one(p, 'schedule ('), 'c56')
	p.same('of what is left', p.texts('.legend li')[:2], ['kernel50.0%', 'inlined50.0%'])
	p.open('#colour=module')
	p.same('modules', p.texts('.legend li')[:1], ['libc.so.68.0%'])
	p.true('one module', one(p, 'app::run (') == one(p, 'app::parse (') != one(p, 'std::sort ('))
	p.same('no module', one(p, 'main ('), 'c32')
	p.click('all')
	p.keys('k')
	p.true('next way', '#colour=kind' in p.view())
	p.keys('k')
	p.same('as in the file', p.frames(), before)
	p.same('no legend', p.shown('.legend'), False)
	p.true('contrast in light mode', p.js(CONTRAST) >= 4.5)
	p.prefer('dark')
	p.true('contrast in dark mode', p.js(CONTRAST) >= 4.5)
