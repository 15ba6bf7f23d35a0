"""Measures the cost and the accuracy of sampling a program: `inferno record` compared with the program alone, and with perf record."""
import os
import re
import shutil
import statistics
import subprocess
import time

import harness
from programs import cpu, words

RATE, STACK = 997, 64000  # samples a second; bytes of each stack that is copied
NOBODY = 65534
SECONDS = 2  # processor time of each of four threads

# The upper limit of each row.
LIMITS = {'lost samples, 64,000-byte stacks': 0, 'samples to CPU time x rate, off by': 0.03, 'CPU to the program alone, frame pointers': 1.05,
	'CPU to the program alone, 64,000-byte stacks': 1.08, 'CPU to perf record, frame pointers': 1, 'CPU to perf record, 64,000-byte stacks': 1,
	'ends after the program, s': 0.2, 'ends after the program, 64,000-byte stacks, s': 0.2, 'files and processes that are left': 0,
	'live and folded again: stacks that differ': 0, 'perf script and ours: stacks that differ': 0,
	'ordinary user: notes': 1, 'ordinary user: hidden time to system time, off by': 0.02, '--wall to threads x time, off by': 0.01}


class Sampling:
	def __init__(self, inferno, helper, folder, rounds):
		self.inferno, self.helper, self.rounds = inferno, helper, rounds
		self.folder = os.path.join(folder, 'sampling')
		self.programs = {name: harness.built(inferno, name) for name in ('busy', 'calls', 'steps', 'waits')}
		self.found = {}

	def run(self, *command, **options):
		"""Records a program in an empty folder; returns its output, and the recorder's messages."""
		shutil.rmtree(self.folder, ignore_errors=True)
		os.makedirs(self.folder)
		os.chmod(self.folder, 0o777)
		done = subprocess.run([self.inferno, 'record', '-e', 'cpu-clock', *command], cwd=self.folder, stdin=subprocess.DEVNULL,
			stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, **options)
		if done.returncode:
			raise harness.CommandFailed('inferno record %s: ended with %d: %s' % (' '.join(command), done.returncode, done.stderr))
		return done.stdout, done.stderr

	def read(self, name):
		with open(os.path.join(self.folder, name), encoding='utf-8', errors='replace') as file:
			return file.read().splitlines()

	def seconds(self, part=''):
		"""Returns the seconds in folded stacks that contain `part`."""
		return sum(int(line.rpartition(' ')[2]) for line in self.read('x.folded') if part in line) / 1e9

	def median(self, row, measure):
		self.found[row] = statistics.median(measure() for _ in range(self.rounds))

	def counts(self):
		def lost():
			_, said = self.run('--call-graph', 'dwarf,%d' % STACK, '-o', 'x.folded', self.programs['busy'], str(SECONDS), '0', '4')
			found = re.search(r'lost: (\d+)', said)
			return int(found[1]) if found else 0

		def off():
			self.run('-o', 'x.folded', self.programs['busy'], str(SECONDS), '0', '4')
			return abs(self.seconds() / (4 * SECONDS) - 1)

		def wall():
			out, _ = self.run('--wall', '-o', 'x.folded', self.programs['waits'], '2')
			return abs(self.seconds() / (4 * float(out.split()[0])) - 1)

		self.median('lost samples, 64,000-byte stacks', lost)
		self.median('samples to CPU time x rate, off by', off)
		self.median('--wall to threads x time, off by', wall)

	def costs(self):
		os.makedirs(self.folder, exist_ok=True)
		program = [self.programs['steps'], '8000']
		data, folded = (os.path.join(self.folder, name) for name in ('perf.data', 'x.folded'))
		commands = {'alone': words(*program)}
		for kind, how in ('frame pointers', 'fp'), ('64,000-byte stacks', 'dwarf,%d' % STACK):
			commands[kind] = words(self.inferno, 'record', '-q', '--call-graph', how, '-o', folded, '--', *program)
			if shutil.which('perf'):
				commands['perf, ' + kind] = words('perf', 'record', '-q', '-F', str(RATE), '--call-graph', how, '-o', data, '--', *program)
		costs = harness.measure_commands(self.helper, commands, self.rounds)
		for kind in 'frame pointers', '64,000-byte stacks':
			self.found['CPU to the program alone, ' + kind] = harness.quotient(costs[kind], costs['alone'], cpu)
			if 'perf, ' + kind in costs:
				self.found['CPU to perf record, ' + kind] = harness.quotient(costs[kind], costs['perf, ' + kind], cpu)
		lines = [[name, '%.3f' % harness.median(rounds, cpu), '%.3f' % harness.median(rounds, lambda cost: cost.wall),
			'%.1f' % harness.median(rounds, lambda cost: cost.memory), '%.3f' % harness.quotient(rounds, costs['alone'], cpu)]
			for name, rounds in costs.items()]
		print(harness.table(['Command', 'CPU, s', 'Wall, s', 'Peak memory, MB', 'CPU to alone'], lines) + '\n', flush=True)

	def ends(self):
		def late(how):
			script = '"$0" 1; date +%s.%N > end'
			self.run('--call-graph', how, '--', 'sh', '-c', script, self.programs['busy'])
			return time.time() - float(self.read('end')[0])

		self.median('ends after the program, s', lambda: late('fp'))
		self.median('ends after the program, 64,000-byte stacks, s', lambda: late('dwarf,%d' % STACK))
		left = set(os.listdir(self.folder)) - {'end', 'flamegraph.svg'}
		self.found['files and processes that are left'] = len(left) + len(self.processes())

	def processes(self):
		"""Returns the programs of the measurement that still run."""
		found = []
		for name in filter(str.isdigit, os.listdir('/proc')):
			try:
				found += [name] if os.readlink('/proc/%s/exe' % name) in self.programs.values() else []
			except OSError:
				pass
		return found

	def copies(self):
		def differ(command):
			other = subprocess.run(command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
				shell=True, text=True, check=False).stdout.splitlines()
			return len(set(other) ^ set(self.read('x.folded')))

		ours = words(self.inferno, 'collapse', 'perf', '-q', '--no-inline')
		for how in 'dwarf', 'fp':
			self.run('--no-inline', '--call-graph', how, '-o', 'x.folded', '-o', 'x.data', self.programs['busy'], '1', '0', '4')
			row = 'live and folded again: stacks that differ'
			self.found[row] = self.found.get(row, 0) + differ(ours + ' x.data')
		if shutil.which('perf'):
			self.found['perf script and ours: stacks that differ'] = differ('perf script --no-inline -i x.data | ' + ours)

	def ordinary(self):
		"""Runs as a user who may not sample the kernel."""
		def hidden():
			out, said = self.run('-o', 'x.folded', self.programs['calls'], '1', user=NOBODY, group=NOBODY, extra_groups=[])
			self.found['ordinary user: notes'] = said.count('is not sampled')
			return abs(self.seconds('[kernel, not permitted]') / float(out) - 1)

		with open('/proc/sys/kernel/perf_event_paranoid', encoding='ascii') as setting:
			paranoid = int(setting.read())
		if os.geteuid() == 0 and paranoid == 2:
			for path in self.folder, os.path.dirname(self.folder):
				os.chmod(path, 0o755)
			self.median('ordinary user: hidden time to system time, off by', hidden)

	def measure(self):
		for part in self.counts, self.costs, self.ends, self.copies, self.ordinary:
			part()
		lines = [[row, '%.3g' % self.found[row], '%g' % most, 'ok' if self.found[row] <= most else 'missed'] if row in self.found else
			[row, '-', '%g' % most, ''] for row, most in LIMITS.items()]
		print(harness.table(['Sampling', 'measured', 'at most', ''], lines) + '\n', flush=True)
