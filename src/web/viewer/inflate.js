/**
 * Inflate: unpacks the deflate method (RFC 1951).
 *
 * The browser's DecompressionStream would take the place of this file, which is 3.8 kB of a picture of 100 to 250 kB. It returns a
 * promise, so the first click would have to wait or be lost; browsers before 2023 have none. It is no faster where people notice:
 * 2 ms, and 0.5 ms here, for the 1 to 8 kB of a typical picture; 86 ms, and 120 ms here, for a million frames (2.6 MB).
 */

// The order of the lengths of the codes for code lengths in a block.
const LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const END_OF_BLOCK = 256;
const LONGEST_MATCH = 258;

/** Throw an error: the embedded profile cannot be read. */
export function fail() {
	throw new RangeError('it is damaged or from another version');
}

// The input is an object: the packed bytes, the index of the next one, and the bits that were read ahead.

function fetchBits(input, n) {
	for (; input.held < n; input.held += 8) {
		if (input.at > input.bytes.length + 8) {
			fail();
		}
		input.hold |= input.bytes[input.at++] << input.held;
	}
}

function dropBits(input, n) {
	input.hold >>>= n;
	input.held -= n;
}

function readBits(input, n) {
	fetchBits(input, n);
	const value = input.hold & (1 << n) - 1;
	dropBits(input, n);
	return value;
}

/** Read a symbol by a table of codes. */
function readSymbol(input, codes) {
	fetchBits(input, 15);
	const found = codes[input.hold & codes.length - 1];
	if (!(found & 15)) {
		fail();
	}
	dropBits(input, found & 15);
	return found >> 4;
}

function reversed(code, length) {
	let turned = 0;
	for (let bit = 0; bit < length; bit++) {
		turned |= (code >> bit & 1) << length - 1 - bit;
	}
	return turned;
}

/** Return a table of codes: for all values of the next bits, the symbol times 16 plus the length of its code. */
function codesOf(lengths) {
	const longest = Math.max(...lengths), codes = new Uint16Array(1 << longest);
	for (let length = 1, code = 0; length <= longest; length++, code <<= 1) {
		for (let symbol = 0; symbol < lengths.length; symbol++) {
			if (lengths[symbol] === length) {
				for (let bits = reversed(code++, length); bits < codes.length; bits += 1 << length) {
					codes[bits] = symbol << 4 | length;
				}
			}
		}
	}
	return codes;
}

function fixedCodes() {
	const lengths = [];
	for (let i = 0; i < 288; i++) {
		lengths.push(i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8);
	}
	return [codesOf(lengths), codesOf(Array(30).fill(5))];
}

function readCodes(input) {
	const literals = readBits(input, 5) + 257, distances = readBits(input, 5) + 1, n = readBits(input, 4) + 4;
	const lengths = Array(19).fill(0), found = [];
	for (let i = 0; i < n; i++) {
		lengths[LENGTH_ORDER[i]] = readBits(input, 3);
	}
	const codes = codesOf(lengths);
	while (found.length < literals + distances) {
		const symbol = readSymbol(input, codes);
		const times = symbol < 16 ? 1 : symbol === 16 ? readBits(input, 2) + 3 :
			symbol === 17 ? readBits(input, 3) + 3 : readBits(input, 7) + 11;
		const length = symbol < 16 ? symbol : symbol === 16 ? found[found.length - 1] : 0;
		for (let i = 0; i < times; i++) {
			found.push(length);
		}
	}
	return [codesOf(found.slice(0, literals)), codesOf(found.slice(literals))];
}

// Lengths and distances of matches: the number of bits that follow, and the base that they are added to.
const lengthBits = n => n < 8 || n === 28 ? 0 : (n >> 2) - 1;
const distanceBits = n => n < 4 ? 0 : (n >> 1) - 1;
const LENGTH_BASES = basesOf(3, 28, lengthBits).concat(LONGEST_MATCH);
const DISTANCE_BASES = basesOf(1, 30, distanceBits);

function basesOf(first, n, bits) {
	const bases = [];
	for (let i = 0; i < n; first += 1 << bits(i++)) {
		bases.push(first);
	}
	return bases;
}

// The output is an object: bytes, and how many of them are written.

function makeRoom(output, n) {
	if (output.size + n > output.bytes.length) {
		const larger = new Uint8Array(2 * output.bytes.length + n);
		larger.set(output.bytes);
		output.bytes = larger;
	}
}

function copyStored(input, output) {
	readBits(input, input.held & 7);
	const n = readBits(input, 16);
	readBits(input, 16);
	makeRoom(output, n);
	for (let i = 0; i < n; i++) {
		output.bytes[output.size++] = readBits(input, 8);
	}
}

/** Copy bytes that were written earlier; `length` and `distance` are symbols. */
function copyMatch(input, output, length, distances) {
	const n = LENGTH_BASES[length] + readBits(input, lengthBits(length));
	const distance = readSymbol(input, distances);
	const back = DISTANCE_BASES[distance] + readBits(input, distanceBits(distance));
	if (!(back <= output.size && n)) {
		fail();
	}
	const bytes = output.bytes, end = output.size + n;
	for (let at = output.size; at < end; at++) {
		bytes[at] = bytes[at - back];
	}
	output.size = end;
}

function inflateBlock(input, output, [literals, distances]) {
	for (let symbol; (symbol = readSymbol(input, literals)) !== END_OF_BLOCK;) {
		makeRoom(output, LONGEST_MATCH);
		if (symbol < END_OF_BLOCK) {
			output.bytes[output.size++] = symbol;
		} else {
			copyMatch(input, output, symbol - 257, distances);
		}
	}
}

/** Return the unpacked bytes of one or more streams, one after the other. Throw if they are broken. */
export function inflate(bytes) {
	const input = { bytes: bytes, at: 0, hold: 0, held: 0 };
	const output = { bytes: new Uint8Array(4 * bytes.length + 1024), size: 0 };
	const more = () => input.at - (input.held >> 3) < bytes.length;
	let last;
	do {
		last = readBits(input, 1);
		const kind = readBits(input, 2);
		if (kind === 0) {
			copyStored(input, output);
		} else {
			inflateBlock(input, output, kind === 1 ? fixedCodes() : readCodes(input));
		}
		if (last) {
			readBits(input, input.held & 7); // each stream begins with a byte
		}
	} while (!last || more());
	return output.bytes.subarray(0, output.size);
}
