/** Unpack: the embedded profile, from base64 to columns. docs/picture.md describes its format. */
import { PACK_CHANGES, PACK_DELTAS, PACK_GAPS, PACK_HIDDEN_NAMES, PACK_MARKS, PACK_VERSION } from './constants.js';
import { decodeBase64, fail, inflate } from './unpacking.js';
import { countColumn, number } from './counts.js';

const MOST_PLAIN = 10000;  // number of bytes that are converted to text at once
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

// The input is an object: the bytes, and the index of the next byte.

/** Read a number. */
export function readNumber(input) {
	const bytes = input.bytes;
	let byte = bytes[input.at++], value = byte & 127;
	for (let scale = 128; byte > 127; scale *= 128) {
		byte = bytes[input.at++];
		value += (byte & 127) * scale;
	}
	if (byte === undefined) {
		fail();
	}
	return value;
}

/** Read a count. */
export function readCount(input) {
	if (number === Number) {
		return readNumber(input);
	}
	let value = number(0), shift = number(0), byte;
	do {
		byte = input.bytes[input.at++];
		value |= number(byte & 127) << shift;
		shift += number(7);
	} while (byte > 127);
	return value;
}

export function readText(input) {
	const size = readNumber(input);
	input.at += size;
	return decoder.decode(input.bytes.subarray(input.at - size, input.at));
}

/** Fill a column by calling `read(input, i)` for each of its places. */
export function fillColumn(column, input, read) {
	for (let i = 0; i < column.length; i++) {
		column[i] = read(input, i);
	}
	return column;
}

/** Fill a column with numbers. Nearly all numbers have one or two bytes. This loop reads such
 * numbers itself, because a call for each of millions of numbers would take twice as long. */
function fillNumbers(column, input) {
	const bytes = input.bytes, n = column.length;
	let at = input.at;
	for (let i = 0; i < n; i++) {
		const low = bytes[at], high = bytes[at + 1];
		if (low < 128) {
			column[i] = low;
			at++;
		} else if (high < 128) {
			column[i] = (low & 127) + (high << 7);
			at += 2;
		} else {
			input.at = at;
			column[i] = readNumber(input);
			at = input.at;
		}
	}
	input.at = at;
	return column;
}

/** Fill a column with counts. */
export const fillCounts = (column, input) => number === Number ? fillNumbers(column, input) : fillColumn(column, input, readCount);

/** Return bytes as text; or null if there are very many, or if not all are printable ASCII. Nearly all names are ASCII, and a decoder takes
 * five times as long. */
function plainText(bytes, from, to) {
	for (let i = from; i < to; i++) {
		if (bytes[i] < 32 || bytes[i] > 126) {
			return null;
		}
	}
	return to - from < MOST_PLAIN ? String.fromCharCode.apply(null, bytes.subarray(from, to)) : null;
}

/**
 * Read the table of names. Each name begins with the number of bytes that it shares with the previous name. The letter of a mark such as
 * _[k] at its end goes into `marks`.
 */
function readNames(input, kinds, marks) {
	// The bytes of the last name, and its plainText().
	let name = new Uint8Array(256), plain = '';
	const withoutMark = (text, at) => !text.endsWith(']') ? text : text.replace(/_\[([kijw])]$/, (mark, letter) => {
		marks[at] = letter;
		return '';
	});
	return fillColumn(Array(kinds), input, (from, at) => {
		const shared = readNumber(input), more = readNumber(input), rest = plain === null ? null : plainText(input.bytes, input.at, input.at + more);
		if (shared + more > name.length) {
			const longer = new Uint8Array(2 * (shared + more));
			longer.set(name);
			name = longer;
		}
		name.set(input.bytes.subarray(input.at, input.at += more), shared);
		if (rest !== null && shared <= plain.length) {
			plain = plain.slice(0, shared) + rest;
			return withoutMark(plain, at);
		}
		plain = plainText(name, 0, shared + more);
		return withoutMark(plain === null ? decoder.decode(name.subarray(0, shared + more)) : plain, at).replace(/[^\t\n\r -\ufffd]/g, '\ufffd');
	});
}

