"""A menu lists threads and processes with their shares. If the user chooses one, only its stacks remain, also after other filters. The
address keeps the choice."""
format = 'html'
draw = 'threads.folded'
CHOICE = 'select[aria-label^=Group]'
CHOOSE = '''const el = document.querySelector(arguments[0]);
	el.value = arguments[1];
	el.dispatchEvent(new Event('change'))'''


def case(p):
	p.open()
	p.wait(lambda: p.texts(CHOICE))
	p.same('choices', p.texts(CHOICE + ' option'),
		['All threads', '80.0% web-10', '55.0% web-10/11', '25.0% web-10/12', '20.0% db-20/20'])
	p.js(CHOOSE, CHOICE, 'web-10')
	p.same('a process', p.visible(), ['all', 'app::parse', 'app::run', 'app::run', 'do_syscall_64', 'inl', 'main', 'main', 'memcpy',
		'schedule', 'std::sort', 'web-10/11', 'web-10/12'])
	p.js(CHOOSE, CHOICE, 'web-10/12')
	p.same('a thread', p.visible(), ['all', 'app::parse', 'app::run', 'inl', 'main', 'web-10/12'])
	p.same('one step', p.texts('.chip'), ['group web-10/12×'])
	p.true('in the address', 'web-10%2F12' in p.view())
	view = p.view()
	p.open(path='blank.txt')
	p.open(view)
	p.same('from the address', p.frame('all')['title'][:16], 'all (25 samples,')
	p.same('chosen', p.js('return document.querySelector(arguments[0]).value', CHOICE), 'web-10/12')
	p.open('#f=from%3Amain')
	p.js(CHOOSE, CHOICE, 'web-10/11')
	p.same('before other filters', p.visible(), ['all', 'app::run', 'do_syscall_64', 'main', 'memcpy', 'schedule', 'std::sort'])
	p.js(CHOOSE, CHOICE, '')
	p.same('all again', p.frame('all')['title'][:16], 'all (80 samples,')
