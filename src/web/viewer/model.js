/**
 * The model: the profile as columns, in which a frame is a number. The model is made from the
 * embedded profile or, without one, from the frames in the file. It is made as soon as it is
 * needed, or shortly after the picture is on the screen.
 *
 * Frames are in preorder: the root is 0, and the frames that frame `i` called follow it, up to frame `next[i]`. Values of
 * `start` never decrease.
 *
 * n                   the number of frames
 * depth, caller       by frame: its level above the root, and its caller; the root is its own caller
 * next                by frame: the first frame after it that is not one of its callees, direct or indirect
 * name, names         by frame: the number of its name; by number: the name
 * total, start        by frame: its total, which is the width of its box, and the count to the left of its box
 *
 * Only an embedded profile has these columns:
 * self                by frame: its self count, without its callees
 * hidden              by frame: the count of its callees that are not in the file
 * changed, delta      by frame: 1 if it grew, 2 if it shrank, 0 if neither; and by how much. `largest` is the largest delta
 * before, after       in a comparison: objects with the columns `self` and `total` of each profile; `compared` has the scale
 * colours, functions  by name: the fill, and the attributes
 * marks, kinds        by name: the letter of a mark such as _[k] at its end, and the letter of the kind of code in the input
 * unseen              by name: the count of its frames that are not in the file
 * factor, negate, diffusion   options
 */
import { announce } from './events.js';
import { fail } from './unpacking.js';
import { countColumn, number, setWhole, whole } from './counts.js';
import { compared, find, levelOf, nameIn, rootElement, startOf, totalOf } from './picture.js';
import { unpack } from './unpack.js';

export let model = null;
export let fileModel = null;  // the model of the file; `model` may be made from it

/** Make the model, unless it is made already. */
export function load() {
	if (model) {
		return;
	}
	const data = find('#profile');
	try {
		model = arrange(data && rootElement ? unpack(data) : collect());
	} catch (e) {
		announce('unreadable', e.message);
		model = arrange(collect());
	}
	fileModel = model;
	announce('load');
}

/** Make the model of other columns, which arrange() has completed; null stands for those of the file. */
export function setModel(columns) {
	setWhole(fileModel.total[0]);
	model = columns || fileModel;
	setWhole(model.total[0]);
	announce('model');
}

/** Return the columns of the frames in the file. */
function collect() {
	const list = Array.from(find('#frames').children, el => ({ el: el, start: startOf(el), total: totalOf(el), depth: levelOf(el) }))
		.filter(frame => frame.total > 0 || frame.el === rootElement)
		.sort((a, b) => a.start < b.start ? -1 : a.start > b.start ? 1 : a.depth - b.depth);
	// Do not find the root by its empty name: other frames may have an empty name, too.
	const n = list.length, ids = new Map([[rootElement, 0]]);
	const columns = { n: n, depth: Uint32Array.from(list, frame => frame.depth), name: new Uint32Array(n),
		total: countColumn(n), start: countColumn(n), functions: new Map() };
	list.forEach((frame, i) => {
		const name = frame.el === rootElement ? rootElement : nameIn(frame.el);
		ids.set(name, columns.name[i] = ids.has(name) ? ids.get(name) : ids.size);
		columns.total[i] = frame.total;
		columns.start[i] = frame.start;
	});
	columns.names = Array.from(ids.keys(), name => name === rootElement ? '' : name);
	return columns;
}

/** Add the columns that are computed from other columns. */
export function arrange(columns) {
	linkFrames(columns);
	if (!columns.total) {
		addTotals(columns);
	}
	for (const side of columns.compared ? [columns.before, columns.after] : []) {
		addUp(columns, side.total, side.self);
	}
	if (columns.n && !fileModel) {
		columns.total[0] = whole;  // --total may be more than the sum
	}
	if (!columns.start) {
		addStarts(columns);
	}
	return columns;
}

function linkFrames(columns) {
	const { n, depth, name, names } = columns, path = [];
	const caller = columns.caller = new Uint32Array(n), next = columns.next = new Uint32Array(n);
	for (let i = 0; i < n; i++) {
		if (i ? !(depth[i] && depth[i] <= depth[i - 1] + 1 && names[name[i]] !== undefined) : depth[0]) {
			fail();
		}
		path[depth[i]] = i;
		caller[i] = i && path[depth[i] - 1];
		next[i] = i + 1;
	}
	for (let i = n - 1; i > 0; i--) {
		next[caller[i]] = Math.max(next[caller[i]], next[i]);
	}
}

/** Compute the total of each frame: its `self` count and the totals of its callees. */
function addUp({ n, caller }, totals, self) {
	for (let i = n - 1; i >= 0; i--) {
		totals[i] += self[i];
		totals[caller[i]] += i ? totals[i] : number(0);
	}
}

function addTotals(columns) {
	columns.total = columns.hidden ? columns.hidden.slice() : countColumn(columns.n);
	addUp(columns, columns.total, columns.self);
}

function addStarts(columns) {
	const { n, depth, total, self, gaps } = columns, ends = [];
	const start = columns.start = countColumn(n);
	for (let i = 0; i < n; i++) {
		const x = start[i] = !i ? number(0) : gaps ? ends[depth[i]] + gaps[i] : ends[depth[i]];
		ends[depth[i]] = x + total[i];
		ends[depth[i] + 1] = gaps ? x : x + self[i];
	}
}

/** Return whether two profiles are compared: the two profiles of the file, or in a page, two spans or threads. */
export const isCompared = () => model ? Boolean(model.compared) : compared;

// --- Looking up. The model must have been made

export const nameOf = i => i ? model.names[model.name[i]] : 'all';

/** Return whether frame `i` is frame `of` or one of its callees, direct or indirect. */
export const isInside = (i, of) => i >= of && i < model.next[of];

/** Return the last frame that starts before a count. */
export function lastBefore(place) {
	let low = 0, high = model.n;
	while (low + 1 < high) {
		const middle = low + high >> 1;
		if (model.start[middle] < place) {
			low = middle;
		} else {
			high = middle;
		}
	}
	return low;
}

/** Return the ancestor of frame `i` on a level, or the frame itself if it is on that level or nearer to the root. */
export function callerAt(i, level) {
	while (model.depth[i] > level) {
		i = model.caller[i];
	}
	return i;
}

/** Return the frame of a level that starts at a count, or -1. */
export function locate(level, place) {
	const i = model.n ? callerAt(lastBefore(place + number(1)), level) : 0;
	return i < model.n && model.depth[i] === level && model.start[i] === place && model.total[i] > 0 ? i : -1;
}

/** Return the callers of a frame, from the root. */
export function callersOf(i) {
	const callers = [];
	for (; i; i = model.caller[i]) {
		callers.unshift(model.caller[i]);
	}
	return callers;
}