/** Read the fill of each name: a colour from the table of colours, or the class of a shade. */
function readColours(input, kinds, colours) {
	const byte = () => input.bytes[input.at++];
	const table = fillColumn(Array(colours), input, () => 'rgb(' + byte() + ',' + byte() + ',' + byte() + ')');
	return fillColumn(Array(kinds), input, () => colours ? table[readNumber(input)] : 'c' + readNumber(input));
}

/** Read the attributes of --nameattr, by the number of the name. */
function readFunctions(input) {
	const functions = new Map();
	for (let rest = readNumber(input); rest > 0; rest--) {
		functions.set(readNumber(input), { link: readNumber(input), attributes: readText(input),
			title: readNumber(input) ? readText(input) : null });
	}
	return functions;
}

function readDeltas(columns, input) {
	columns.changed = new Uint8Array(columns.n);
	columns.delta = fillColumn(new Float64Array(columns.n), input,
		(from, i) => (columns.changed[i] = readNumber(from)) && readNumber(from));
	columns.largest = columns.delta.reduce((a, b) => Math.max(a, b), 1);
}

function readChanges(columns, input, data) {
	const given = name => Number(data.getAttribute('data-' + name));
	columns.compared = { scale: given('scale'), error: given('scale-error'), reason: data.getAttribute('data-scale-reason') || '', noise: given('noise'),
		samples: [given('sample-before'), given('sample-after')], byName: data.hasAttribute('data-by-name') };
	for (const side of ['before', 'after']) {
		columns[side] = { self: fillCounts(countColumn(columns.n), input), total: countColumn(columns.n) };
	}
}

function readFrames(columns, input, flags, data) {
	const counts = () => fillCounts(countColumn(columns.n), input), depth = fillNumbers(columns.depth, input);
	for (let i = 0; i < columns.n; i++) {
		depth[i] = i && depth[i - 1] + 1 - depth[i];
	}
	columns.name = fillNumbers(new Uint32Array(columns.n), input);
	columns.self = counts();
	if (flags & PACK_GAPS) {
		columns.hidden = counts();
		columns.gaps = counts();
	}
	if (flags & PACK_DELTAS) {
		readDeltas(columns, input);
	}
	if (flags & PACK_CHANGES) {
		readChanges(columns, input, data);
	}
}

/** Return the input that is embedded in an element. Throw if the input is broken. */
export function inputOf(data) {
	const packed = decodeBase64(data.textContent.trim());
	return { bytes: data.getAttribute('data-coding') === 'deflate' ? inflate(packed) : packed, at: 0 };
}

/** Return the columns of the profile that is embedded in an element. Throw if the profile is broken. */
export function unpack(data) {
	const input = inputOf(data);
	if (readNumber(input) !== PACK_VERSION) {
		fail();
	}
	const [flags, n, kinds, colours] = fillColumn(Array(4), input, readNumber);
	if (n + kinds > input.bytes.length) {
		fail();
	}
	const columns = { n: n, depth: new Uint32Array(n), factor: Number(data.getAttribute('data-factor') || 1), negate: data.hasAttribute('data-negate'),
		diffusion: data.hasAttribute('data-diffusion') };
	readFrames(columns, input, flags, data);
	columns.marks = [];
	columns.names = readNames(input, kinds, columns.marks);
	columns.colours = readColours(input, kinds, colours);
	columns.functions = readFunctions(input);
	columns.unseen = flags & PACK_HIDDEN_NAMES ? fillCounts(countColumn(kinds), input) : null;
	columns.kinds = flags & PACK_MARKS ? fillColumn(Array(kinds), input, () => String.fromCharCode(input.bytes[input.at++] || 0)) : columns.marks;
	return columns;
}
