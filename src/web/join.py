#!/usr/bin/env python3
"""join.py script CONSTANTS MODULE...: prints the modules as one script.
join.py header CONSTANTS: prints the constants as a C header.
join.py colours SHADES: prints the colours of --style=modern as a C header.
join.py style FILE: prints a style sheet without comments and indents.
join.py modern SHADES FILE: prints the rules of the colours, then such a style sheet.
join.py compare CONSTANTS SHADES: prints the style rules of a picture of two profiles.
join.py packed NAME LOADER SCRIPT: prints a C header that holds the loader with the deflated script inside, and the hashes of the
loader and of the script.
join.py embed NAME FILE: prints a C header that holds the file as a string, `static const char NAME[]`, and the hash by which a
Content-Security-Policy names it.

Modules are ES modules. A module comes after those that it imports from. Otherwise, modules are sorted by name, so the list in
src/meson.build may be in any order. The script is one function, so that nothing in it is global. Imports and exports are removed,
and constants that are numbers are replaced by their values. If two modules use the same name for different things, the name of
the module is appended.

Comments and unnecessary blanks and line ends are removed, which saves a third of the script. Names are replaced by short names,
which saves another quarter, unless KEEP_NAMES is set in the environment.
"""
import base64
import collections
import hashlib
import itertools
import os
import re
import sys
import zlib

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
# Pairs of characters that mean something else without a blank between them: operators, comments of JavaScript and HTML, and the
# end of a CDATA section.
GLUED = re.compile(r'\+\+|--|//|/\*|<!|->|\]>')
KEYWORDS = set('''await break case catch class const continue debugger default delete do else enum export extends false finally for function if
	import in instanceof let new null of return static super switch this throw true try typeof var void while with yield async get set'''.split())
OPENING, CLOSING = ('(', '[', '{'), (')', ']', '}')
IMPORT = re.compile(r"^import \{([\w$,\s]+)\} from '(?:\./|\.\./viewer/)([\w-]+\.js)';\n", re.MULTILINE)
CONSTANTS = 'constants.js'
OBJECT = re.compile(r'[(,=:\[?]|\.\.\.|return|const|let')  # before the bracket of an object or a pattern; other such brackets are blocks
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
	"""Return whether the blank or the line end between two pieces is necessary. A line end may end a statement."""
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
	"""Return the names that statements outside all brackets declare, as two sets: all names, and the exported ones."""
	names, exported = set(), set()
	depth, statement, awaits, exports = 0, '', False, False
	for (_, before), (kind, text), (_, after) in zip([('', ';')] + script, script, script[1:] + [('', '')]):
		depth -= text in CLOSING
		if awaits and kind == 'word':
			if after != ':':
				names.add(text)
				exported |= {text} if exports else set()
			awaits = depth > 0  # a pattern may declare several names
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


def bound(script):
	"""Return all names that are declared anywhere in a script, including parameters."""
	names, ends, opened = {text for (_, text), (_, after) in zip(script, script[1:]) if after == '=>'}, {}, []
	for at, (_, text) in enumerate(script):
		if text in OPENING:
			opened.append(at)
		elif text in CLOSING:
			ends[opened.pop()] = at
	texts = [text for _, text in script] + ['', '']
	for at, end in ends.items():
		if texts[at] == '(' and (texts[end + 1] == '=>' or 'function' in texts[max(at - 2, 0):at] or texts[at - 1] == 'catch'):
			names.update(texts[at + 1:end])
	for at, text in enumerate(texts):
		if text in ('const', 'let', 'function'):
			depth = 0
			for other in texts[at + 1:]:
				depth += (other in OPENING) - (other in CLOSING)
				names.add(other)
				if depth < 0 or depth == 0 and (other in (';', 'of', 'in') or text == 'function'):
					break
	return names


def ends_of(texts):
	"""Return the index of the closing bracket for each opening bracket."""
	ends, opened = {}, []
	for at, text in enumerate(texts):
		if text in OPENING:
			opened.append(at)
		elif text in CLOSING and opened:
			ends[opened.pop()] = at
	return ends


