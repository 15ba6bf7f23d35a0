/** Walk: arrow keys move the focus to the frame that is drawn in that direction. */
import { inverted } from './picture.js';
import { callerAt, isInside, load, model } from './model.js';
import { flipped } from './draw.js';
import { elementOf, idOf, view } from './view.js';
import { addKeys } from './keys.js';
import { focusFrame } from './focus.js';
import { zoom } from './zoom.js';

addKeys('ArrowUp ArrowDown ArrowLeft ArrowRight', 'arrows', 'move from frame to frame', (el, name) => {
	load();
	const from = idOf(el);
	if (from >= 0) {
		focusFrame(name === 'ArrowLeft' || name === 'ArrowRight' ? siblingOf(from, name === 'ArrowLeft' ? -1 : 1) :
			name === (inverted !== flipped ? 'ArrowDown' : 'ArrowUp') ? drawnCalleeOf(from) :
			from ? model.caller[from] : -1);
	}
}, el => el);

/** Return the nearest drawn frame to the left (-1) or right (1) with the same caller; -1 if there is none. */
function siblingOf(from, by) {
	const { start, caller } = model, isAfter = (i, other) => by * Number(start[i] - start[other]) > 0;
	let nearest = -1;
	for (const i of view.ids) {
		if (i > 0 && caller[i] === caller[from] && isAfter(i, from) && (nearest < 0 || isAfter(nearest, i))) {
			nearest = i;
		}
	}
	return nearest;
}

/** Return the frame that calleeOf() returns. Zoom first if this frame is not drawn. */
function drawnCalleeOf(from) {
	const to = calleeOf(from);
	for (const root of [from, to]) {
		if (to >= 0 && !elementOf(to)) {
			zoom(root);
		}
	}
	return to;
}

/** Return the widest callee of a frame, or -1 if it has no callee. For a caller of the view's root, return the callee that leads to this
 * root. */
function calleeOf(i) {
	const { total, next, depth } = model;
	if (i < view.root && isInside(view.root, i)) {
		return callerAt(view.root, depth[i] + 1);
	}
	let widest = -1;
	for (let callee = i + 1; callee < next[i]; callee = next[callee]) {
		if (total[callee] > 0 && (widest < 0 || total[callee] > total[widest])) {
			widest = callee;
		}
	}
	return widest;
}
