"""If a large change is noise because the scale of the counts is not exact, the details and the table say so, and up to which change this is so."""
import re

format = 'html'
command = 'diff'
draw = 'scale-before.folded scale-after.folded'
SCALE = r'[+−](\d+\.\d)%, within the error of the scale: at most (\d+\.\d)%'


def case(p):
	p.open('#by=total')
	p.hover('main (')
	change, most = map(float, re.search('total .*?' + SCALE, p.text('footer .values')).groups())
	p.true('at most', 5 < change <= most < 25)
	p.true('table', any('within the error of the scale' in text for text in p.js('return Array.from(document.querySelectorAll("aside .rows .number"), el => el.title)')))
	p.press('#tab-tree')
	left = p.js('return Array.from(document.querySelectorAll("#view-tree .number"), el => el.getBoundingClientRect().right)')
	p.same('columns in the tree', len(set(left)), 3)
	p.size(1400)
	facts = p.js('const el = document.querySelector(".facts"); return [el.scrollHeight - el.clientHeight, el.scrollWidth - el.clientWidth]')
	p.same('nothing of the facts is cut', facts, [0, 0])
	p.true('the graph has room', p.js('return document.querySelector("#graph").getBoundingClientRect().top') <= 120)
