"""Controls and frames have roles and names that a screen reader can say."""
draw = 'plain.folded'


def case(p):
	p.open()
	p.same('search', p.spoken('#search'), ('button', 'Search'))
	p.same('ignorecase', p.spoken('#ignorecase'), ('button', 'Ignore case when searching'))
	p.same('frames', p.spoken('#frames')[0], 'tree')
	p.same('matched', p.spoken('#matched')[0], 'status')
	p.same('details', p.spoken('#details')[0], 'status')
	p.same('picture', p.spoken('svg'), ('group', 'Flame Graph'))
	p.same('root', p.spoken('#frames > [tabindex="0"]'), ('treeitem', p.frame('all (')['title']))
	p.click('run (')
	p.same('unzoom', p.spoken('#unzoom'), ('button', 'Reset zoom'))
	p.same('zoomed', p.spoken('#frames > [tabindex="0"]'), ('treeitem', p.frame('run (')['title']))
	p.search('read')
	p.same('search', p.spoken('#search'), ('button', 'Reset search'))
