"""The targets, and tables of the measured figures."""
import harness

# For each row, two limits of CPU time: the greatest ratio to wc -l (in rows of small inputs, to an
# empty process; in diff --svg, to diff with text output), and the least ratio of the Rust program
# to inferno.
RATIOS = {
	'collapse perf, mix': (4.5, 8), 'collapse perf, random stacks': (5, 6), 'collapse perf, new stacks': (8, 4),
	'collapse perf, new offsets': (None, 6),
	'collapse dtrace, names': (8, 3.5), 'collapse dtrace, addresses': (15, 2.5), 'collapse sample': (5, 4),
	'flamegraph, sorted': (4, 8), 'flamegraph, shuffled': (9, 4), 'flamegraph, many names': (None, 3),
	'flamegraph --reverse, small': (None, 5), 'diff, sorted': (4, 7), 'diff, unsorted': (11, 1.2), 'diff --svg': (2, None),
	'small, collapse-perf': (2, 3), 'small, collapse-dtrace': (2, 3), 'small, collapse-sample': (2, 3),
	'small, flamegraph': (2, 3), 'small, 700 stacks': (None, 4)}
# For each row of recordings, the greatest ratio to the wall time of perf script.
RECORDINGS = {'-g, perf script --no-inline': 1 / 6, '-g, perf script and Rust': 1 / 12, 'few, perf script --no-inline': 1 / 2,
	'dwarf, perf script --no-inline': 1 / 6, 'inlined, perf script': 1 / 50}
FORKED = ', forked'  # after the name of a row of small inputs
# For each row, the greatest ratio of the time with two threads to the time with one.
THREADS = {('fold', 'wall'): 0.58, ('fold', 'CPU'): 1.1, ('draw', 'wall'): 0.65, ('draw', 'CPU'): 1.3}
MEMORY, PER_STACK, STACK_FRAMES = 16e6, 300, 17  # bytes, and bytes for each unique stack of so many frames


def allowed_memory(stacks, frames):
	"""Returns the limit of memory for folding a profile, in bytes. `frames` is the number of frames in a unique stack."""
	return MEMORY + PER_STACK * stacks * frames / STACK_FRAMES


def ratio_text(value):
	return '-' if value is None else '%.2f' % value


def limit_text(value):
	return '-' if value is None else '%g' % value


def verdict(base, most, rust, least):
	"""Returns whether two ratios are within their limits. A ratio that was not measured is ignored."""
	if base and most and base > most or rust and least and rust < least:
		return 'missed'
	return 'ok' if base and most or rust and least else ''


def ratio_table(found):
	"""Returns a table of {row: (ratio to the base, ratio of the Rust program)}."""
	lines = []
	for row, (base, rust) in found.items():
		most, least = RATIOS.get(row.removesuffix(', --data=none').removesuffix(FORKED), (None, None))
		lines.append([row, ratio_text(base), limit_text(most), ratio_text(rust), limit_text(least),
			verdict(base, most, rust, least)])
	return harness.table(['', 'to the base', 'at most', 'Rust to inferno', 'at least', ''], lines)


def thread_table(found):
	"""Returns a table of {(row, wall or CPU): ratio} of two threads."""
	return harness.table(['', 'to one thread', 'at most', ''], [['%s, %s' % row, ratio_text(ratio), limit_text(THREADS[row]),
		'missed' if ratio > THREADS[row] else 'ok'] for row, ratio in found.items()])


def recording_table(found):
	"""Returns a table of {row: (our costs, those of perf)}. The CPU time of a stopped command's helpers is not counted."""
	lines = []
	for row, (ours, perf) in found.items():
		name, stopped, _ = row.partition(', at most')
		cpu, wall = (harness.quotient(perf, ours, value) for value in (lambda cost: cost.cpu, lambda cost: cost.wall))
		limit = RECORDINGS.get(name)
		lines.append([row, '-' if stopped else '1/%.1f' % cpu, '1/%.1f' % wall, '1/%.0f' % (1 / limit) if limit else '-',
			'' if not limit else 'ok' if wall * limit >= 1 else 'missed'])
	return harness.table(['Recording, base', 'CPU', 'wall', 'at most', ''], lines)
