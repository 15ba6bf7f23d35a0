/** Labels: as much of a frame's name as its box has room for. */
import { LABEL_DROP, LEAST_LABEL, MODERN_LABEL_PADDING } from './constants.js';
import { on } from './events.js';
import { fontNow, fontwidth, harmless, labelLeft, make, modern, rowHeight, svg } from './picture.js';
import { isCompared } from './model.js';
import { shorten } from './shorten.js';

const widths = new Map();  // px by character
const darkness = new Map();  // by colour: whether text on it is white
let ruler = null;
let monospaced = 0;  // px of each ASCII character if all are equally wide, else 0
const dropNow = () => modern ? Math.floor((7 * Math.ceil(fontNow) + 10) / 20) : LABEL_DROP;

on('start', () => {
	ruler = make('text', { visibility: 'hidden' });
});
on('rows', () => widths.clear());

/** Return the width of a text element in px. */
export function lengthOf(el) {
	try {
		return el.getComputedTextLength();
	} catch (e) {
		return 0;  // some browsers throw while the picture is not displayed
	}
}

/** Return the width of a text in px. */
export function measure(text) {
	ruler.textContent = text;
	svg.appendChild(ruler);
	const px = lengthOf(ruler);
	ruler.remove();
	return px;
}

export function widthOf(c) {
	if (widths.size === 0) {
		widths.set('', 0);
		const m = measure('MMMMMMMMMM') / 10;
		monospaced = Math.abs(measure('iiiiiiiiii') / 10 - m) < 0.01 ? m : 0;
	}
	let px = widths.get(c);
	if (px === undefined) {
		// Measure the text between two other characters, because a blank at an end has no width.
		px = monospaced && c >= ' ' && c <= '~' ? monospaced : measure('x' + c + 'x') - measure('xx');
		px = px || fontNow * fontwidth;
		widths.set(c, px);
	}
	return px;
}

/** Return as much of a name as fits into `room` px: its start, as in the file. */
function fit(name, room) {
	const dots = 2 * widthOf('.');
	if (monospaced && !/[^ -~]/.test(name)) {
		return name.length * monospaced <= room ? name : cut(name, Math.floor((room - dots) / monospaced));
	}
	const chars = Array.from(name);
	let used = 0, kept = 0;
	for (const c of chars) {
		used += widthOf(c);
		if (used > room) {
			return cut(chars, kept);
		}
		kept += used + dots <= room;
	}
	return name;
}

/** Return `kept` characters of a string, or of an array of characters, and two dots; nothing if only dots would be left. */
function cut(chars, kept) {
	if (kept < 1) {
		return '';
	}
	const part = chars.slice(0, kept);
	return (typeof part === 'string' ? part : part.join('')) + '..';
}

/** Return the label of a frame that is `width` px wide: a sign, if given, and as much of its name as fits. `name` returns
 * the name, and is called only if there is room. */
export function labelFor(width, name, sign) {
	return !hasRoom(width) ? '' : modern ? sign + harmless(shorten(name(), charsIn(width) - sign.length)) :
		fit(harmless(name()), width - labelLeft);
}

/** In the modern style, return the number of characters for which a frame has room. */
function charsIn(width) {
	widthOf('.');  // sets `monospaced`
	return Math.floor((width - MODERN_LABEL_PADDING) / (monospaced || fontNow * fontwidth));
}

/** Return whether a frame that is `width` px wide has room for a label. */
export const hasRoom = width => modern ? charsIn(width) >= LEAST_LABEL + 2 * isCompared() : width - labelLeft >= 2 * fontNow * fontwidth;

/** Return whether text on a colour is white: whether white has the higher contrast. */
export function isDark(colour) {
	if (!darkness.has(colour)) {
		const hex = /^#(..)(..)(..)$/.exec(colour);
		const rgb = hex ? hex.slice(1).map(part => parseInt(part, 16)) : colour.match(/\d+/g) || [255, 255, 255];
		const [r, g, b] = rgb.map(part => {
			const c = part / 255;
			return c <= 0.04045 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4);
		});
		darkness.set(colour, 0.2126 * r + 0.7152 * g + 0.0722 * b < Math.sqrt(0.0525) - 0.05);
	}
	return darkness.get(colour);
}

/** Return the baseline of a label in a box whose top is `y`. */
export const baseline = y => (y + (rowHeight - 1) / 2 + dropNow()).toFixed(2);

export function addLabel(el, x, y, label, fill) {
	return make('text', !modern && isDark(fill) ? { x: x, y: baseline(y), class: 'w' } : { x: x, y: baseline(y) }, el, label);
}
