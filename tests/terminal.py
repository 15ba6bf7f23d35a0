"""A program run on a terminal of its own, as in an interactive session."""
import os
import pty
import re
import select
import signal
import time

PATIENCE = 120  # time limit in seconds, which only a hanging program reaches


class Terminal:
	"""Starts a command with a terminal as its controlling one, 80 columns wide unless the command changes that."""

	def __init__(self, *command, cwd=None, env=None):
		self.shown = ''
		self.child, self.fd = pty.fork()
		if self.child == 0:
			os.chdir(cwd or '.')
			os.execvpe(command[0], command, dict(os.environ, **(env or {})))

	def type(self, text):
		os.write(self.fd, text.encode())

	def _read(self, until):
		"""Reads new output; returns False at the end."""
		if not select.select([self.fd], [], [], max(0, until - time.monotonic()))[0]:
			raise TimeoutError('waited in vain; shown: %r' % self.shown)
		try:
			more = os.read(self.fd, 65536)
		except OSError:  # the last program has closed the terminal
			more = b''
		self.shown += more.decode(errors='replace')
		return bool(more)

	def wait(self, pattern):
		"""Waits until `pattern` is shown, takes everything up to its end, and returns that."""
		until = time.monotonic() + PATIENCE
		while True:
			found = re.search(pattern, self.shown)
			if found:
				taken, self.shown = self.shown[:found.end()], self.shown[found.end():]
				return taken
			if not self._read(until):
				raise EOFError('ended before %r was shown: %r' % (pattern, self.shown))

	def end(self):
		"""Waits for the end; returns the rest of the output and the status."""
		until = time.monotonic() + PATIENCE
		while self._read(until):
			pass
		status = os.waitstatus_to_exitcode(os.waitpid(self.child, 0)[1])
		os.close(self.fd)
		return self.shown.replace('\r\n', '\n'), status

	def kill(self):
		os.kill(self.child, signal.SIGKILL)
		os.waitpid(self.child, 0)
		os.close(self.fd)
