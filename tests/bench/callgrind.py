"""Counts instructions with valgrind, which gives the same number on every machine with the same program and libraries."""
import os
import re
import shutil
import subprocess


def is_there():
	return shutil.which('valgrind') is not None


def count(command, folder):
	"""Returns the number of instructions of a command, which is a list of words. The files of valgrind go into the folder."""
	run = subprocess.run(['valgrind', '--tool=callgrind', '--callgrind-out-file=' + os.path.join(folder, 'callgrind')] + command,
		stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True)
	return int(re.search(rb'Collected : (\d+)', run.stderr).group(1))
