"""If a policy blocks the styles in the file, frames keep their colours, and controls do not show if
scripts are blocked too."""

draw = 'plain.folded --style=modern'


def serve(p, svg, policy, name):
	p.write(name, '<!DOCTYPE html><title>blocked</title><meta http-equiv="Content-Security-Policy" content="' + policy + '">' +
		svg[svg.index('<svg'):])
	p.open(path=name)


FILLS = '''return Array.from(document.querySelectorAll('#frames > * > rect')).map(function (rect) {
	return getComputedStyle(rect).fill; })'''
SHOWN = '''return ['search', 'ignorecase', 'unzoom', 'own'].filter(function (id) {
	const el = document.getElementById(id);
	return el && getComputedStyle(el).visibility === 'visible'; })'''


def case(p):
	svg = p.read('blocked-style.svg')
	serve(p, svg, "style-src 'self'; script-src 'none'", 'static.html')
	fills = p.js(FILLS)
	p.true('colours', len(set(fills)) > 5 and 'rgb(0, 0, 0)' not in fills)
	p.same('controls', p.js(SHOWN), [])
	serve(p, svg, "style-src 'self'; script-src 'unsafe-inline'", 'live.html')
	p.same('the same', p.js(FILLS), fills)
	p.true('controls', 'search' in p.js(SHOWN))
	p.click('run (')
	p.true('zoomed', 'rgb(0, 0, 0)' not in p.js(FILLS))
	p.errors()  # of the policy