def names_of_pattern(texts, ends, at, end):
	"""Yield the names that the pattern or the list of parameters between two indexes declares."""
	while at < end:
		if texts[at] == '=':  # a value follows, which declares nothing
			while at < end and texts[at] != ',':
				at = ends.get(at, at) + 1
		elif WORD_START.match(texts[at]) and texts[at + 1] != ':':
			yield texts[at]
		at += 1


def declarators(texts, ends, at):
	"""Yield the names that a const or a let declares; `at` is the index after that word."""
	while True:
		end = ends.get(at, at)
		yield from names_of_pattern(texts, ends, at, end + 1)
		at = end + 1
		if texts[at] != '=' and texts[at] != ',':
			return
		while texts[at] not in (',', ';', '', *CLOSING):
			at = ends.get(at, at) + 1
		if texts[at] != ',':
			return
		at += 1


def declared_anywhere(script):
	"""Return the names that a script declares, in any scope."""
	texts = [text for _, text in script] + ['', '']
	ends, names = ends_of(texts), set()
	for at, text in enumerate(texts):
		if text in ('const', 'let'):
			names.update(declarators(texts, ends, at + 1))
		elif text == 'function' and WORD_START.match(texts[at + 1]):
			names.add(texts[at + 1])
		elif WORD_START.match(text) and texts[at + 1] == '=>':
			names.add(text)
		elif text == '(' and (texts[ends[at] + 1] == '=>' or 'function' in texts[max(at - 2, 0):at] or texts[at - 1] == 'catch'):
			names.update(names_of_pattern(texts, ends, at + 1, ends[at]))
	return names


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
		script = without_space(self.pieces)
		self.names, self.exports = declared(script)
		self.bound = bound(script)
		self.used = {text for (_, before), (kind, text), (_, after) in self.neighbours(script)
			if kind == 'word' and before != '.' and not (before in ('{', ',') and after == ':')}

	@staticmethod
	def neighbours(script):
		return zip([('', '')] + script, script, script[1:] + [('', '')])

	def take_import(self, found):
		for name in re.findall(r'[\w$]+', found.group(1)):
			self.imports[name] = found.group(2)
		return ''

	def check(self, exports):
		"""Refuse a module that would fail when the script runs. `exports` has the names that each module exports."""
		for name, file in self.imports.items():
			if name not in exports.get(file, ()):
				raise Refused('%s: %s is not exported by a module %s' % (self.file, name, file))
			if name not in self.used:
				raise Refused('%s: %s is imported and not used' % (self.file, name))
			if name in self.names:
				raise Refused('%s: %s is imported and declared' % (self.file, name))
		for (_, before), (_, text), (_, after) in self.neighbours(without_space(self.pieces)):
			if text in self.imports and before not in ('.', '{', ',') and (ASSIGNS.fullmatch(after) or before in ('++', '--')):
				raise Refused('%s: only %s may change %s' % (self.file, self.imports[text], text))
		for file, names in exports.items():
			for name in sorted(names & self.used - self.bound - set(self.imports)):
				raise Refused('%s: %s belongs to %s: import it' % (self.file, name, file))


def renamed(script, names):
	"""Return pieces without `export`, and with names replaced."""
	out, opened, before, exports = [], [], '', False
	following = [text for kind, text in script if kind not in ('blank', 'line', 'comment')][1:] + ['']
	at = 0
	for kind, text in script:
		if kind in ('blank', 'line', 'comment'):
			if not (exports and kind == 'blank'):
				out.append((kind, text))
			continue
		after, at = following[at], at + 1
		exports = text == 'export'
		if text in OPENING:
			opened.append(text == '{' and bool(OBJECT.fullmatch(before)))
		elif text in CLOSING:
			opened.pop()
		if kind == 'word' and text in names and before != '.' and not (before in ('{', ',') and after == ':'):
			if opened and opened[-1] and before in ('{', ',') and after in (',', '}', '='):
				out += [('word', text), ('mark', ':')]
			out.append((kind, names[text]))
		elif not exports:
			out.append((kind, text))
		before = text
	return out


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


