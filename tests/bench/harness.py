"""What commands cost, measured side by side.

Commands run in turn (A B C, A B C, ...), never one several times in a row, so that a noisy machine disturbs them alike;
what is told about two of them is the median of the quotients of their neighbours in time. The costs are processor
seconds, user and system, which the kernel counts for each child; nothing is lost to waiting for other programs.
"""
import os
import shlex
import statistics
import sys
import tempfile
import time
from typing import NamedTuple


class Cost(NamedTuple):
	"""Of one run, or the medians of many."""
	cpu: float     # seconds, user and system
	wall: float    # seconds
	memory: float  # peak in MB; a child cannot show less than this process takes


class CommandFailed(Exception):
	"""A command did not end with status 0, so its cost means nothing."""


def spawn_cost(command, output):
	"""Runs a command, a text of shell words, with its output in a file that is emptied first."""
	words = shlex.split(command)
	os.ftruncate(output, 0)
	os.lseek(output, 0, os.SEEK_SET)
	null = os.open(os.devnull, os.O_RDWR)
	began = time.monotonic()
	try:
		child = os.posix_spawnp(words[0], words, os.environ, file_actions=[
			(os.POSIX_SPAWN_DUP2, null, 0), (os.POSIX_SPAWN_DUP2, output, 1), (os.POSIX_SPAWN_DUP2, null, 2)])
		_, status, used = os.wait4(child, 0)
	finally:
		os.close(null)
	if status:
		raise CommandFailed('%s: ended with %d' % (command, os.waitstatus_to_exitcode(status)))
	unit = 1e6 if sys.platform == 'darwin' else 1e3
	return Cost(used.ru_utime + used.ru_stime, time.monotonic() - began, used.ru_maxrss / unit)


def interleave(runs, rounds, warm_up=True):
	"""Calls the functions in turn, so many rounds: {name: [result of round 1, ...]}. A first round may be thrown away."""
	results = {name: [] for name in runs}
	for i in range(rounds + warm_up):
		for name, run in runs.items():
			result = run()
			if i >= warm_up:
				results[name].append(result)
	return results


def measure_commands(commands, rounds):
	"""The costs of {name: command}, round by round."""
	with tempfile.TemporaryFile() as scratch:
		return interleave({name: lambda command=command: spawn_cost(command, scratch.fileno())
			for name, command in commands.items()}, rounds)


def median(rounds, value):
	"""The median of value(round)."""
	return statistics.median(map(value, rounds))


def quotient(rounds, base, value):
	"""How much more than `base` something takes: the median of the quotients inside the rounds; None if there is no base."""
	pairs = [(value(one), value(other)) for one, other in zip(rounds, base)]
	return statistics.median(one / other for one, other in pairs) if all(other for _, other in pairs) else None


def table(head, rows):
	"""A Markdown table; all columns but the first are numbers."""
	lines = [head, [':--'] + ['--:'] * (len(head) - 1)] + rows
	return '\n'.join('| %s |' % ' | '.join(line) for line in lines)
