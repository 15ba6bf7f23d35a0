"""Runs axe-core in a page, with light, dark and forced colours."""
import os

PATH = 'build-axe/node_modules/axe-core/axe.min.js'
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
RUN = '''return axe.run(document, { resultTypes: ['violations'] }).then(result => result.violations.map(found =>
	[found.id, found.nodes.length, found.nodes[0].html.slice(0, 200), found.nodes[0].failureSummary.slice(0, 300)]))'''
SETTINGS = {'light': [('prefers-color-scheme', 'light')], 'dark': [('prefers-color-scheme', 'dark')], 'forced': [('forced-colors', 'active')]}


def judge(p, what):
	"""Fails if axe-core finds a violation."""
	found = p.js(RUN)
	p.true('%s: %s' % (what, '; '.join('%s (%d): %s %s' % tuple(row) for row in found)), not found)


def each_view(p, views):
	"""Opens each view in each setting, and checks it. Yields the view and the setting after each check."""
	with open(os.path.join(ROOT, PATH), encoding='utf-8') as source:
		axe = source.read()
	p.size(1400, 900)
	for setting, features in SETTINGS.items():
		p.cdp('Emulation.setEmulatedMedia', media='', features=[{'name': name, 'value': value} for name, value in features])
		for view, address in views.items():
			p.open(path='blank.txt')
			p.open(address)
			p.wait(lambda: p.js('return document.querySelector(".facts").textContent !== "" || document.querySelector(".rows > .row") !== null'))
			p.js(axe)
			judge(p, '%s, %s' % (view, setting))
			yield view, setting
	p.cdp('Emulation.setEmulatedMedia', media='', features=[])
