/**
 * Sheets: sets of frames as elements, of which one is shown. The frames of the file are the home sheet. Every zoom draws
 * another, of the frames that are wide enough to be seen, and puts it in the place of the one before.
 *
 * el                     the svg element that holds them
 * els, ids               elements, and in the same order the frames they show (-1: none; null until there is a model)
 * fills, lit             their fills while they match no search; 1 for those that match
 * root, callers          the frame that is as wide as the picture; how many of the first elements are its callers
 * deepest                the highest level on it
 * flipped, width         how it was drawn
 */
import { on, announce } from './events.js';
import { find, levelOf, rectOf, startOf } from './picture.js';
import { locate } from './model.js';

export let home = null;   // the sheet of the file
export let sheet = null;  // the one that is shown

on('start', () => {
	const el = find('#frames');
	home = sheet = { el: el, els: Array.from(el.children), ids: null, root: 0, callers: 0, deepest: 0, flipped: false };
	home.width = widthNow();
});

on('load', () => {
	home.ids = Int32Array.from(home.els, el => locate(levelOf(el), startOf(el)));
	home.at = new Map();  // by frame: its place in the arrays
	home.ids.forEach((id, at) => home.at.set(id, at));
	home.fills = home.els.map(el => rectOf(el).getAttribute('fill') || rectOf(el).getAttribute('class') || '');
	home.lit = new Uint8Array(home.els.length);
});

/** Return the width of the frames in px. */
export const widthNow = () => Number(sheet.el.getAttribute('width'));

function idOn(some, el) {
	const at = some.ids && el ? some.els.indexOf(el) : -1;
	return at < 0 ? -1 : some.ids[at];
}

/** Return the frame of an element, -1 if there is none. */
export const idOf = el => idOn(sheet, el);

/** Return the element of a frame, null if the sheet has none. */
export const elementOf = id => id < 0 ? null : sheet.els[sheet.ids.indexOf(id)] || null;

/** Return the element of the frame that an element belongs to, or null. */
export function frameAt(el) {
	while (el && el.parentNode !== sheet.el) {
		el = el.parentNode;
	}
	return el && el.localName !== 'path' ? el : null;
}

/** Return the element that has the focus if it is a frame's. */
export const focusedFrame = () => sheet.els.includes(document.activeElement) ? document.activeElement : null;

/** Show another sheet in the place of this one. */
export function swap(to) {
	const from = sheet, had = focusedFrame();
	to.el.setAttribute('width', from.el.getAttribute('width'));
	from.el.replaceWith(to.el);
	sheet = to;
	announce('swap', el => elementOf(idOn(from, el)), idOn(from, had));
}
