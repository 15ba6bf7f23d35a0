"""A frame that a zoom draws without a label is only a box. It has details, a title, the colour of a search, and the focus, like any other frame."""
draw = 'wide.folded --minwidth 50%'
BOXES = "Array.from(document.querySelectorAll('#frames > rect'))"


def case(p):
	p.open()
	p.same('no box in the file', p.js('return %s.length' % BOXES), 0)
	p.click('main (')
	p.true('boxes', p.js('return %s.length' % BOXES) > 100)
	p.hover('f003 (')
	p.same('details', p.told(), 'Function: ' + p.frame('f003 (')['title'] + ' | 0.40% of view')
	p.search('^f005$')
	p.same('colour of a match', [p.frame(name)['fill'] == 'rgb(230,0,230)' for name in ('f004 (', 'f005 (')], [False, True])
	p.keys('n')
	p.same('focus', (p.focused(), p.js('return document.activeElement.getAttribute("role")')), (p.frame('f005 (')['title'], 'treeitem'))
	p.keys('Escape', 'ArrowRight')
	p.same('the next one', p.focused(), p.frame('f006 (')['title'])
	p.click('f006 (')
	p.same('zoomed', p.frame('f006 (')['label'], 'f006')
	p.click('main (')
	p.settle()
	p.same('hundreds of boxes have names, but no titles, which would make every later zoom and reset slow',
		p.js('return [%s.some(el => el.firstElementChild), %s[8].getAttribute("aria-label")]' % (BOXES, BOXES)), [False, 'f008 (1 samples, 0.40%)'])
	p.same('the title comes with the mouse', p.js('''const click = name => Array.from(document.querySelectorAll('#frames > g')).find(el => el.textContent.startsWith(name)).dispatchEvent(
			new MouseEvent('click', { bubbles: true }));
		click('all (');
		click('main (');
		const box = %s[8], before = box.childElementCount;
		box.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
		return [before, box.firstElementChild.textContent, box.getAttribute('aria-label'), box.getAttribute('fg:w')]''' % BOXES),
		[0, 'f008 (1 samples, 0.40%)', None, '1'])
	p.open()
	p.same('a quick search is shown at once', p.js('''const click = el => el.dispatchEvent(new MouseEvent('click', { bubbles: true }));
		click(document.querySelector('#search'));
		document.activeElement.value = '^f005$';
		document.activeElement.dispatchEvent(new InputEvent('input', { bubbles: true }));
		return document.querySelector('#matched').textContent'''), 'Matched: 0.4% (1 frame)')
