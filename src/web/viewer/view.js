/**
 * Views: sets of elements for frames. Only one view is shown at a time. The frames of the file are
 * the home view. Every zoom draws a new view of the frames that are wide enough to be seen, which
 * replaces the previous view.
 *
 * el                     the svg element that contains the elements
 * els, ids               the elements, and in the same order the frames that they show (-1: none); `ids` is null without a model
 * fills, lit             by element: its fill if it matches no search, and 1 if it matches
 * root, callers          the frame that is as wide as the picture; the number of its callers, whose elements come first
 * deepest                the highest level of the view's frames
 * range                  the shown part of `root`: the share at which the part begins, and its size as a share; null: all of `root`
 * flipped, width         the values for which the view was drawn
 */
import { on, announce } from './events.js';
import { find, levelOf, rectOf, startOf } from './picture.js';
import { fileModel, locate, model } from './model.js';

export let home = null;   // the view of all frames
export let view = null;  // the view that is shown
let makeHome = null;       // draws the home view when it is first shown
let viewInFile = null;     // the view of the file

on('start', () => {
	const el = find('#frames');
	viewInFile = home = view = { el: el, els: Array.from(el.children), ids: null, root: 0, range: null, callers: 0, deepest: 0, flipped: false };
	home.width = widthNow();
});

on('load', () => {
	home.ids = Int32Array.from(home.els, el => locate(levelOf(el), startOf(el)));
	home.at = new Map();  // by frame: its index in the arrays
	home.ids.forEach((id, at) => home.at.set(id, at));
	home.fills = home.els.map(el => rectOf(el).getAttribute('class') || rectOf(el).getAttribute('fill') || '');
	home.colours = new Map();  // by shade: a colour from the file
	home.fills.forEach((fill, at) => home.colours.set(fill, rectOf(home.els[at]).getAttribute('fill')));
	home.lit = new Uint8Array(home.els.length);
});

/** Return the width of the whole drawing in px. */
export const widthNow = () => Number(view.el.getAttribute('width'));

function idOn(some, el) {
	const at = some.ids && el ? some.els.indexOf(el) : -1;
	return at < 0 ? -1 : some.ids[at];
}

/** Return the frame of an element, or -1 if the element has no frame. An element of the file keeps
 * its frame after load() has drawn the frame again. */
export function idOf(el) {
	const id = idOn(view, el);
	return id < 0 && model === fileModel ? idOn(viewInFile, el) : id;
}

/** Return the element of a frame; or null if the view has no element for it. */
export const elementOf = id => id < 0 || !view.ids ? null : view.els[view.ids.indexOf(id)] || null;

/** Return the element of the frame that contains an element, or null. */
export function frameAt(el) {
	while (el && el.parentNode !== view.el) {
		el = el.parentNode;
	}
	return el && el.localName !== 'path' ? el : null;
}

/** Return the element of the frame that has the focus, or null. */
export const focusedFrame = () => view.els.includes(document.activeElement) ? document.activeElement : null;

/** Make another view the home view, without showing it. `make()`, if given, draws a more complete home view when the home view is first
 * shown. */
export function setHome(to, make = null) {
	home = to;
	makeHome = make;
}

/** Return the complete home view, to show it. */
export function wholeView() {
	if (makeHome) {
		setHome(makeHome());
	}
	return home;
}

/** Show another view instead of the current one; with `isOther`, the new view shows another model. */
export function swap(to, isOther) {
	const from = view, had = focusedFrame();
	to.el.setAttribute('width', from.el.getAttribute('width'));
	from.el.replaceWith(to.el);
	view = to;
	announce('swap', el => isOther ? null : elementOf(idOn(from, el)), isOther && had ? 0 : idOn(from, had));
}
