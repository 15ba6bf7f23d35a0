#!/usr/bin/env python3
"""join.py script CONSTANTS MODULE...: prints the modules as one script.
join.py header CONSTANTS: prints the constants as a C header.
join.py colours SHADES: prints the colours of --style=modern as a C header.
join.py style FILE: prints a style sheet without comments and indents.
join.py modern SHADES FILE: prints the rules of the colours, then such a style sheet.
join.py compare CONSTANTS SHADES: prints the rules of a picture of two profiles.
join.py embed NAME FILE: prints a C header that holds the file as a string, `static const char NAME[]`, and the hash by which a
Content-Security-Policy names it.

Modules are ES modules. Each imports only from those before it in the list, which is in src/meson.build. The script is one
function, so that nothing in it is global: imports and exports are taken out, and constants that are numbers are put in.
A name at the top of a module means the same in all of them: a module may not use it without importing it, nor give it to
something else.

Comments, and blanks and line ends that mean nothing, are for readers of the source, and are cut: a third of the script. Its names
stay. Short ones would save another 19 kB of a typical picture of 100 to 250 kB, 3 kB of which are left after gzip, and no time
that can be measured: Chromium compiles the whole script in 3 ms.
"""
import base64
import hashlib
import os
import re
import sys

# The pieces of a script. `slash` is a regular expression or a division.
PIECE = re.compile(r'''
	(?P<blank>[ \t]+) | (?P<line>\r?\n) | (?P<comment>//[^\n]* | /\*.*?\*/)
	| (?P<text>'(?:[^'\\\n]|\\.)*' | "(?:[^"\\\n]|\\.)*") | (?P<number>\d[\w.]*) | (?P<word>[A-Za-z_$][\w$]*)
	| (?P<slash>/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/\w*)
	| (?P<mark>=>|\.\.\.|\+\+|--|(?:===|!==|\*\*|<<|>>>?|&&|\|\||[-+*/%&|^!=<>])=?|[^\w\s`])
	''', re.VERBOSE | re.DOTALL)
DIVISION = re.compile(r'/=?')
BEFORE_REGEX = re.compile(r'[-+*/%(,=:\[!&|?{;<>~^.]+|return|typeof|case|in|of|')
ASSIGNS = re.compile(r'(?:[-+*/%&|^]|\*\*|<<|>>>?)?=|\+\+|--')
WORD_END, WORD_START = re.compile(r'[\w$]$'), re.compile(r'[\w$]')
# Pairs that mean something else without a blank: operators, comments, also those of HTML, and the end of a CDATA section.
GLUED = re.compile(r'\+\+|--|//|/\*|<!|->|\]>')
OPENING, CLOSING = ('(', '[', '{'), (')', ']', '}')
IMPORT = re.compile(r"^import \{([\w$,\s]+)\} from '(?:\./|\.\./viewer/)([\w-]+\.js)';\n", re.MULTILINE)
CONSTANTS = 'constants.js'
NUMBER = re.compile(r'-?[\d.]+')
VALUE = r'-?[\d.]+|"(?:[^"\\]|\\.)*"'
CONSTANT = re.compile(r'(\w+) +((?:%s)(?: +(?:%s))*)(?: *#.*)?' % (VALUE, VALUE))


class Refused(Exception):
	pass


def pieces(text, where):
	"""Return the pieces of a script as (kind, text)."""
	found, at, before = [], 0, ''
	while at < len(text):
		piece = PIECE.match(text, at)
		if not piece:
			raise Refused('%s: cannot read this: %s' % (where, text[at:at + 40].split('\n')[0]))
		kind = piece.lastgroup
		if kind == 'slash':
			if before == '}':
				raise Refused('%s: put brackets around what begins with this slash: %s' % (where, piece.group()))
			if not BEFORE_REGEX.fullmatch(before):
				piece, kind = DIVISION.match(text, at), 'mark'
		at = piece.end()
		found.append((kind, piece.group()))
		if kind not in ('blank', 'line', 'comment'):
			before = piece.group()
	return found


def is_needed(last, between, text):
	"""Return whether a blank or a line end between two pieces means something. A line end may end a statement."""
	if between == '\n':
		return last[-1] not in ';{([,' and text[0] not in '})],'
	return between == ' ' and (WORD_END.search(last) and WORD_START.match(text) or GLUED.match(last[-1] + text[0]))


def cut(script):
	"""Return the pieces as text, without comments and with only those blanks and line ends that are needed."""
	out, last, between = [], ';', ''
	for kind, text in script:
		if kind in ('blank', 'line', 'comment'):
			between = '\n' if '\n' in between + text else ' '
		else:
			out += [between if is_needed(last, between, text) else '', text]
			last, between = text, ''
	return ''.join(out) + '\n'


