"""Describes the machine and the tools with which the figures were measured."""
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import time

from programs import find_peer


def text_of(path):
	try:
		with open(path, encoding='utf-8', errors='replace') as file:
			return file.read()
	except OSError:
		return ''


def found(pattern, text, otherwise='unknown'):
	match = re.search(pattern, text, re.MULTILINE)
	return match.group(1).strip() if match else otherwise


def first_line(*command):
	try:
		run = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
		return run.stdout.splitlines()[0] if run.returncode == 0 and run.stdout else 'unknown'
	except OSError:
		return 'unknown'


def compiler(inferno):
	"""Returns the compiler of a program in its build folder, and the options that change its speed."""
	folder = os.path.join(os.path.dirname(inferno), 'meson-info')
	try:
		with open(os.path.join(folder, 'intro-targets.json'), encoding='utf-8') as file:
			commands = [source['compiler'] for target in json.load(file) for source in target['target_sources']
				if source.get('language') == 'c']
		with open(os.path.join(folder, 'intro-buildoptions.json'), encoding='utf-8') as file:
			options = {option['name']: option['value'] for option in json.load(file)}
	except (OSError, KeyError, ValueError):
		return 'unknown compiler'
	sort = '-O' + options['optimization'] + (', -flto' if options.get('b_lto') else '')
	return '%s, %s' % (first_line(*commands[0], '--version'), sort) if commands else 'unknown compiler'


def peer_version():
	"""Returns the version of the Rust program, from cargo, because the program does not print it."""
	return found(r'^inferno v(\S+):', subprocess.run(['cargo', 'install', '--list'], stdout=subprocess.PIPE,
		stderr=subprocess.DEVNULL, text=True).stdout if shutil.which('cargo') else '', 'unknown version')


def describe(inferno, perl_scripts):
	"""Returns lines of Markdown."""
	cpu = found(r'^model name\s*: (.*)', text_of('/proc/cpuinfo'), platform.processor() or platform.machine())
	memory = found(r'^MemTotal:\s*(\d+)', text_of('/proc/meminfo'), '')
	lines = [
		'Machine: %s, %d cores%s' % (cpu, os.cpu_count(), memory and ', %.0f GB' % (int(memory) * 1024 / 1e9)),
		'System: %s, %s %s' % (found(r'^PRETTY_NAME="?([^"\n]*)', text_of('/etc/os-release'), platform.system()),
			platform.system(), platform.release()),
		'Ours: %s, %s' % (first_line(inferno, '--version'), compiler(inferno))]
	if find_peer('inferno-collapse-perf'):
		lines.append('inferno-collapse-perf and so on: %s' % peer_version())
	if perl_scripts:
		lines.append('Scripts: perl %s' % first_line('perl', '-e', 'print $^V'))
	lines.append('wc: %s; Python %s; %s' % (first_line('wc', '--version'), sys.version.split()[0], time.strftime('%Y-%m-%d')))
	return '\n'.join('- ' + line for line in lines)
