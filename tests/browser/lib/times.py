"""Samples of the inputs with times, and spans that the mouse marks."""
import os
import re


def samples(file):
	"""Returns the samples of the input: (thread, time in ms after the first bucket, count, frames from the root)."""
	found = []
	with open(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), file), encoding='utf-8') as lines:
		for block in lines.read().strip().split('\n\n'):
			event, *stack = block.split('\n')
			comm, ids, seconds, count = re.match(r'(\S+) (\S+) \[000\] ([\d.]+): (\d+)', event).groups()
			found.append((comm + ' ' + ids, float(seconds), int(count), [comm] + [line.split()[1] for line in reversed(stack)]))
	return found


def drag(p, selector, start, end, kind='mouse', key=None):
	"""Drags from one share of an element's width to another."""
	box = p.js('const b = document.querySelector(arguments[0]).getBoundingClientRect(); return [b.x, b.y, b.width, b.height]', selector)
	at = [p.moved(box[0] + part * box[2], box[1] + box[3] / 2) for part in (start, (start + end) / 2, end)]
	pause = {'type': 'pause'}
	steps = [pause, at[0], {'type': 'pointerDown', 'button': 0}, at[1], at[2], {'type': 'pointerUp', 'button': 0}, pause]
	devices = [{'type': 'pointer', 'id': kind, 'parameters': {'pointerType': kind}, 'actions': steps}]
	if key:
		devices.append({'type': 'key', 'id': 'keyboard', 'actions':
			[{'type': 'keyDown', 'value': key}] + 5 * [pause] + [{'type': 'keyUp', 'value': key}]})
	p.act(*devices)


def heat_rows(p, width):
	"""Returns the number of rows in a column of the heat map, from the text of the page; `width` is the
	width of a bucket in ns."""
	value, unit = re.search(r'A column is ([\d.]+) (\S+),', p.text('#view-heat p')).groups()
	wanted = float(value) * {'s': 1e9, 'ms': 1e6, 'µs': 1e3}[unit]
	return next(n for n in (64, 32, 16, 8, 4, 2, 1) if abs(n * width - wanted) < 0.01 * n * width)