def without_space(script):
	return [piece for piece in script if piece[0] not in ('blank', 'line', 'comment')]


def declared(script):
	"""Return the names that statements outside all brackets declare, as two sets: all, and those that are exported."""
	names, exported = set(), set()
	depth, statement, awaits, exports = 0, '', False, False
	for (_, before), (kind, text), (_, after) in zip([('', ';')] + script, script, script[1:] + [('', '')]):
		depth -= text in CLOSING
		if awaits and kind == 'word':
			if after != ':':
				names.add(text)
				exported |= {text} if exports else set()
			awaits = depth > 0  # in a pattern there may be more
		elif depth == 0 and text == 'export':
			exports = True
		elif depth == 0 and before in (';', '}', 'export') and text in ('const', 'let', 'function'):
			statement, awaits = text, True
		elif depth == 0 and (text == ';' or statement == 'function' and text == '}'):
			statement, exports = '', False
		elif depth == 0 and statement:
			awaits = text == ',' or awaits and text in OPENING
		depth += text in OPENING
	return names, exported


class Module:
	"""A module: its pieces, the names it imports, and the names at its top."""

	def __init__(self, path):
		self.file = os.path.basename(path)
		with open(path, encoding='utf-8') as source:
			text = source.read()
		if not re.match(r'/\*\*\s', text):
			raise Refused('%s: it does not open with a comment on what it is for' % self.file)
		self.imports = {}  # name to file
		self.pieces = pieces(IMPORT.sub(self.take_import, text), self.file)
		self.names, self.exports = declared(without_space(self.pieces))

	def take_import(self, found):
		for name in re.findall(r'[\w$]+', found.group(1)):
			self.imports[name] = found.group(2)
		return ''

	def check(self, owners, exports):
		"""Refuse code that would mean something else in one script. `owners` has the module of each name at the top of a
		module, `exports` the names that each earlier module exports."""
		for name, file in self.imports.items():
			if name not in exports.get(file, ()):
				raise Refused('%s: %s is not exported by a module %s before it in the list' % (self.file, name, file))
		used, script = set(), without_space(self.pieces)
		for (_, before), (kind, text), (_, after) in zip([('', '')] + script, script, script[1:] + [('', '')]):
			owner = owners.get(text, self.file)
			if kind != 'word' or owner == self.file or before == '.' or before in ('{', ',') and after == ':':
				continue
			if text not in self.imports:
				raise Refused('%s: %s belongs to %s: import it, or give yours another name' % (self.file, text, owner))
			if ASSIGNS.fullmatch(after) or before in ('++', '--', 'const', 'let', 'function'):
				raise Refused('%s: only %s may change %s' % (self.file, owner, text))
			used.add(text)
		for name in self.imports:
			if name not in used:
				raise Refused('%s: %s is imported and not used' % (self.file, name))


def read_constants(path):
	"""Return the constants by name, as lists of values that C and JavaScript both understand."""
	constants = {}
	with open(path, encoding='utf-8') as source:
		for number, line in enumerate(source, 1):
			found = CONSTANT.fullmatch(line.rstrip('\n'))
			if found:
				constants[found.group(1)] = re.findall(VALUE, found.group(2))
			elif line.strip() and not line.startswith('#'):
				raise Refused('%s:%d: not a constant' % (os.path.basename(path), number))
	return constants


def check(constants, modules):
	owners, exports = {name: CONSTANTS for name in constants}, {CONSTANTS: set(constants)}
	for module in modules:
		for name in sorted(module.names):
			if name in owners:
				raise Refused('%s: %s belongs to %s already' % (module.file, name, owners[name]))
			owners[name] = module.file
	for module in modules:
		module.check(owners, exports)
		exports[module.file] = module.exports


def join(constants, modules):
	"""Return the script."""
	numbers = {name: values[0] for name, values in constants.items() if NUMBER.fullmatch(values[0]) and len(values) == 1}
	script = pieces('(function () {\n\'use strict\';\n', '')
	imported = {name for module in modules for name in module.imports}
	for name, values in constants.items():
		if name in imported and name not in numbers:
			script += pieces('const %s = [%s];\n' % (name, ', '.join(values)), CONSTANTS)
	for module in modules:
		exports = False
		for kind, text in module.pieces:
			if not (kind == 'word' and text == 'export' or exports and kind == 'blank'):
				script.append((kind, numbers.get(text, text)))
			exports = kind == 'word' and text == 'export'
	script += pieces('})();\n', '')
	text = cut(script)
	for end in ']]>', '</script':
		if end in text:
			raise Refused('%s would end the script' % end)
	return text


def header(constants):
	"""Return the constants as a C header; a list is what goes between the braces of an array."""
	return ''.join(['/* Made from web/constants: what C and the viewer share. */\n'] +
		['#define %s %s\n' % (name, ', '.join(values)) for name, values in constants.items()])


