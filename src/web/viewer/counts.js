/** Counts of samples: doubles, or BigInt in pictures whose total a double cannot hold. */

export let number = Number;  // turns text into a count
export let whole = 0;        // the count of the root
let largest = 0;             // the largest count that the root has had

/** Choose the type of counts by the root's count, which is given as text. */
export function readWhole(samples) {
	number = samples.length > 15 && typeof BigInt === 'function' ? BigInt : Number;
	setWhole(number(samples));
}

/** Set the count of the root, after the frames that are shown have changed. */
export function setWhole(count) {
	whole = count;
	largest = Math.max(largest, Number(count));
}

/** Return a column of `n` counts. */
export function countColumn(n) {
	return number !== Number ? new BigUint64Array(n) : new (largest < 2147483648 ? Uint32Array : Float64Array)(n);
}

/** Return a count with commas between groups of three digits. */
export const grouped = count => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

/** Return the share of a part in a whole; or 0 if the whole is 0. */
export const share = (part, of) => Number(of) ? Number(part) / Number(of) : 0;

/** Return a percentage as text: with `places` decimals, or, if it is very small, with two
 * significant digits. */
export function shownPercent(value, places) {
	const more = value > 0 && value < 0.1 ? 1 - Math.floor(Math.log10(value)) : 0;
	return value.toFixed(Math.min(Math.max(more, places), 20)) + '%';
}

/** Return a change with its sign: `+1.5%`. */
export const signed = (change, text) => (change < 0 ? '\u2212' : '+') + text;

/** Return a share as a length for SVG, in per cent. */
export const percent = part => Math.round(1e6 * part) / 1e4 + '%';
