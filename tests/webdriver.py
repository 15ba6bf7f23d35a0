"""Controls a real browser by W3C WebDriver, using only the standard library."""
import json
import os
import re
import shutil
import subprocess
import threading
import urllib.error
import urllib.request

FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--force-color-profile=srgb',
	'--disable-background-networking', '--disable-component-update', '--disable-sync', '--remote-debugging-pipe', '--window-size=1216,900']


class Failure(Exception):
	"""A result differs from the expected result."""


def find_browser():
	"""Returns the paths of chromedriver and of chromium, or None if one of them is missing."""
	chromedriver = shutil.which('chromedriver')
	chromium = shutil.which('chromium') or shutil.which('chromium-browser') or shutil.which('google-chrome')
	return (chromedriver, chromium) if chromedriver and chromium else None


class Driver:
	"""One browser, which keeps its files in a folder; no command may take longer than `patience` seconds."""

	def __init__(self, chromedriver, chromium, folder, patience=300):
		self.patience = patience
		self.log = open(os.path.join(folder, 'chromedriver.log'), 'wb')
		self.process = subprocess.Popen([chromedriver, '--port=0'], stdout=subprocess.PIPE, stderr=self.log,
			env=dict(os.environ, HOME=folder, XDG_CONFIG_HOME=folder))
		self.base = None
		for line in self.process.stdout:
			port = re.search(rb'started successfully on port (\d+)', line)
			if port:
				self.base = 'http://127.0.0.1:%d/session' % int(port.group(1))
				break
		if not self.base:
			raise RuntimeError('chromedriver did not start')
		threading.Thread(target=shutil.copyfileobj, args=(self.process.stdout, self.log), daemon=True).start()
		options = {'binary': chromium, 'args': FLAGS + ['--user-data-dir=' + os.path.join(folder, 'profile')]}
		answer = self.call('', {'capabilities': {'alwaysMatch': {
			'goog:chromeOptions': options, 'goog:loggingPrefs': {'browser': 'ALL'}, 'unhandledPromptBehavior': 'ignore',
			'timeouts': {'script': 1000 * patience, 'pageLoad': 1000 * patience}}}})
		self.base += '/' + answer['sessionId']

	def call(self, path, body=None, method=None):
		data = None if body is None else json.dumps(body).encode()
		request = urllib.request.Request(self.base + path, data, {'Content-Type': 'application/json'}, method=method)
		opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
		try:
			with opener.open(request, timeout=self.patience + 10) as answer:
				return json.load(answer)['value']
		except urllib.error.HTTPError as error:
			value = json.load(error)['value']
			raise Failure('%s: %s' % (path, value.get('message', value).split('\n')[0])) from None

	def js(self, script, *args):
		"""Runs a function with this body in the page. Returns its result, or if that is a promise, the value that it resolves to."""
		return self.call('/execute/sync', {'script': script, 'args': list(args)})

	def cdp(self, command, **parameters):
		"""Sends the browser a command that WebDriver does not have."""
		return self.call('/goog/cdp/execute', {'cmd': command, 'params': parameters})

	def close(self):
		try:
			self.call('', method='DELETE')
		except Exception:
			pass
		self.process.terminate()
		self.process.wait()
		self.log.close()
