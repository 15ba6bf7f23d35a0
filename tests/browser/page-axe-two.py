"""axe-core finds no violation in the page of a comparison."""
from lib.axe import PATH, each_view

format = 'html'
command = 'diff'
draw = 'times.perf times-after.perf'
needs = PATH
VIEWS = {'graph': '', 'searched': '#s=parse', 'callers': '#view=callers', 'tree': '#view=tree', 'leaves': '#view=tree&tree=up', 'total': '#by=total', 'heat map': '#view=heat&f=time:10-200', 'after': '#side=after'}


def case(p):
	for _ in each_view(p, VIEWS):
		continue
