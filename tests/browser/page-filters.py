"""Filters are steps that can be removed and undone, and that the address keeps. The remaining counts are those
of the remaining stacks."""
format = 'html'
draw = 'plain.folded'
STACKS = 'return Array.from(document.querySelectorAll("#frames > g > title"), el => el.textContent).sort()'


def steps(p):
	return [text.rstrip('×') for text in p.texts('#chain .chip')]


def titles(p):
	return [title.replace(' samples', '') for title in p.js(STACKS)]


def add(p, kind, pattern):
	p.filter(kind, pattern)


def case(p):
	p.open()
	p.true('no filters', not p.texts('#chain .chip'))
	before = titles(p)
	add(p, 'only', '^parse$')
	p.same('only parse', titles(p), ['all (50, 100.00%)', 'lex (30, 60.00%)', 'main (50, 100.00%)', 'parse (50, 100.00%)',
		'read (20, 40.00%)', 'read (30, 60.00%)', 'refill (9, 18.00%)'])
	p.same('left', p.text('#chain output'), '41.0% of all')
	p.same('root', p.frame('all')['label'], 'all (50 samples)')
	add(p, 'hide', '^lex$')
	p.same('read of lex and of parse are one', p.frame('read')['title'], 'read (50 samples, 100.00%)')
	add(p, 'without', 'refill')
	p.same('hide stacks with refill', p.frame('read')['title'], 'read (41 samples, 100.00%)')
	add(p, 'from', 'parse')
	p.same('from parse', titles(p), ['all (41, 100.00%)', 'parse (41, 100.00%)', 'read (41, 100.00%)'])
	p.same('steps', steps(p), ['only parse', 'hide frames of lex', 'hide stacks with refill', 'from parse'])
	p.open(p.view())
	p.same('again from the address', titles(p), ['all (41, 100.00%)', 'parse (41, 100.00%)', 'read (41, 100.00%)'])
	p.press('#chain .chip button', 2)
	p.same('without the third', steps(p), ['only parse', 'hide frames of lex', 'from parse'])
	p.same('refill again', p.frame('refill')['title'], 'refill (9 samples, 18.00%)')
	p.click('all')
	p.keys('u', 'u', 'u')
	p.same('undone', titles(p), before)
	p.true('nothing left', not p.texts('#chain .chip') and p.view() == '')
	p.hover('eval', 0)
	p.keys('h', 'r')
	p.same('keys', steps(p), ['hide frames of eval', 'fold recursion'])
	p.same('apply calls itself no more', [title for title in titles(p) if title.startswith('apply')], ['apply (23, 18.85%)'])
	add(p, 'only', '(')
	p.same('a bad pattern', len(steps(p)), 2)
	p.true('says why', p.text('footer output').startswith('Bad pattern: '))
	p.open(path='blank.txt')
	p.open()
	p.press('#menu-filter summary')
	p.keys(*'^lex$', 'Enter')
	p.same('the field of the menu has the focus', steps(p), ['only lex'])
	p.open('#')
	add(p, 'only', '^r.{3,6}d?$')
	p.same('a comma and other marks', steps(p), ['only ^r.{3,6}d?$'])
	shown = titles(p)
	view = p.view()
	p.open(path='blank.txt')
	p.open(view)
	p.same('are kept', steps(p), ['only ^r.{3,6}d?$'])
	p.same('and mean the same', titles(p), shown)
