"""A function has a link to its source if its name ends in a file and a line, in any of the known forms. The link never leads out of the
template's path, even if the name is hostile."""
format = 'html'
draw = "--source-url 'https://example.org/r/{file}#L{line}' sources.folded"
LINKS = '''return Array.from(document.querySelectorAll('#frames > g'), el => {
	el.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
	const link = document.querySelector('footer a');
	return [document.querySelector('footer strong').textContent, link.hidden ? '' : link.href];
})'''
BASE = 'https://example.org/r/'
WANTED = {
	'main (app.py:3)': BASE + 'app.py#L3',
	'parse (lib/pa rser.py:12)': BASE + 'lib/pa%20rser.py#L12',
	'lex lex.c:40': BASE + 'lex.c#L40',
	'app.py:12:run': BASE + 'app.py#L12',
	'std::sort:/usr/include/c 12/algo.h:99': BASE + 'usr/include/c%2012/algo.h#L99',
	'x ../../../etc/pass?wd#a.c:4': BASE + 'etc/pass%3Fwd%23a.c#L4',
	'Main.run(Main.java:7)': BASE + 'Main.java#L7',
	'poll   (at /src/loop.nim:343)': BASE + 'src/loop.nim#L343',
	'plain': '',
}


def case(p):
	p.open()
	links = dict(p.js(LINKS))
	for name, link in WANTED.items():
		p.same(name, links[name], link)
	p.true('only below the template', all(not link or link.startswith(BASE) for link in links.values()))
	p.same('no referrer', p.js('return document.querySelector("footer a").rel'), 'noreferrer')

	p.js('document.querySelector("#frames [tabindex=\'0\']").focus()')
	p.keys('ArrowUp')
	p.same('text, by keyboard', p.texts('footer a'), ['app.py:3'])
