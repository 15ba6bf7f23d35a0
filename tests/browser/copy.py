"""c copies the name of the frame in the details line; C copies its stack as folded text."""
draw = 'plain.folded'


def case(p):
	def clipboard(want):
		p.wait(lambda: p.text('#details') == 'Copied: ' + want)
		p.same('clipboard', p.js('return navigator.clipboard.readText()'), want)

	p.cdp('Browser.grantPermissions', permissions=['clipboardReadWrite', 'clipboardSanitizedWrite'])
	p.open()
	p.keys('c')
	p.same('nothing to copy', p.text('#details'), ' ')
	p.hover('operator new')
	p.keys('c')
	clipboard('operator new(unsigned long)')
	p.keys('C')
	clipboard('main;run;std::vector<int, std::allocator<int>>::push_back(int const&);operator new(unsigned long)')
	p.hover('#title')
	p.same('details are free again', p.text('#details'), ' ')
	p.keys('Tab', 'ArrowUp', 'ArrowUp', 'c')
	clipboard('parse')
	p.keys('C')
	clipboard('main;parse')
	p.click('run (')
	p.hover('main (')
	p.keys('C')
	clipboard('main')
	p.hover('all (')
	p.keys('C')
	p.same('the root has no stack', p.told(), 'Function: ' + p.frame('all (')['title'])
	p.keys('c')
	clipboard('all')
