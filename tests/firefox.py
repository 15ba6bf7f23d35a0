"""Controls Firefox through its own protocol, Marionette, because Debian has no geckodriver. It has
the methods of webdriver.Driver that the cases of tests/browser use. Firefox has no command
that returns the errors of a page, so errors() returns an empty list."""
import json
import os
import shutil
import socket
import subprocess
import time

from webdriver import Failure

START = 120  # seconds until it must listen
SETTINGS = {'marionette.port': 0, 'browser.shell.checkDefaultBrowser': False, 'datareporting.policy.dataSubmissionEnabled': False,
	'toolkit.telemetry.enabled': False, 'network.proxy.type': 0}
COMMANDS = {'/url': 'Navigate', '/back': 'Back', '/forward': 'Forward', '/actions': 'PerformActions', '/window/rect': 'SetWindowRect',
	'/alert/accept': 'AcceptAlert', '/alert/text': 'SendAlertText'}


def find_firefox():
	"""Returns the path of Firefox, or None."""
	return shutil.which('firefox-esr') or shutil.which('firefox')


class Firefox:
	"""One browser, which keeps its files in a folder."""

	def __init__(self, firefox, folder):
		profile = os.path.join(folder, 'firefox')
		os.mkdir(profile)
		with open(os.path.join(profile, 'user.js'), 'w', encoding='utf-8') as out:
			out.writelines('user_pref("%s", %s);\n' % (name, json.dumps(value)) for name, value in SETTINGS.items())
		self.process = subprocess.Popen([firefox, '--headless', '--marionette', '--no-remote', '--profile', profile, 'about:blank'],
			stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=dict(os.environ, HOME=folder, MOZ_DISABLE_CONTENT_SANDBOX='1'))
		self.stream = self.connect(os.path.join(profile, 'MarionetteActivePort')).makefile('rwb')
		self.count = 0
		self.receive()  # what it says of itself
		self.send('WebDriver:NewSession', {'capabilities': {'alwaysMatch': {'unhandledPromptBehavior': 'ignore'}}})

	def connect(self, port_file):
		end = time.monotonic() + START
		while time.monotonic() < end and self.process.poll() is None:
			try:
				with open(port_file, encoding='utf-8') as port:
					return socket.create_connection(('127.0.0.1', int(port.read())))
			except (OSError, ValueError):
				time.sleep(0.1)
		raise Failure('Firefox did not start')

	def receive(self):
		size = b''
		while not size.endswith(b':'):
			size += self.stream.read(1) or b':'
		return json.loads(self.stream.read(int(size[:-1])))

	def send(self, command, parameters=None):
		self.count += 1
		message = json.dumps([0, self.count, command, parameters or {}]).encode()
		self.stream.write(b'%d:%s' % (len(message), message))
		self.stream.flush()
		_, _, error, result = self.receive()
		if error:
			raise Failure('%s: %s' % (command, error['message'].split('\n')[0]))
		return result

	def call(self, path, body=None, method=None):
		if path == '/se/log':
			return []
		return self.send('WebDriver:' + ('ReleaseActions' if method == 'DELETE' else COMMANDS[path]), body)

	def js(self, script, *args):
		return self.send('WebDriver:ExecuteScript', {'script': script, 'args': list(args), 'newSandbox': False, 'sandbox': None})['value']

	def cdp(self, command, **parameters):
		"""Replaces commands that only Chromium has: sets the size of the page. Other
		settings keep their initial values."""
		if command == 'Emulation.setDeviceMetricsOverride':
			frame = self.js('return [outerWidth - innerWidth, outerHeight - innerHeight]')
			self.call('/window/rect', {'width': parameters['width'] + frame[0], 'height': parameters['height'] + frame[1]})

	def close(self):
		self.process.terminate()
		self.process.wait()