def in_order(modules):
	"""Return the modules in an order in which each comes after those that it imports from."""
	by_file, done = {module.file: module for module in modules}, []

	def add(module, path):
		if module.file in path:
			raise Refused('%s: modules import from each other' % ' '.join([*path, module.file]))
		if module not in done:
			for file in sorted(set(module.imports.values()) & set(by_file)):
				add(by_file[file], [*path, module.file])
			done.append(module)

	for module in sorted(modules, key=lambda module: module.file):
		add(module, [])
	return done


def names_in_script(modules, constants):
	"""Return, for each module, its names that are different in the script."""
	users = {}
	for module in modules:
		for name in module.used | module.bound:
			users.setdefault(name, set()).add(module.file)
	given = {}
	for module in modules:
		own = {name for name in module.names if name in constants or
			users[name] - {module.file} - {other.file for other in modules if other.imports.get(name) == module.file}}
		given[module.file] = {name: '%s$%s' % (name, re.sub(r'\W', '_', module.file[:-3])) for name in own}
	return {module.file: {**given[module.file],
		**{name: given[file][name] for name, file in module.imports.items() if name in given.get(file, ())}} for module in modules}


def one_statement(script):
	"""Return pieces in which one statement declares all constants that follow each other directly."""
	texts = [text for _, text in without_space(script)] + ['']
	out, opened, at = [], [], 0
	# Whether a statement begins here, the first word of the statement, and whether it continues the statement before it.
	starts, word, joins = True, '', False
	for kind, text in script:
		if kind in ('blank', 'line', 'comment'):
			out.append((kind, text))
			continue
		at += 1
		if joins:
			joins, starts = False, False
			continue
		word, starts = (text if starts else word), False
		if text in OPENING:
			opened.append(word)
			word, starts = '', text == '{'
		elif text in CLOSING:
			word = opened.pop()
			starts = text == '}' and word != 'const'
		elif text == ';':
			joins = word == 'const' and texts[at] == 'const' and (not opened or opened[-1] != 'for')
			starts, text = True, ',' if joins else text
		out.append((kind, text))
	return out


def free_names(modules):
	"""Return the names that modules use and that come from the browser or the language."""
	return {name for module in modules for name in module.used - declared_anywhere(without_space(module.pieces)) - set(module.imports)}


def short_names():
	"""Yield names, the shortest first."""
	letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$'
	for length in itertools.count(1):
		for name in itertools.product(letters, repeat=length):
			yield ''.join(name)


def shortened(script, free):
	"""Return a script with short names in place of those that it declares. Names in `free` and names of properties are kept.
	A name gets the same replacement everywhere, so scopes need not be known."""
	bare = without_space(script)
	uses = collections.Counter(text for (kind, text), (_, before) in zip(bare, [('', '')] + bare) if kind == 'word' and before != '.')
	ours = declared_anywhere(bare) - free
	shorts, names = (name for name in short_names() if name not in free | KEYWORDS), {}
	for text in sorted(ours, key=lambda name: (-uses[name], name)):
		names[text] = next(shorts)
	return renamed(script, names)


def join(constants, modules):
	"""Return the script."""
	modules = in_order(modules)
	exports = {CONSTANTS: set(constants), **{module.file: module.exports for module in modules}}
	for module in modules:
		module.check(exports)
	numbers = {name: values[0] for name, values in constants.items() if NUMBER.fullmatch(values[0]) and len(values) == 1}
	script = pieces('(function () {\n\'use strict\';\n', '')
	imported = {name for module in modules for name in module.imports}
	for name, values in constants.items():
		if name in imported and name not in numbers:
			script += pieces('const %s = [%s];\n' % (name, ', '.join(values)), CONSTANTS)
	names = names_in_script(modules, constants)
	for module in modules:
		script += [(kind, numbers.get(text, text)) for kind, text in renamed(module.pieces, names[module.file])]
	script += pieces('})();\n', '')
	text = cut(script if os.environ.get('KEEP_NAMES') else one_statement(shortened(script, free_names(modules))))
	for end in ']]>', '</script':
		if end in text:
			raise Refused('%s would end the script' % end)
	return text