def style(text):
	"""Return a style sheet without comments, indents and empty lines."""
	text = re.sub(r'("(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\')|/\*.*?\*/', lambda found: found.group(1) or '', text, flags=re.DOTALL)
	return ''.join(line.strip() + '\n' for line in text.split('\n') if line.strip())


SHADE = re.compile(r'(?:(\w+) )?(#[0-9a-f]{6}) (#[0-9a-f]{6})\n')


def read_shades(path):
	"""Return the shades as pairs of a light and a dark colour, and the other colours by their names."""
	shades, others = [], {}
	with open(path, encoding='utf-8') as source:
		for number, line in enumerate(source, 1):
			found = SHADE.fullmatch(line)
			if found and found.group(1):
				others[found.group(1)] = found.groups()[1:]
			elif found:
				shades.append(found.groups()[1:])
			elif line.strip() and not line.startswith('# '):
				raise Refused('%s:%d: not two colours' % (os.path.basename(path), number))
	return shades, others


def colours(shades, others):
	"""Return the colours as a C header: initialisers of struct shade."""
	def initialiser(pair):
		return '{%s}' % ', '.join('{%d, %d, %d}' % tuple(bytes.fromhex(colour[1:])) for colour in pair)
	return ('/* Made from web/shades. */\n#define SHADE_COLOURS %s\n' % ', '.join(initialiser(pair) for pair in shades) +
		''.join('#define SHADE_%s %s\n' % (name.upper(), initialiser(pair)) for name, pair in others.items()))


def in_both_modes(rules):
	"""Return rules for light mode, then for dark mode. `rules` has the format of each, which takes a colour, by mode."""
	light, dark = (''.join('%s }\n' % (rule % pair[mode]) for rule, pair in rules[mode]) for mode in (0, 1))
	return light + '@media screen and (prefers-color-scheme: dark) {\n' + re.sub('^', '\t', dark, flags=re.MULTILINE)[:-1] + '}\n'


def modern(shades, others, text):
	"""Return the rules of the shades, the page and labels, then a style sheet."""
	page, label = 'svg.modern.adapts%s { %s: %%s;', '%s > #frames text { fill: %%s;'
	light = [(page % (':root', 'background'), others['page']), (label % 'svg.modern', others['text'])]
	dark = [light[0], (page % (' .page', 'fill'), others['page']), (label % 'svg.modern.adapts', others['text'])]
	for number, pair in enumerate(shades):
		light.append(('rect.c%d { fill: %%s;' % number, pair))
		dark.append(('.adapts rect.c%d { fill: %%s;' % number, pair))
	return in_both_modes((light, dark)) + style(text)


def compare(constants, shades):
	"""Return the rules of patterns, and of the halo that keeps them away from the letters of a label."""
	changes = range(int(constants['SHADE_GREW'][0]), len(shades))
	halo = '%s > #frames rect.c%d + text { stroke: %%s;'
	return ('svg.compared > #frames text { paint-order: stroke; stroke-width: 3; stroke-linejoin: round; }\n' +
		''.join('svg.compared > #frames rect.c%d, svg.compared .legend .c%d { fill: url(#p%d); }\n' % (n, n, n) for n in changes) +
		in_both_modes([[(halo % (picture, n), shades[n]) for n in changes] for picture in ('svg.compared', 'svg.compared.adapts')]))


def embed(name, data):
	"""Return a C header that holds bytes, one a piece, because ISO C limits the length of a string literal."""
	pieces_of_c = ''.join('%d,\n' % (byte if byte < 128 else byte - 256) for byte in data)
	digest = base64.b64encode(hashlib.sha256(data).digest()).decode()
	return '#define %s_HASH "sha256-%s"\nstatic const char %s[] = {\n%s0};\n' % (name.upper(), digest, name, pieces_of_c)


def main(command, *arguments):
	try:
		if command == 'embed':
			with open(arguments[1], 'rb') as source:
				return embed(arguments[0], source.read())
		if command == 'style':
			with open(arguments[0], encoding='utf-8') as source:
				return style(source.read())
		if command == 'colours':
			return colours(*read_shades(arguments[0]))
		if command == 'modern':
			with open(arguments[1], encoding='utf-8') as source:
				return modern(*read_shades(arguments[0]), source.read())
		constants = read_constants(arguments[0])
		if command == 'header':
			return header(constants)
		if command == 'compare':
			return compare(constants, read_shades(arguments[1])[0])
		modules = [Module(path) for path in arguments[1:]]
		check(constants, modules)
		return join(constants, modules)
	except Refused as refused:
		sys.exit('join.py: %s' % refused)


if __name__ == '__main__':
	if len(sys.argv) < 3:
		sys.exit(__doc__)
	sys.stdout.buffer.write(main(*sys.argv[1:]).encode('utf-8'))
