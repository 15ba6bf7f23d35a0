"""The tree can begin with the leaves of stacks: functions sorted by their self counts, and below each function its callers, with the counts of
the input. A search marks the functions that match, and Enter goes to the next match. The address keeps this order, and Back undoes it."""
import collections
import os

format = 'html'
draw = 'plain.folded'
HERE = os.path.dirname(os.path.abspath(__file__))
ROWS = '''return Array.from(document.querySelectorAll('#view-tree [role=treeitem]'), el => [Number(el.getAttribute('aria-level')),
	el.querySelector('.name').textContent, el.querySelector('.number').textContent, el.classList.contains('hit')])'''


def callers(end):
	"""Returns the counts of stacks that end in some functions, leaf first, by the next caller, and the count of all stacks."""
	counts, whole = collections.Counter(), 0
	with open(os.path.join(HERE, 'plain.folded'), encoding='utf-8') as lines:
		for line in lines:
			stack, count = line.rstrip('\n').rsplit(' ', 1)
			names, whole = stack.replace('_[k]', '').split(';')[::-1], whole + int(count)
			if names[:len(end)] == end and len(names) > len(end):
				counts[names[len(end)]] += int(count)
	return sorted(((name, '%.2f%%' % (100 * count / whole)) for name, count in counts.items()), key=lambda row: -counts[row[0]])


def case(p):
	p.size(1400, 900)
	p.open('#view=tree')
	p.press('#view-tree .bar button', 1)
	p.wait(lambda: 'tree=up' in p.view())
	rows = [(name, share) for level, name, share, _ in p.js(ROWS) if level == 2]
	p.same('functions by self', sorted(rows), sorted(callers([])))
	p.same('the heaviest first', [share for _, share in rows], [share for _, share in callers([])])
	name = next(name for name, _ in rows if len(callers([name])) > 1)
	p.press('#view-tree [role=treeitem]:nth-child(%d) .twist' % (2 + [row[0] for row in rows].index(name)))
	below = [(row[1], row[2]) for row in p.js(ROWS) if row[0] == 3]
	p.same('callers of ' + name, sorted(below), sorted(callers([name])))
	p.search('^' + name + '$')
	p.true('marked', all(hit == (row == name) for _, row, _, hit in p.js(ROWS)))
	p.open(path='blank.txt')
	p.open('#view=tree&tree=up')
	p.same('in the address', sorted((row[1], row[2]) for row in p.js(ROWS) if row[0] == 2), sorted(rows))
	p.press('#view-tree .bar button', 0)
	p.wait(lambda: 'tree=up' not in p.view())
	p.back()
	p.wait(lambda: 'tree=up' in p.view())
	p.search('refill')
	p.js('document.querySelector("#find").focus()')
	p.keys('Enter')
	p.same('Enter goes to a match', p.js('return document.querySelector("#view-tree [tabindex=\\"0\\"] .name").textContent'), 'refill')
