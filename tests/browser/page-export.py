"""The shown part can be saved, also after filters and a zoom: as folded stacks with marks and counts, as an SVG file without a script that
looks the same, and as a PNG of twice the size."""
import os

format = 'html'
draw = "--note '^read=slow' threads.folded"
HERE = os.path.dirname(os.path.abspath(__file__))
SAVE = '''const chosen = Array.from(document.querySelectorAll('.menu button')).find(el => el.textContent === arguments[0]);
	document.querySelector('.menu').open = true;
	chosen.click()'''
SIZE = 'return document.contentType.startsWith("image/png") ? [document.images[0].naturalWidth, document.images[0].naturalHeight] : null'

ERROR = "return new DOMParser().parseFromString(arguments[0], 'image/svg+xml').querySelector('parsererror')"


def saved(p, what, file):
	path = os.path.join(p.folder, file)
	if os.path.exists(path):
		os.remove(path)
	p.js(SAVE, what)
	p.wait(lambda: os.path.exists(path) and os.path.getsize(path))
	return path


def stacks(p, file='Flame-Graph.folded'):
	with open(saved(p, 'Folded stacks', file), encoding='utf-8') as lines:
		return sorted(lines.read().splitlines())


def lines(pattern=''):
	with open(os.path.join(HERE, 'threads.folded'), encoding='utf-8') as file:
		return sorted(line for line in file.read().splitlines() if pattern in line)


def case(p):
	p.cdp('Browser.setDownloadBehavior', behavior='allow', downloadPath=p.folder)
	p.open()
	p.same('all stacks', stacks(p), lines())
	p.same('says which file', p.text('#details'), 'Saved: Flame-Graph.folded')
	p.open('#f=only%3A%5Eapp%3A%3Arun%24&order=heavy')
	p.same('after a filter', stacks(p), lines('app::run'))
	p.click('web-10/11')
	p.same('of a zoom', stacks(p), lines('web-10/11;main;app::run'))
	p.js('document.querySelector("#frames [tabindex=\'0\']").focus()')
	p.keys('k')
	p.keys('k')
	p.true('by kind', 'colour=kind' in p.view())
	place = p.frame('schedule')
	colour = p.pixel(place['x'] + place['width'] / 2, place['y'] + 2)
	saved(p, 'SVG', 'Flame-Graph.svg')
	p.true('no script', '<script' not in p.read('Flame-Graph.svg'))
	p.true('says what is shown', all('>%s' % word in p.read('Flame-Graph.svg') or ' › ' + word in p.read('Flame-Graph.svg') for word in ('only app::run', 'web-10/11')))
	p.open(path='Flame-Graph.svg')
	p.same('well-formed', p.js(ERROR, p.read('Flame-Graph.svg')), None)
	p.same('frames', p.visible(), ['app::run', 'do_syscall_64', 'main', 'schedule', 'web-10/11'])
	svg = p.frame('schedule')
	p.near('width', svg['width'], place['width'])
	p.same('colour', p.pixel(svg['x'] + svg['width'] / 2, svg['y'] + 2), colour)
	p.same('no controls', p.js('return document.querySelector("#search, #profile, script")'), None)
	p.open('#colour=kind')
	width = p.js('return document.querySelector("#graph > svg").clientWidth')
	saved(p, 'PNG', 'Flame-Graph.png')
	p.open(path='Flame-Graph.png')
	p.same('a PNG', p.js(SIZE)[0], 2 * width)
