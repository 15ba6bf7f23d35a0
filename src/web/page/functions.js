/**
 * Functions: what each function counts in the frames that are shown. They are columns by the number of a name; a function that
 * calls itself counts once, where it is outermost. Names that differ only in what a viewer does not show, such as `_[k]`, are one function:
 * the first of them stands for all.
 *
 * ids           the functions that have frames
 * frames        how many frames each has
 * self, total   its self count, and with that of its callees
 * before, after   in a comparison: the same of both profiles, each with `self` and `total`
 */
import { on } from '../viewer/events.js';
import { port } from '../viewer/picture.js';
import { model } from '../viewer/model.js';
import { selfCounts } from './derive.js';

const isReversed = port && 'reversed' in port.dataset;
let functionSums = null;
let functionIds = null;

on('model', () => {
	functionSums = functionIds = null;
});

/** Return the columns. The model must have been made. */
export function functionsNow() {
	functionSums = functionSums || countFunctions();
	return functionSums;
}

/** Return the number of the function for each number of a name. */
export function functionsByName() {
	if (!functionIds) {
		const firsts = new Map();
		functionIds = Uint32Array.from(model.names, (text, id) => {
			if (!firsts.has(text)) {
				firsts.set(text, id);
			}
			return firsts.get(text);
		});
	}
	return functionIds;
}

/** Return which frames have no caller of the same function: 1 for each. */
export function outermost() {
	const { n, name, next } = model, past = new Uint32Array(model.names.length), result = new Uint8Array(n), ids = functionsByName();
	for (let i = 1; i < n; i++) {
		const id = ids[name[i]];
		if (i >= past[id]) {
			past[id] = next[i];
			result[i] = 1;
		}
	}
	return result;
}

/** Return the sums of a column by function, of all frames or of those with `counts[i]`. */
function sumByFunction(column, counts) {
	const { n, name } = model, sums = new Float64Array(model.names.length), by = functionsByName();
	for (let i = 1; i < n; i++) {
		if (!counts || counts[i]) {
			sums[by[name[i]]] += Number(column[i]);
		}
	}
	return sums;
}

/** Return the sums of self counts. After --reverse, the frames on the root are the leaves of the stacks, so their totals are these. */
function sumSelf({ self, total }) {
	return isReversed ? sumByFunction(total, model.depth.map(depth => Number(depth === 1))) : sumByFunction(self);
}

function countFunctions() {
	const { n, name, names, total } = model, outer = outermost(), frames = new Uint32Array(names.length), ids = [];
	const by = functionsByName();
	for (let i = 1; i < n; i++) {
		if (!frames[by[name[i]]]++) {
			ids.push(by[name[i]]);
		}
	}
	const result = { ids: Uint32Array.from(ids), frames: frames, self: sumSelf({ self: selfCounts(model), total: total }), total: sumByFunction(total, outer) };
	for (const side of model.compared ? ['before', 'after'] : []) {
		result[side] = { self: sumSelf(model[side]), total: sumByFunction(model[side].total, outer) };
	}
	return result;
}
