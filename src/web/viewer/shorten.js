/** Shorten: the most informative part of a name, as in picture/label.c. */
import { FILE_ENDS, MOST_BRACKETS, MOST_SHORTENED, OPERATOR_SYMBOLS, TAIL_ENDS, TAIL_STARTS } from './constants.js';

const isWord = text => /^[\w$\x80-\uffff]/.test(text);

// Parts that are never split: the name of an operator, a word, a separator.
const TOKEN = new RegExp('operator(?:' + OPERATOR_SYMBOLS.map(text => text.replace(/\W/g, '\\$&')).join('|') +
	')|[\\w$\\x80-\\uffff]+|::|[^]', 'g');
const isOperator = token => /^operator[^\w$\x80-\uffff]/.test(token);

/** Return a name in at most `room` characters: without arguments, then without leading parts, then
 * cut short. A number at its end is kept, because it is often the only difference between names. */
export function shorten(name, room) {
	const fits = text => text.length <= room || text.length <= 2 * room && Array.from(text).length <= room;
	let rest = name;
	if (!fits(rest) && rest.length <= MOST_SHORTENED) {
		rest = withoutTail(withoutArguments(rest));
		rest = fits(rest) ? rest : withoutLeadingParts(rest, fits);
	}
	const [number] = /\d{0,32}$/.exec(rest.length <= MOST_SHORTENED ? rest : '');
	const kept = number.length < room && number.length < 32 ? number : '';
	return fits(rest) ? rest : cutShort(rest, room - 1 - kept.length) + kept;
}

/** Return the function's own name, without its module and its arguments, and where it begins. */
export function ownName(name) {
	const bare = name.length <= MOST_SHORTENED ? withoutTail(withoutArguments(name)) : name, last = withoutLeadingParts(bare, () => false);
	const own = last.replace(/(.)\[[^]*$/, '$1');  // Go and Rust write arguments of types in square brackets
	return { own: own, at: name.startsWith(bare) ? bare.length - last.length : Math.max(name.lastIndexOf(own), 0) };
}

/** Return the start of a name with an ellipsis. */
const cutShort = (name, kept) => Array.from(name.slice(0, 2 * kept)).slice(0, kept).join('') + '…';

/** Return a name without its arguments, which are the text in brackets after a name. */
function withoutArguments(name) {
	const open = [];  // brackets: the character, and the length to go back to if it holds arguments, or -1
	let out = '', operatorEnd = -1;
	for (const match of name.matchAll(TOKEN)) {
		const token = match[0], last = out.slice(-1);
		if ((token === '(' || token === '<') && open.length < MOST_BRACKETS) {
			open.push([token, argumentsStart(out, token, name.slice(match.index), operatorEnd)]);
		}
		out += token;
		operatorEnd = isOperator(token) ? out.length : operatorEnd;
		if (token === ')' || token === '>' && last !== '-' && last !== '=') {
			out = closeBracket(out, token, open);
		}
	}
	return out;
}

/** Return the length of `out` without the arguments that a bracket begins; -1 if it begins none. */
function argumentsStart(out, bracket, rest, operatorEnd) {
	const spaced = bracket === '(' && out.length > 1 && out.endsWith(' ') && !/^\((\*|anonymous )/.test(rest.slice(0, 12));
	const start = out.length - spaced, last = out.charAt(start - 1);
	return start === operatorEnd || isWord(last) || /[)\]]/.test(last) || bracket === '(' && last === '>' ? start : -1;
}

/** Close a bracket, as in picture/label.c. Return the kept part of `out`. */
function closeBracket(out, bracket, open) {
	let at = open.length - 1;
	while (bracket === ')' && at >= 0 && open[at][0] !== '(') {
		at--;
	}
	if (at < 0 || open[at][0] !== (bracket === ')' ? '(' : '<')) {
		return out;
	}
	const [[, start]] = open.splice(at);
	return start < 0 ? out : out.slice(0, start);
}

/** Return a name without the ends that compilers and profilers add. */
function withoutTail(name) {
	for (const start of TAIL_STARTS) {
		const at = name.indexOf(start);
		name = at > 0 && isWord(name.charAt(at - 1)) ? name.slice(0, at) : name;
	}
	for (const end of TAIL_ENDS) {
		name = name.endsWith(end) && name !== end ? name.slice(0, -end.length) : name;
	}
	return name;
}

/** Return whether a name is a file name or ends in one. Dots in a file name separate no parts. */
function hasFile(name) {
	return FILE_ENDS.some(end => {
		const at = name.lastIndexOf(end);
		return at >= 0 && !isWord(name.slice(at + end.length));
	});
}

/** Return a name from `start`, and before it an ellipsis and as many last words of the part from `before` as fit, if any do. */
function withLastWords(name, before, start, fits) {
	for (let i = Math.max(before + 1, 3); i < start; i++) {
		if (/[a-z\d][A-Z]|_[A-Za-z]/.test(name.slice(i - 1, i + 1)) && fits('…' + name.slice(i))) {
			return '…' + name.slice(i);
		}
	}
	return name.slice(start);
}

/** Remove leading parts until the name fits or only its last part is left. */
function withoutLeadingParts(name, fits) {
	const dotsSeparate = !hasFile(name), colons = name.lastIndexOf('::');
	let depth = 0, start = 0, before = 0;
	for (const match of name.matchAll(TOKEN)) {
		const token = match[0], at = match.index + token.length;
		if (isOperator(token)) {
			break;
		}
		depth = /^[(<{[]$/.test(token) ? depth + 1 : /^[)>}\]]$/.test(token) && depth ? depth - 1 : depth;
		const separates = /^(?:::|[/\\`!#])$/.test(token) || token === '.' && dotsSeparate || token === ' ' && match.index < colons;
		if (separates && !depth && /[a-z_$~<({[\x80-\uffff]/i.test(name.charAt(at))) {
			before = start;
			start = at;
			if (fits(name.slice(start))) {
				return withLastWords(name, before, start, fits);
			}
		}
	}
	return name.slice(start);
}