def header(constants):
	"""Return the constants as a C header; a list becomes the text between the braces of an array."""
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
	"""Return rules for light mode, then for dark mode. `rules` has a list for each mode: formats of rules, which contain one %s
	for a colour, with their pairs of colours."""
	light, dark = (''.join('%s }\n' % (rule % pair[mode]) for rule, pair in rules[mode]) for mode in (0, 1))
	return light + '@media screen and (prefers-color-scheme: dark) {\n' + re.sub('^', '\t', dark, flags=re.MULTILINE)[:-1] + '}\n'


def modern(shades, others, text):
	"""Return the style rules of the shades, the page and the labels, then the given style sheet."""
	page, label = 'svg.modern.adapts%s { %s: %%s;', '%s > #frames text { fill: %%s;'
	light = [(page % (':root', 'background'), others['page']), (label % 'svg.modern', others['text'])]
	dark = [light[0], (page % (' .page', 'fill'), others['page']), (label % 'svg.modern.adapts', others['text'])]
	for number, pair in enumerate(shades):
		light.append(('rect.c%d { fill: %%s;' % number, pair))
		dark.append(('.adapts rect.c%d { fill: %%s;' % number, pair))
	return in_both_modes((light, dark)) + style(text)


def compare(constants, shades, others):
	"""Return the style rules of patterns, and of labels on them."""
	changes = range(int(constants['SHADE_GREW'][0]), len(shades))
	halo = '%s > svg rect.c%d + text { stroke: %%s;'
	# The labels of frames that are new or gone have the colour of the other mode. Pale frames have the usual colour and no halo.
	most, label = range(int(constants['SHADE_NEW'][0]), len(shades)), '> #frames > %s > rect.c%d + text { %s: %s;'
	modes = [[(halo % (picture, n), shades[n]) for n in changes] +
		[(picture + ' ' + label % (':where(:not(.parent))', n, 'fill', '%s'), others['text'][::-1]) for n in most]
		for picture in ('svg.compared', 'svg.compared.adapts')]
	return ('svg.compared > svg text { paint-order: stroke; stroke-width: 3; stroke-linejoin: round; }\n' +
		''.join('svg.compared > svg rect.c%d, svg.compared .legend .c%d { fill: url(#p%d); }\n' % (n, n, n) for n in changes) +
		''.join('svg.compared %s }\n' % (label % ('.parent', n, 'stroke', 'none')) for n in most) + in_both_modes(modes))


def digest(data):
	return 'sha256-' + base64.b64encode(hashlib.sha256(data).digest()).decode()


def packed(name, loader, script):
	"""Return a C header that holds a loader with a script in it, and the hashes of the loader and of the script. The
	Content-Security-Policy of a page contains these hashes."""
	packer = zlib.compressobj(9, zlib.DEFLATED, -15, 9)
	text = base64.b64encode(packer.compress(script) + packer.flush())
	place = re.compile(rb"(?<==)''(?=[;,])")
	if len(place.findall(loader)) != 1:
		raise Refused('the loader does not have one place for the script')
	return embed(name, place.sub(b"'" + text + b"'", loader), digest(script))


def embed(name, data, *more_hashes):
	"""Return a C header that holds bytes as an array of numbers, because ISO C limits the length of a string literal. Values above
	127 are written as characters, because char may be signed."""
	pieces_of_c = ''.join('%d,\n' % byte if byte < 128 else "'\\x%02x',\n" % byte for byte in data)
	hashes = "' '".join([digest(data), *more_hashes])
	return '#define %s_HASH "%s"\nstatic const char %s[] = {\n%s0};\n' % (name.upper(), hashes, name, pieces_of_c)


def main(command, *arguments):
	try:
		if command == 'embed':
			with open(arguments[1], 'rb') as source:
				return embed(arguments[0], source.read())
		if command == 'packed':
			with open(arguments[1], 'rb') as loader, open(arguments[2], 'rb') as script:
				return packed(arguments[0], loader.read(), script.read())
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
			return compare(constants, *read_shades(arguments[1]))
		return join(constants, [Module(path) for path in arguments[1:]])
	except Refused as refused:
		sys.exit('join.py: %s' % refused)


if __name__ == '__main__':
	if len(sys.argv) < 3:
		sys.exit(__doc__)
	sys.stdout.buffer.write(main(*sys.argv[1:]).encode('utf-8'))
