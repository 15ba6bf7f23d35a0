/** Status: the two lines of text under the frames: details of a frame, and what a search matched. */
import { announce, on } from './events.js';
import { nametype, find, setText, titleOf } from './picture.js';
import { moreOf } from './titles.js';
import { widthOf } from './labels.js';
import { idOf, sheet } from './sheet.js';

const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
let detailsLine = null, matchedLine = null;
let held = false;        // the details line says something that is not to be replaced
export let told = null;  // the element that details are of
let hovered = null;      // the element under the pointer

on('start', () => {
	detailsLine = find('#details');
	matchedLine = find('#matched');
	for (const line of [detailsLine, matchedLine]) {
		line.setAttribute('role', 'status');
	}
});
on('unreadable', why => tellText('Cannot read the embedded profile, only the frames drawn: ' + why));
on('swap', follow => {
	hovered = follow(hovered);
	told = follow(told);
});
on('zoom', () => tell(told));

/** Fill the details line about a frame's element; empty it if that is null. */
export function tell(el) {
	told = el;
	if (!held) {
		const id = idOf(el);
		// No mark in a name turns round the numbers after it.
		tellText(el ? nametype + ' ' + titleOf(el).replace(BIDI, '\ufffd') + (id < 0 ? '' : moreOf(id, sheet.root)) : ' ');
	}
}

/** Tell of the frame under the pointer, or with `quietly` only remember it. */
export function hover(el, quietly) {
	hovered = el;
	if (!quietly) {
		tell(el);
	}
}

/** Tell again of what is under the pointer. */
export const tellHovered = () => tell(hovered);

/** Fill the details line with a text. */
export function tellText(text) {
	setText(detailsLine, text);
	const leftout = find('#leftout');
	if (leftout) {
		leftout.classList.toggle('hide', text !== ' ');
	}
	makeWay();
}

/** Keep a text in the details line until releaseText(). Return the line. */
export function holdText(text) {
	held = true;
	tellText(text);
	return detailsLine;
}

export function releaseText() {
	held = false;
	tell(told);
}

/** Fill the matched line. */
export function say(text) {
	setText(matchedLine, text);
	announce('said', text);
	makeWay();
}

/** Dim the matched line while long details run into it. */
function makeWay() {
	let room = matchedLine.getAttribute('x') - detailsLine.getAttribute('x');
	if (detailsLine.getAttribute('y') === matchedLine.getAttribute('y')) {
		for (const c of detailsLine.textContent + matchedLine.textContent) {
			room -= widthOf(c);
		}
	}
	matchedLine.classList.toggle('under', room < 0);
}
