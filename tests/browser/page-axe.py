"""axe-core finds no violation in any view of a page: light, dark, and with forced colours."""
from lib.axe import PATH, each_view, judge

format = 'html'
draw = "--note '^draw$=slow' times.perf"
needs = PATH
VIEWS = {
	'graph': '', 'zoomed, searched': '#s=draw&f=hide:%5Emain%24', 'nothing left': '#f=only:nothing', 'callers': '#view=callers&fn=draw', 'callers, missing': '#view=callers&fn=draw&f=only:nothing', 'callers, searched': '#view=callers&fn=draw&s=parse',
	'tree': '#view=tree&s=draw', 'leaves': '#view=tree&tree=up', 'heat map': '#view=heat&f=time:10-200', 'notes': '#view=notes', 'two spans': '#f=time:10-200&u=300-400',
	'in time': '#order=time', 'by kind': '#colour=kind', 'no table': '#table=off',
}


def case(p):
	for view, setting in each_view(p, VIEWS):
		if view == 'zoomed, searched':
			p.click('draw (')
			judge(p, 'a zoom, ' + setting)
		if view == 'graph':
			p.press('#threads')
			judge(p, 'threads, ' + setting)
			p.press('.rows > .row')
			p.press('#menu-export summary')
			judge(p, 'a row and a menu, ' + setting)
			p.press('#menu-export summary')
			p.js('''document.querySelector('#frames > g:nth-child(2) rect').dispatchEvent(
				new MouseEvent('contextmenu', { bubbles: true, button: 2, clientX: 300, clientY: 700 }))''')
			judge(p, 'the menu of a frame, ' + setting)
			p.keys('Escape')
			p.js('document.querySelector("#graph").focus()')
			p.keys('?')
			judge(p, 'keys, ' + setting)
			p.keys('Escape')
