"""If a script may not copy, the text is shown and selected for the user to copy; it stays until the user does something."""
draw = 'plain.folded'


def case(p):
	def offered(want):
		p.wait(lambda: p.text('#details') == 'Press Ctrl-C to copy: ' + want)
		p.same('selected', p.js('return String(getSelection())'), want)

	p.cdp('Browser.setPermission', permission={'name': 'clipboard-write', 'allowWithoutSanitization': False}, setting='denied')
	p.cdp('Browser.setPermission', permission={'name': 'clipboard-write'}, setting='denied')
	p.open()
	p.hover('run (')
	p.keys('C')
	offered('main;run')
	p.hover('lex (')
	offered('main;run')
	p.js('document.addEventListener("copy", function () { window.copied = String(getSelection()); })')
	p.keys('Control-c')
	p.wait(lambda: p.told() == 'Function: ' + p.frame('lex (')['title'])
	p.same('copied', p.js('return copied'), 'main;run')
	p.keys('c')
	offered('lex')
	p.keys('x')
	p.same('let go by a key', p.told(), 'Function: ' + p.frame('lex (')['title'])
	p.same('nothing selected', p.js('return String(getSelection())'), '')
	p.js('Object.defineProperty(navigator, "clipboard", { value: undefined })')
	p.keys('c')
	offered('lex')
	p.click('#title')
	p.same('let go by a click', p.js('return String(getSelection())'), '')
