"""Measures a picture in a browser. Each run has a new browser. All times are measured inside the page by picture.js, or for a
picture on a canvas, by canvas.js."""
import gzip
import os
import pathlib
import statistics
import tempfile

from webdriver import Driver, Failure

HERE = os.path.dirname(os.path.abspath(__file__))
VIEW = (1280, 900)               # px of the page
FIRST, LATER = 175, (130, 220, 110)  # approximate widths of the frames to click, in px
PATIENCE = 600                   # time limit in seconds


def sizes(path):
	"""Returns bytes of a file, as it is and packed by gzip."""
	with open(path, 'rb') as file:
		data = file.read()
	return {'size': len(data), 'gzip': len(gzip.compress(data, 6))}


def resize(driver):
	extra = driver.js('return [outerWidth - innerWidth, outerHeight - innerHeight]')
	driver.call('/window/rect', {'width': VIEW[0] + extra[0], 'height': VIEW[1] + extra[1]})


def visit(driver, path, pattern):
	"""Opens a picture, and measures: ready, first zoom, later zooms with a reset after each, search, memory."""
	def ask(call, *args):
		return driver.js('return %s.%s(...arguments)' % (bench, call), *args)

	driver.call('/url', {'url': pathlib.Path(path).as_uri()})
	bench = driver.js('return document.querySelector("canvas") ? "canvasBench" : "pictureBench"')
	result = {'ready': ask('untilReady'), 'first': ask('zoom', FIRST)}
	ask('reset')
	zooms, resets = [], []
	for width in LATER:
		zooms.append(ask('zoom', width))
		resets.append(ask('reset'))
	for name, runs in ('zoom', zooms), ('reset', resets):
		result[name] = {part: statistics.median(run[part] for run in runs) for part in ('script', 'painted')}
	result['search'] = ask('search', pattern)
	result['memory'] = renderer_memory(driver)
	return result


def children(pid):
	"""Returns the processes below a process."""
	below = []
	for path in pathlib.Path('/proc/%d/task' % pid).glob('*/children'):
		try:
			below += [int(word) for word in path.read_text(encoding='ascii').split()]
		except OSError:
			pass  # the thread has ended
	return below + [deeper for child in below for deeper in children(child)]


def proportional(pid):
	"""Returns bytes of a process in memory; of a page that n processes share, one n-th."""
	with open('/proc/%d/smaps_rollup' % pid, encoding='ascii') as file:
		return next(1024 * int(line.split()[1]) for line in file if line.startswith('Pss:'))


def renderer_memory(driver):
	"""Returns bytes of the process that shows the picture, after its garbage is collected: the largest renderer."""
	driver.cdp('HeapProfiler.collectGarbage')
	largest = 0
	for pid in children(driver.process.pid):
		try:
			with open('/proc/%d/cmdline' % pid, 'rb') as file:
				if b'--type=renderer' in file.read():
					largest = max(largest, proportional(pid))
		except OSError:
			pass  # the process has ended
	return largest


def logged(driver):
	"""Returns the errors that the browser found in the page."""
	return [entry['message'] for entry in driver.call('/se/log', {'type': 'browser'}) if entry['level'] == 'SEVERE']


def measure(browser, path, pattern):
	"""One run with a picture, in a new browser with an empty page."""
	scripts = []
	for name in 'picture.js', 'canvas.js':
		with open(os.path.join(HERE, name), encoding='utf-8') as file:
			scripts.append(file.read())
	with tempfile.TemporaryDirectory(prefix='inferno-bench-', ignore_cleanup_errors=True) as folder:
		blank = pathlib.Path(folder, 'blank.html')
		blank.touch()
		driver = Driver(*browser, folder, PATIENCE)
		try:
			driver.call('/url', {'url': blank.as_uri()})
			resize(driver)
			for script in scripts:
				driver.cdp('Page.addScriptToEvaluateOnNewDocument', source=script)
			return visit(driver, os.path.abspath(path), pattern)
		except Failure as failure:
			raise Failure('%s: %s' % (path, '; '.join([str(failure)] + logged(driver)))) from None
		finally:
			driver.close()
