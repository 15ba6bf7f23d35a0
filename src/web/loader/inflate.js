/**
 * Inflate: unpacks deflated bytes (RFC 1951).
 *
 * The browser's DecompressionStream could replace this file, but it returns a promise. So the
 * picture would be on the screen before the viewer runs, and the first click would have to wait or
 * be lost. Browsers before 2023 have no DecompressionStream. DecompressionStream is hardly faster:
 * a small page that unpacks the viewer's script with DecompressionStream keeps the browser as busy
 * as with this file (66 ms each). For the 1 to 8 kB of a typical profile, DecompressionStream takes
 * 2 ms, and this file 0.5 ms. For a million frames (2.6 MB), DecompressionStream takes 86 ms, and
 * this file 120 ms.
 */

// The order of the lengths of the codes for code lengths in a block.
const LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const END_OF_BLOCK = 256;
const LONGEST_MATCH = 258;
const READ_AHEAD = 24;  // bits to read ahead, at least; a number has room for 31 bits

/** Throw the error that the embedded profile cannot be read. */
export function fail() {
	throw new RangeError('it is damaged or from another version');
}

// The input is an object with the packed bytes, the index of the next byte, and the bits that were
// read ahead.

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
		codes.copyWithin(1 << length - 1, 0, 1 << length - 1);  // shorter codes, with either value of the next bit
		for (let symbol = 0; symbol < lengths.length; symbol++) {
			if (lengths[symbol] === length) {
				codes[reversed(code++, length)] = symbol << 4 | length;
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

// For the lengths and distances of matches, by symbol: the number of bits that follow the symbol,
// and the base to which the value of these bits is added.
const LENGTH_BITS = Array.from({ length: 29 }, (_, n) => n < 8 || n === 28 ? 0 : (n >> 2) - 1);
const DISTANCE_BITS = Array.from({ length: 30 }, (_, n) => n < 4 ? 0 : (n >> 1) - 1);
const LENGTH_BASES = basesOf(3, LENGTH_BITS), DISTANCE_BASES = basesOf(1, DISTANCE_BITS);
LENGTH_BASES[28] = LONGEST_MATCH;

function basesOf(first, bits) {
	return bits.map(n => (first += 1 << n) - (1 << n));
}

// The output is an object with bytes, and the number of bytes that were written so far.

function larger(bytes, least = 0) {
	const copied = new Uint8Array(2 * bytes.length + least);
	copied.set(bytes);
	return copied;
}

function copyStored(input, output) {
	readBits(input, input.held & 7);
	const n = readBits(input, 16);
	readBits(input, 16);
	if (output.size + n > output.bytes.length) {
		output.bytes = larger(output.bytes, n);
	}
	for (let i = 0; i < n; i++) {
		output.bytes[output.size++] = readBits(input, 8);
	}
}

/**
 * Unpack a block: bytes, and copies of bytes that were written earlier. The state is in local variables, because the browser has not
 * compiled this function yet when the function unpacks the viewer's script. In a new process of node, this takes 18 ms instead of 31 ms.
 */
function inflateBlock(input, output, [literals, distances]) {
	const from = input.bytes, literalMask = literals.length - 1, distanceMask = distances.length - 1;
	let { at, hold, held } = input, { bytes, size } = output, found;
	for (;;) {
		for (; held < READ_AHEAD; held += 8) {
			hold |= from[at++] << held;
		}
		found = literals[hold & literalMask];
		if (!(found & 15) || at > from.length + READ_AHEAD) {
			fail();
		}
		hold >>= found & 15;
		held -= found & 15;
		if (size + LONGEST_MATCH > bytes.length) {
			bytes = larger(bytes);
		}
		if (found < END_OF_BLOCK << 4) {
			bytes[size++] = found >> 4;
			continue;
		}
		const symbol = (found >> 4) - END_OF_BLOCK - 1;
		if (symbol < 0) {
			break;
		}
		const end = size + LENGTH_BASES[symbol] + (hold & (1 << LENGTH_BITS[symbol]) - 1);
		hold >>= LENGTH_BITS[symbol];
		held -= LENGTH_BITS[symbol];
		for (; held < READ_AHEAD; held += 8) {
			hold |= from[at++] << held;
		}
		found = distances[hold & distanceMask];
		hold >>= found & 15;
		held -= found & 15;
		for (; held < READ_AHEAD; held += 8) {
			hold |= from[at++] << held;
		}
		const back = DISTANCE_BASES[found >> 4] + (hold & (1 << DISTANCE_BITS[found >> 4]) - 1);
		hold >>= DISTANCE_BITS[found >> 4];
		held -= DISTANCE_BITS[found >> 4];
		if (!(found & 15 && back <= size && end > size)) {
			fail();
		}
		for (; size < end; size++) {
			bytes[size] = bytes[size - back];
		}
	}
	Object.assign(input, { at, hold, held });
	Object.assign(output, { bytes, size });
}

/** Return the unpacked bytes of one or more streams, one after the other. Throw if a stream is broken. */
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
			readBits(input, input.held & 7); // each stream begins at a whole byte
		}
	} while (!last || more());
	return output.bytes.subarray(0, output.size);
}
