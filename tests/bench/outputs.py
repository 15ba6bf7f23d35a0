"""Checks that programs write the same output, before they are timed. Files are compared in pieces or by other programs:
nothing large is read into this process."""
import filecmp
import os
import shlex
import subprocess
import sys


class Outputs:
	def __init__(self, folder):
		self.folder = folder

	def written(self, name, command):
		"""Returns the path of a file with the output of a command."""
		path = os.path.join(self.folder, name)
		with open(path, 'wb') as out:
			subprocess.run(shlex.split(command), stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.DEVNULL, check=True)
		return path

	def must_equal(self, command, other, what):
		"""Exits if two commands of inferno do not print the same bytes."""
		ours = self.written('ours', command)
		if not filecmp.cmp(ours, self.written('theirs', other), shallow=False):
			sys.exit('%s: these do not print the same:\n%s\n%s' % (what, command, other))

	def tell_differences(self, command, peer, why):
		"""Prints the number of inferno's lines that a peer does not print."""
		ours, theirs = self.written('ours', command), self.written('theirs', peer)
		differ, lines = differing_lines(ours, theirs)
		name = os.path.basename(shlex.split(peer)[0])
		if differ:
			print('Of %d lines, %d are not in the result of %s (%s).\n' % (lines, differ, name, why))
		else:
			print('The result has the lines of that of %s.\n' % name)


def differing_lines(one, other):
	"""Returns the number of lines of a file that are not in another file, and the number of all its lines. Both files are sorted."""
	script = 'sort -o "$1" "$1" && sort -o "$2" "$2" && comm -23 "$1" "$2" | wc -l && wc -l <"$1"'
	words = subprocess.run(['sh', '-c', script, 'sh', one, other], stdout=subprocess.PIPE, check=True,
		env=os.environ | {'LC_ALL': 'C'}).stdout.split()
	return int(words[0]), int(words[1])
