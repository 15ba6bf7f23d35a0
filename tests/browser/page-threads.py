"""A page counts up to 4,096 threads. If a recording has more, the number of threads ends in a plus sign."""
import tempfile

format = 'html'
INPUT = tempfile.NamedTemporaryFile('w', suffix='.perf')
INPUT.write(''.join('app %d 1.%06d: 1 cycles:\n\t7f main (app)\n\n' % (100 + i, i) for i in range(5000)))
INPUT.flush()
draw = INPUT.name


def case(p):
	p.open()
	p.same('threads', p.text('#threads').strip(), '4,096+ threads')
	p.true('also in the facts', '4,096+ threads' in p.text('.facts'))
	p.press('#threads')
	p.same('a small share', p.texts('.threads small')[0], '<0.1%')
	p.same('no row is cut', p.js('''const box = document.querySelector('.threads').getBoundingClientRect();
		return Array.from(document.querySelectorAll('.threads > button'), el => el.getBoundingClientRect()).filter(({ top, bottom }) => top < box.bottom && bottom > box.bottom).length'''), 0)
	p.same('no share is over a strip', p.js('''return Array.from(document.querySelectorAll('.threads > small')).filter(el => el.scrollWidth > el.clientWidth).length'''), 0)
	p.true('and in the name of those that share a row', '4033+ other threads' in p.text('.threads'))
