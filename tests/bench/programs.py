"""The measured programs, as shell commands, and tables of their costs."""
import os
import shlex
import shutil
import subprocess

import harness

TIMES = 50  # number of runs with a small input


def words(name, *arguments):
	return shlex.join([name, *arguments])


def is_ours(path):
	"""Returns whether a program is inferno, even under another name, by its version line."""
	said = subprocess.run([path, '--version'], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
	return said.returncode == 0 and said.stdout.startswith(b'inferno ')


def find_peer(name):
	"""Returns the path of a program of another project, or None. Skips files of the same name
	that are inferno."""
	for folder in os.get_exec_path():
		path = shutil.which(name, path=folder)
		if path and not is_ours(path):
			return path
	return None


def cpu(cost):
	return cost.cpu


def wall(cost):
	return cost.wall


def repeated(command):
	"""Returns a command that runs another one many times, without its output."""
	return command and words('sh', '-c', (command + ' >/dev/null 2>&1;') * TIMES)


class Programs:
	def __init__(self, inferno, scripts, rounds):
		self.inferno = os.path.abspath(inferno)
		self.scripts = scripts  # the folder of the Perl scripts, or None
		self.rounds = rounds
		self.helper = harness.built(self.inferno, 'cost')
		self.found = {}  # row: (to the base, of the Rust program)

	def ours(self, command, *files):
		return words(self.inferno, *command.split(), '-q', *files)

	def peer(self, name, *arguments):
		path = find_peer(name)
		return path and words(path, *arguments)

	def collapse_peer(self, form, file):
		return self.peer('inferno-collapse-' + form, *(['-n', '1'] if form != 'sample' else []), file)

	def perl(self, script, *arguments):
		path = os.path.join(self.scripts or '', script)
		return words(path, *arguments) if self.scripts and os.path.exists(path) else None

	def costs(self, commands):
		return harness.measure_commands(self.helper, {name: command for name, command in commands.items() if command}, self.rounds)

	def table(self, title, commands, rows=None):
		"""Measures commands: the base, then inferno's and those of peers. `rows` names the commands of inferno that have a
		target. Returns the costs."""
		costs = self.costs(commands)
		others = [name for name in costs if not name.startswith('ours')]
		lines = []
		for name, rounds in costs.items():
			ratios = [harness.quotient(rounds, costs[other], cpu) for other in others]
			lines.append([name, '%.3f' % harness.median(rounds, cpu), '%.3f' % harness.median(rounds, wall),
				'%.1f' % harness.median(rounds, lambda cost: cost.memory)] +
				['-' if ratio is None else '%.3f' % ratio for ratio in ratios])
		head = ['Command', 'CPU, s', 'Wall, s', 'Peak memory, MB'] + ['to ' + name for name in others]
		print('%s\n\n%s\n' % (title, harness.table(head, lines)), flush=True)
		rust = next((name for name in others if name.startswith('inferno-')), None)
		for name, row in (rows or {}).items():
			self.found[row] = (harness.quotient(costs[name], costs[others[0]], cpu),
				harness.quotient(costs[rust], costs[name], cpu) if rust else None)
		return costs

	def forked_table(self, title, commands, row):
		"""Measures small commands that are forked from this process. The first command is
		the base; the row of inferno has a target."""
		costs = harness.measure_forked({name: command for name, command in commands.items() if command}, self.rounds * 10)
		base, *_, last = costs
		lines = [[name, '%.2f' % harness.median(rounds, lambda cpu: cpu * 1000)] + ['%.3f' % harness.quotient(rounds, costs[to],
			float) for to in (base, last)] for name, rounds in costs.items()]
		print('%s\n\n%s\n' % (title, harness.table(['Command', 'CPU, ms', 'to ' + base, 'to ' + last], lines)), flush=True)
		rust = costs[last] if last.startswith('inferno-') else None
		self.found[row] = (harness.quotient(costs['ours'], costs[base], float),
			harness.quotient(rust, costs['ours'], float) if rust else None)
