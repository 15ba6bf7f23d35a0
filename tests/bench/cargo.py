"""Samples and draws Rust programs of crates.io with inferno and with cargo-flamegraph. Measures the time until the picture is
complete, the files that are left on the disk, and the quality of the stacks."""
import os
import re
import shlex
import shutil
import subprocess
import time

# Crate, version, program, and arguments that keep the program busy for some seconds. FILE and
# FOLDER stand for paths of inputs.
CRATES = (
	('hexyl', '0.16.0', 'hexyl', ['--color=always', 'FILE']),
	('fd-find', '10.2.0', 'fd', ['--hidden', '--no-ignore', '--threads=1', '[a-z]+[0-9]', 'FOLDER']),
	('ripgrep', '14.1.1', 'rg', ['--threads=1', '--text', '-o', r'(\w[0-9]+){3}\w[0-9]*7'] + ['FILE'] * 8),
)
FILE_MB = 12
PATIENCE = 300  # time limit for the picture, in seconds
# The first functions of threads, and those of the loader, which works before main (0.4 % of a run
# of hexyl).
STARTS = {'main', 'start_thread', 'clone', 'clone3', '__clone', '__clone3', 'thread_start', '_dl_start'}
NAMED = {'[[vdso]]', '[truncated]', '[kernel, not permitted]'}  # names in brackets that are not nameless frames


def install(folder):
	"""Builds the programs with debug information; returns the paths."""
	environment = {**os.environ, 'CARGO_PROFILE_RELEASE_DEBUG': 'true', 'CARGO_PROFILE_RELEASE_STRIP': 'none',
		'CARGO_TARGET_DIR': os.path.join(folder, 'crates-target')}
	root = os.path.join(folder, 'crates')
	for crate, version, program, _ in CRATES:
		if not os.path.exists(os.path.join(root, 'bin', program)):
			subprocess.run(['cargo', 'install', '-q', crate, '--version', version, '--root', root], env=environment, check=True)
	return [os.path.join(root, 'bin', program) for _, _, program, _ in CRATES]


def busy_words(words, folder):
	path = os.path.join(folder, 'crates-input')
	if not os.path.exists(path):
		with open(path, 'wb') as out:
			line = b''.join(b'%c%d' % (97 + i % 26, i * i) for i in range(4000)) + b'\n'
			out.write(line * (FILE_MB * 1000000 // len(line)))
	return [{'FILE': path, 'FOLDER': '/usr'}.get(word, word) for word in words]


def shares(path, program):
	"""Returns two shares of a program's weight: of the stacks that begin at the root, and of
	the stacks with a nameless frame."""
	total = rooted = unnamed = 0
	with open(path, encoding='utf-8', errors='replace') as file:
		for line in file:
			stack, _, count = line.rpartition(' ')
			frames = stack.split(';')
			if frames[0] == program:
				weight = float(count)
				total += weight
				rooted += weight * any(frame in STARTS or frame.endswith('::main') for frame in frames)
				unnamed += weight * any(re.fullmatch(r'\[.+\]', frame) is not None and frame not in NAMED for frame in frames)
	return (rooted / total, unnamed / total) if total else (0, 0)


def left(folder, *expected):
	"""Returns bytes of the files in a folder, except the picture."""
	return sum(os.lstat(os.path.join(where, name)).st_size for where, _, names in os.walk(folder) for name in names
		if name not in expected)


def measure(command, program, words, folder):
	"""Samples a program. Returns the seconds from its end to the picture, or None after
	PATIENCE; the bytes of its files; the shares of stacks."""
	room = os.path.join(folder, 'room')
	shutil.rmtree(room, ignore_errors=True)
	os.mkdir(room)
	script = '"$0" "$@" >/dev/null 2>&1; date +%s.%N >end'
	try:
		subprocess.run([*command, '--post-process', 'tee x.folded', '-o', 'x.svg', '--', 'sh', '-c', script, program, *words], cwd=room,
			env={**os.environ, 'HOME': room}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
			check=True, timeout=PATIENCE)
	except subprocess.TimeoutExpired:
		return None, left(room, 'x.svg', 'x.folded', 'end'), None, None
	now = time.time()
	with open(os.path.join(room, 'end'), encoding='ascii') as file:
		seconds = now - float(file.read())
	return (seconds, left(room, 'x.svg', 'x.folded', 'end'), *shares(os.path.join(room, 'x.folded'), os.path.basename(program)))


def rows(inferno, peer, folder):
	"""Yields the rows of a table for all programs and both recorders."""
	recorders = {'inferno': [inferno, 'record', '--call-graph', 'dwarf']}
	if peer:
		recorders['cargo-flamegraph'] = shlex.split(peer)
	for (crate, version, _, words), program in zip(CRATES, install(folder)):
		for name, command in recorders.items():
			seconds, size, rooted, unnamed = measure(command, program, busy_words(words, folder), folder)
			yield ['%s %s' % (crate, version), name, 'over %d' % PATIENCE if seconds is None else '%.2f' % seconds,
				'{:,}'.format(size)] + ['-' if share is None else '%.1f %%' % (100 * share) for share in (rooted, unnamed)]
