"""Makes flame graphs of inferno: perf records inferno at work, and inferno folds and draws the recording."""
import os
import shlex
import shutil
import subprocess

FREQUENCY = 4999  # samples a second; a run is short
NARROWEST = '0.1%'
TRIES = 10


def why_not(folder):
	"""Returns why nothing can be recorded here, or None."""
	if not shutil.which('perf'):
		return 'there is no perf'
	data = os.path.join(folder, 'itself.data')
	run = subprocess.run(['perf', 'record', '-q', '--call-graph', 'dwarf', '-o', data, 'true'], stdin=subprocess.DEVNULL,
		stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
	lines = run.stdout.strip().splitlines()
	return None if run.returncode == 0 else 'perf may not record: %s' % (lines[0].rstrip('.') if lines else 'status %d' % run.returncode)


def folded_stacks(inferno, words, times, folder):
	"""Returns the folded stacks of several runs of the program with these arguments, a process for each run."""
	command = shlex.join([inferno] + words) + ' >/dev/null 2>&1;'
	data, text = (os.path.join(folder, 'itself.' + end) for end in ('data', 'perf'))
	# Find the stacks by the debugging information: this needs no other build, and shows inlined
	# functions.
	subprocess.run(['perf', 'record', '-q', '-F', str(FREQUENCY), '--call-graph', 'dwarf', '-o', data, '--', 'sh', '-c',
		command * times], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
	with open(text, 'wb') as out:  # the kernel keeps only 15 letters of a name
		subprocess.run(['perf', 'script', '--comm', os.path.basename(inferno)[:15], '-i', data], stdin=subprocess.DEVNULL,
			stdout=out, stderr=subprocess.DEVNULL, check=True)
	os.remove(data)
	return subprocess.run([inferno, 'collapse', 'perf', '-q', '--tid', text], stdout=subprocess.PIPE, text=True,
		check=True).stdout.splitlines(keepends=True)


def whole_stacks(lines, name):
	"""Returns the stacks of those processes for which perf found nearly all callers."""
	processes = {}
	for line in lines:
		process, _, rest = line.partition(';')
		processes.setdefault(process, []).append((rest.startswith('_start;'), int(rest.rpartition(' ')[2]), rest))
	return [name + ';' + rest for stacks in processes.values() for _, _, rest in stacks
		if sum(count for whole, count, _ in stacks if whole) > 0.9 * sum(count for _, count, _ in stacks)]


def record(inferno, words, times, title, picture, folder):
	"""Draws the work of the program. With some layouts of the address space, perf loses all callers in the C library. So
	record again until the stacks of one process have their callers."""
	name = os.path.basename(inferno)
	for _ in range(TRIES):
		lines = folded_stacks(inferno, words, times, folder)
		whole = whole_stacks(lines, name)
		if whole:
			break
	folded = os.path.join(folder, 'itself.folded')
	with open(folded, 'w', encoding='utf-8') as out:
		out.writelines(whole or lines)
	with open(picture, 'wb') as out:
		subprocess.run([inferno, 'flamegraph', '-q', '--title', title, '--minwidth', NARROWEST, '--data=visible', folded],
			stdout=out, check=True)
