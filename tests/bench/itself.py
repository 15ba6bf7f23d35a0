"""Flame graphs of the program, recorded by perf while it works, and folded and drawn by the program itself."""
import os
import shlex
import shutil
import subprocess

FREQUENCY = 4999  # samples a second; a run is short


def why_not(folder):
	"""Why nothing can be recorded here, or None."""
	if not shutil.which('perf'):
		return 'there is no perf'
	data = os.path.join(folder, 'perf.data')
	run = subprocess.run(['perf', 'record', '-q', '--call-graph', 'dwarf', '-o', data, 'true'], stdin=subprocess.DEVNULL,
		stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
	lines = run.stdout.strip().splitlines()
	return None if run.returncode == 0 else 'perf may not record: %s' % (lines[0] if lines else 'status %d' % run.returncode)


def record(inferno, words, times, title, picture, folder):
	"""Draws what the program does when it is called with these words, so many times in a row."""
	command = shlex.join([inferno] + words) + ' >/dev/null 2>&1;'
	data, text, folded = (os.path.join(folder, 'itself.' + end) for end in ('data', 'perf', 'folded'))
	# The stacks are found by the debugging information: no other build is needed, and inlined functions show.
	subprocess.run(['perf', 'record', '-q', '-F', str(FREQUENCY), '--call-graph', 'dwarf', '-o', data, '--', 'sh', '-c',
		command * times], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
	for path, step in (text, ['perf', 'script', '--comm', os.path.basename(inferno)[:15], '-i', data]), \
			(folded, [inferno, 'collapse', 'perf', '-q', text]), \
			(picture, [inferno, 'flamegraph', '-q', '--title', title, folded]):
		with open(path, 'wb') as out:
			subprocess.run(step, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.DEVNULL, check=True)
	os.remove(data)
