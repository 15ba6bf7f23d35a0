"""The inputs of the benchmarks: files that the scripts in this folder make from a real or a synthetic recording.

No file is read into this process, and existing files are not made again.
"""
import os
import subprocess
import sys

import harness

HERE = os.path.dirname(os.path.abspath(__file__))
FRAMES = 3000        # frames in the call tree of a synthetic profile, for each MB
NAMED_STACKS = 180   # stacks of the profile with very many names, for each MB
PART_MB = 50         # size of the recordings from which small inputs are made
SHUFFLED_MB = 35     # size of folded text in random order
SHUFFLE = 'import random, sys; lines = open(sys.argv[1], "rb").readlines(); random.Random(1).shuffle(lines); ' \
	'sys.stdout.buffer.writelines(lines)'

SHARD = 'import random, sys; pick = random.Random(int(sys.argv[2])); ' \
	'sys.stdout.buffer.writelines(line.rpartition(b" ")[0] + b" %d\\n" % pick.randrange(1, 1000) for line in open(sys.argv[1], "rb") if pick.random() < 0.6)'


class Inputs:
	def __init__(self, folder, inferno, recordings, size):
		self.folder = folder
		self.inferno = inferno
		self.recordings = recordings  # output files of perf script; the list may be empty
		self.size = size              # size of the largest inputs in MB; the others are smaller in proportion

	def path(self, name):
		return os.path.join(self.folder, name)

	def made(self, name, command):
		"""Returns the path of an input that a command prints."""
		path = self.path(name)
		if not os.path.exists(path):
			with open(path + '.part', 'wb') as out:
				subprocess.run(command, stdout=out, stdin=subprocess.DEVNULL, check=True)
			os.rename(path + '.part', path)
		return path

	def mix(self):
		"""Returns the recordings one after the other."""
		if len(self.recordings) == 1:
			return self.recordings[0]
		return self.made('mix.perf', ['cat'] + self.recordings) if self.recordings else self.invented()

	def invented(self):
		maker = harness.built(self.inferno, 'make-folded')
		return self.made('invented.perf', [sys.executable, os.path.join(HERE, 'make-profile'), 'perf',
			self.made('invented.folded', [maker, str(self.size * FRAMES)]), '--mb', str(self.size)])

	def resized(self, mb):
		"""Returns the recordings in another size, as if they had been made for a longer or a shorter time."""
		return self.made('mix-%g.perf' % mb, [sys.executable, os.path.join(HERE, 'resize-profile'),
			*(self.recordings or [self.invented()]), '--mb', '%g' % mb])

	def offsets(self):
		"""Returns the recordings with a third of the frames at new places in their functions."""
		return self.made('offsets.perf', [sys.executable, os.path.join(HERE, 'resize-profile'),
			*(self.recordings or [self.invented()]), '--mb', str(self.size), '--new', '3'])

	def names(self):
		"""Sorted folded text with very many names: half a million if --mb is 1000."""
		return self.made('names.folded', [sys.executable, os.path.join(HERE, 'make-names'), str(self.size * NAMED_STACKS)])

	def few(self):
		"""Folded text of 700 stacks."""
		return self.made('few.folded', ['head', '-n', '700', self.folded(self.mix(), 'mix.folded')])

	def profile(self, name, form, source, *options):
		return self.made(name, [sys.executable, os.path.join(HERE, 'make-profile'), form, source] + list(options))

	def stacks(self, per_mb):
		return '%.0f' % (self.size * per_mb)

	def random(self):
		"""Makes random samples of many stacks."""
		return self.profile('random.perf', 'perf', self.mix(), '--unique', self.stacks(100), '--least', '12', '--most', '24',
			'--mb', str(self.size))

	def new(self):
		"""Returns a profile in which every sample has a new stack."""
		return self.profile('new.perf', 'perf', self.mix(), '--unique', self.stacks(1000), '--least', '14', '--most', '28')

	def aggregated(self, form, *options):
		"""Output of dtrace or sample, made from the stacks of perf, each stack once."""
		return self.profile(form + ''.join(options) + '.txt', form, self.mix(), '--unique', self.stacks(100), '--least', '20',
			*options)

	def small(self, form):
		"""Returns a profile of 1 to 3 MB."""
		if form == 'folded':
			return self.folded(self.small_perf(8000), 'small.folded')
		return self.profile('small.' + form, form, self.part(), '--unique', '1500', '--least', '8')

	def example(self):
		"""Folded text of about half a MB."""
		return self.folded(self.small_perf(2500), 'example.folded')

	def small_perf(self, stacks):
		return self.profile('%d.perf' % stacks, 'perf', self.part(), '--unique', str(stacks))

	def part(self):
		"""Returns the recordings from which small inputs are made."""
		return self.resized(min(PART_MB, self.size))

	def folded(self, profile, name):
		return self.made(name, [self.inferno, 'collapse', 'perf', '-q', profile])

	def halves(self):
		"""Returns the folded halves of the recordings: different stacks and counts, in order."""
		script = '"$@" | "$0" collapse perf -q'
		return [self.made(name + '-half.folded', ['sh', '-c', script, self.inferno, sys.executable,
			os.path.join(HERE, 'resize-profile'), *(self.recordings or [self.invented()]), '--half', str(half)])
			for half, name in enumerate(('first', 'second'))]

	def shards(self, n):
		"""Makes folded text of many hosts: each host has most of the stacks, with counts of its own."""
		whole = self.folded(self.mix(), 'mix.folded')
		return [self.made('%03d.folded' % i, [sys.executable, '-c', SHARD, whole, str(i)]) for i in range(n)]

	def shuffled(self, path, mb=None):
		"""Returns the first lines of a file in random order, the same in every run."""
		name = os.path.basename(path) + '.shuffled'
		command = [sys.executable, '-c', SHUFFLE, path]
		if mb:
			limit = '{ n += length($0) + 1; if (n > %d) exit; print }' % (mb * 1e6)
			command = ['sh', '-c', '"$@" 2>/dev/null | LC_ALL=C awk \'%s\'' % limit, 'sh'] + command
		return self.made(name, command)

	def ordered(self, path):
		"""Returns the lines of a file in order again."""
		return self.made(os.path.basename(path) + '.sorted', ['env', 'LC_ALL=C', 'sort', path])


def megabytes(*paths):
	return sum(os.path.getsize(path) for path in paths) / 1e6


def stacks_and_frames(path):
	"""Returns the number of stacks in folded text, and the number of frames in one of them after the program's name."""
	stacks = frames = 0
	with open(path, 'rb') as file:
		while chunk := file.read(1 << 20):
			stacks += chunk.count(b'\n')
			frames += chunk.count(b';')
	return stacks, frames / max(stacks, 1)
