/** Zoom: shows a frame as wide as the picture. */
import { announce, on } from './events.js';
import { number, whole } from './counts.js';
import { alone, inverted, rootElement, rootTop, rowHeight } from './picture.js';
import { load, locate, model } from './model.js';
import { draw, flipped } from './draw.js';
import { elementOf, swap, view, wholeView } from './view.js';
import { scrollToFrame } from './bars.js';
import { addControl } from './controls.js';
import { change, keepWords, state } from './state.js';
import { findPath, nameOfPath } from './paths.js';
import { focusFrame } from './focus.js';

let unzoomer = null;
let isAsked = false;  // whether the user asked for the zoom; then the picture is not scrolled

on('start', () => {
	unzoomer = addControl('#unzoom', 'Reset zoom', unzoom);
});
keepWords(['z', 'p'], () => {
	showFrame(zoomedFrame());
	if (view.root && !view.range && alone && !isAsked) {
		scrollToRoot();
	}
}, readPlace, ['x', 'y']);

/** Return the frame in the state, or the root if this frame does not exist. */
export const zoomedFrame = () => state.z ? Math.max(findPath(state.z), 0) : 0;

/** Zoom to a frame on the user's request, which can be undone; the root shows all frames. */
export function zoom(to) {
	load();
	announce('act');
	isAsked = true;
	if (to === view.root && !view.range && !state.p) {
		announce('zoom');
	} else if (to >= 0) {
		change({ z: to ? nameOfPath(to) : '', p: '' });
	}
	isAsked = false;
}

export const unzoom = () => zoom(0);

/** Show a frame as wide as the picture. With `passing`, the zoom is only a step on the way from match to match. With `isOther`, the frame
 * belongs to another model. */
export function showFrame(to, passing, isOther) {
	const last = view.root, hadFocus = !to && unzoomer.matches(':focus-visible');
	const range = passing ? null : rangeIn(state.p);
	if (to || last || isOther || range || view.range) {
		swap(to || range ? draw(to, range) : wholeView(), isOther);
		if (hadFocus) {
			focusFrame(last);  // the control has the focus, but will be hidden
		}
	}
	unzoomer.classList.toggle('hide', !to);
	announce('zoom', passing);
}

/** Return the range in a word of the state; or null if the word has no range. */
function rangeIn(word) {
	const [from, part] = (word || '').split('-').map(Number);
	return from >= 0 && part > 0 && part < 1 && from + part <= 1.000001 ? [from, part] : null;
}

/** Scroll to the frame that is as wide as the picture, so that most of the visible frames are its callees. */
export function scrollToRoot() {
	const place = view.root ? 0.75 : 1;
	scrollToFrame(() => view.root ? elementOf(view.root) : elementOf(0) || rootElement, inverted !== flipped ? 1 - place : place);
}

/** Return the path of the frame at a place that the words `x` and `y` name, as in the addresses of other programs. Return '' for the root,
 * and null if no frame is at the place. */
function readPlace({ x, y }) {
	const level = (inverted ? 1 : -1) * (y - rootTop) / rowHeight;
	const isPlace = /^\d+$/.test(x) && model.n && level >= 0 && Number.isInteger(level) && number(x) <= whole;
	const at = isPlace ? locate(level, number(x)) : -1;
	return at > 0 ? nameOfPath(at) : at < 0 ? null : '';
}
