"""Measures the cost of commands side by side.

Commands run in turn (A B C, A B C, ...), so that other work on the machine disturbs all of them
alike. The ratio of two commands is the median of the ratios of neighbouring runs. The costs are
processor seconds, user and system, which the kernel counts for each child. They do not include the
time that a command waits for other programs.
"""
import os
import shlex
import statistics
import sys
import tempfile
from typing import NamedTuple


class Cost(NamedTuple):
	"""The costs of one run, or the medians of many runs."""
	cpu: float     # seconds, user and system
	wall: float    # seconds
	memory: float  # peak memory in MB


class CommandFailed(Exception):
	"""The error that a command did not end with status 0, so its cost has no meaning."""


def built(inferno, name):
	"""Returns the path of a helper. The build puts helpers into the folder tests next to the
	program."""
	path = os.path.join(os.path.dirname(os.path.abspath(inferno)), 'tests', name)
	if not os.access(path, os.X_OK):
		raise CommandFailed('%s is not there: the program to measure has to be in its build folder' % path)
	return path


def spawn_cost(helper, command, output):
	"""Runs a command, given as shell words, and writes its output to a file that is emptied
	first.

	`helper` is the program cost, which starts the command: the peak memory of a child includes that of its parent, and this
	process is far larger than the commands.
	"""
	words = [helper] + shlex.split(command)
	os.ftruncate(output, 0)
	os.lseek(output, 0, os.SEEK_SET)
	null = os.open(os.devnull, os.O_RDWR)
	report, end = os.pipe()
	try:
		child = os.posix_spawn(helper, words, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, null, 0),
			(os.POSIX_SPAWN_DUP2, output, 1), (os.POSIX_SPAWN_DUP2, null, 2), (os.POSIX_SPAWN_DUP2, end, 3)])
		_, status = os.waitpid(child, 0)
		if status:
			raise CommandFailed('%s: ended with %d' % (command, os.waitstatus_to_exitcode(status)))
		cpu, wall, memory = map(float, os.read(report, 100).split())
	finally:
		for descriptor in null, report, end:
			os.close(descriptor)
	return Cost(cpu, wall, memory / (1e6 if sys.platform == 'darwin' else 1e6 / 1024))


def forked_cpu(command, output):
	"""CPU seconds of a command that is forked from this process. They include the kernel's work of copying this
	process and releasing the copy, as for most programs that start others."""
	words = shlex.split(command)
	os.ftruncate(output, 0)
	os.lseek(output, 0, os.SEEK_SET)
	child = os.fork()
	if child == 0:
		try:
			null = os.open(os.devnull, os.O_RDWR)
			for descriptor, target in (null, 0), (output, 1), (null, 2):
				os.dup2(descriptor, target)
			os.execvp(words[0], words)
		finally:
			os._exit(127)
	_, status, used = os.wait4(child, 0)
	if status:
		raise CommandFailed('%s: ended with %d' % (command, os.waitstatus_to_exitcode(status)))
	return used.ru_utime + used.ru_stime


def interleave(runs, rounds, warm_up=True):
	"""Calls the functions in turn, for a number of rounds. Returns {name: [result of round 1, ...]}. The first round may be dropped."""
	results = {name: [] for name in runs}
	for i in range(rounds + warm_up):
		for name, run in runs.items():
			result = run()
			if i >= warm_up:
				results[name].append(result)
	return results


def measure_commands(helper, commands, rounds, warm_up=True):
	"""Returns the costs of {name: command}, round by round."""
	with tempfile.TemporaryFile() as scratch:
		return interleave({name: lambda command=command: spawn_cost(helper, command, scratch.fileno())
			for name, command in commands.items()}, rounds, warm_up)


def measure_forked(commands, rounds):
	"""Returns the CPU seconds of {name: command}, round by round, each forked from this process."""
	with tempfile.TemporaryFile() as scratch:
		return interleave({name: lambda command=command: forked_cpu(command, scratch.fileno())
			for name, command in commands.items()}, rounds)


def median(rounds, value):
	"""Returns the median of value(round)."""
	return statistics.median(map(value, rounds))


def quotient(rounds, base, value):
	"""Returns the cost relative to `base`: the median of the quotients in each round, or None if there is no base."""
	pairs = [(value(one), value(other)) for one, other in zip(rounds, base)]
	return statistics.median(one / other for one, other in pairs) if all(other for _, other in pairs) else None


def table(head, rows):
	"""Returns a Markdown table; all columns but the first are numbers."""
	lines = [head, [':--'] + ['--:'] * (len(head) - 1)] + rows
	return '\n'.join('| %s |' % ' | '.join(line) for line in lines)
