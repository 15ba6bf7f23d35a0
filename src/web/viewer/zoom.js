/** Zoom: shows a frame as wide as the picture. */
import { announce, on } from './events.js';
import { number, whole } from './counts.js';
import { alone, inverted, rootElement, rootTop, rowHeight } from './picture.js';
import { load, locate, model } from './model.js';
import { draw, flipped } from './draw.js';
import { elementOf, home, view, swap } from './view.js';
import { scrollToFrame } from './bars.js';
import { addControl } from './controls.js';
import { keepInAddress, save, stepsBack } from './address.js';
import { findPath, nameOfPath } from './paths.js';
import { focusFrame } from './focus.js';

const trail = [];  // zooms to go back to if the browser does not keep them
let unzoomer = null;

on('start', () => {
	unzoomer = addControl('#unzoom', 'Reset zoom', unzoom);
});
keepInAddress(['z', 'x', 'y'], () => [view.root && 'z=' + nameOfPath(view.root)], state => {
	const to = addressed(state);
	showFrame(Math.max(to, 0));
	if (view.root && alone) {
		scrollToRoot();
	}
	return to >= 0;
}, true);

/** Zoom to a frame on the user's request, which can be undone; the root shows all frames. */
export function zoom(to) {
	load();
	const last = view.root;
	if (to === last) {
		announce('zoom');
	} else if (to >= 0) {
		showFrame(to);
		if (!save(alone)) {
			trail.push(last);
		}
	}
}

export const unzoom = () => zoom(0);

/** Show a frame as wide as the picture; `passing`: only on the way from match to match. */
export function showFrame(to, passing) {
	const last = view.root, hadFocus = !to && unzoomer.matches(':focus-visible');
	if (to || last) {
		swap(to ? draw(to) : home);
		if (hadFocus) {
			focusFrame(last);  // the control is about to be hidden
		}
	}
	unzoomer.classList.toggle('hide', !to);
	announce('zoom', passing);
}

/** Scroll to the frame that is as wide as the picture, so that most of the visible frames are its callees. */
export function scrollToRoot() {
	const place = view.root ? 0.75 : 1;
	scrollToFrame(() => view.root ? elementOf(view.root) : elementOf(0) || rootElement, inverted !== flipped ? 1 - place : place);
}

export const canUndo = () => view.root || trail.length || stepsBack();

/** Undo a zoom, as the browser's back does; also a zoom that came from the address. */
export function undoZoom() {
	if (stepsBack()) {
		history.back();
	} else {
		showFrame(trail.pop() || 0);
		save(false);
	}
}

/** Return the frame that an address names, by its path or, as other programs write it, by its place; -1 if none. */
function addressed({ z, x, y }) {
	if (z) {
		return findPath(z);
	}
	const level = (inverted ? 1 : -1) * (y - rootTop) / rowHeight;
	return /^\d+$/.test(x) && model.n && level >= 0 && Number.isInteger(level) && number(x) <= whole ? locate(level, number(x)) : -1;
}
