"""Compares the figures of the page's script with tests/vectors. The script consists of the page's modules and lib/probe.js,
which works on the profile in the page."""
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
VECTORS = os.path.join(HERE, '../../vectors')
WEB = os.path.join(HERE, '../../../src/web')


def modules(path, found):
	"""Adds the modules that one imports to `found`, and then the module."""
	with open(path, encoding='utf-8') as text:
		names = re.findall(r"^import [^;]* from '.*?([\w-]+)\.js';$", text.read(), flags=re.M)
	for name in names:
		folder = next((folder for folder in ('viewer', 'page') if os.path.exists('%s/%s/%s.js' % (WEB, folder, name))), None)
		if folder and '%s/%s/%s.js' % (WEB, folder, name) not in found:
			modules('%s/%s/%s.js' % (WEB, folder, name), found)
	found.append(path)
	return found


def lines(name):
	"""Returns the lines of a file as lists of fields, without comments."""
	with open(os.path.join(VECTORS, name), encoding='utf-8') as text:
		return [line.rstrip('\n').split('\t') for line in text if not line.startswith('# ')]


def probe(p):
	"""Puts the functions of lib/probe.js into the page."""
	command = [sys.executable, '-B', WEB + '/join.py', 'script', WEB + '/constants'] + modules(HERE + '/probe.js', [])
	script = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.decode()
	# The script reads the frames of the page, which are complete some ms after they are drawn.
	p.js("""return new Promise(done => {
		const go = () => {
			if (document.querySelector('#frames > rect:empty:not([aria-label])')) {
				setTimeout(go, 20);
				return;
			}
			Object.defineProperty(document, 'currentScript', { value: document.querySelector('body > script') });
			%s
			done();
		};
		go();
	})""" % script)


def check_functions(p, name):
	# `called` is only for the report.
	p.same(name, p.js('return probe.functions()'), ['\t'.join(line) for line in lines(name)[1:] if line[0] != 'called'])
