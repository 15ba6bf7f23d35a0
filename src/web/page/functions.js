/**
 * Functions: the counts of each function in the frames that are shown. The counts are columns,
 * indexed by the number of a name. The total of a function that calls itself includes only its
 * outermost frames. The viewer does not show marks such as `_[k]`. Names that differ only in a mark are one function, with the id of the
 * first name.
 *
 * ids           the functions that have frames
 * frames        by function: the number of its frames
 * self, total   by function: its self count, and its total, which includes its callees
 * before, after   in a comparison, for each profile: an object with the columns `self` and `total`
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
	functionIds = functionIds || firstsOf(model.names);
	return functionIds;
}

/** Return, for each text, the index of the first equal text. */
function firstsOf(texts) {
	const firsts = new Map();
	return Uint32Array.from(texts, (text, id) => {
		if (!firsts.has(text)) {
			firsts.set(text, id);
		}
		return firsts.get(text);
	});
}

/** Return 1 for each frame without a caller of the same function, 0 for the others. */
export function outermost({ n, name, next, names } = model, by = functionsByName()) {
	const past = new Uint32Array(names.length), result = new Uint8Array(n);
	for (let i = 1; i < n; i++) {
		const id = by[name[i]];
		if (i >= past[id]) {
			past[id] = next[i];
			result[i] = 1;
		}
	}
	return result;
}

/**
 * Return the counts of functions, as the columns `self` and `total`. The parameters `self` and `total` are the counts of the frames. After
 * --reverse, the frames just above the root are the leaves of the stacks, so their totals are the self counts.
 */
export function sumFunctions(frames, self, total) {
	const { n, name, depth, names } = frames, by = names === model.names ? functionsByName() : firstsOf(names);
	const outer = outermost(frames, by), sums = { self: new Float64Array(names.length), total: new Float64Array(names.length) };
	for (let i = 1; i < n; i++) {
		const id = by[name[i]];
		sums.self[id] += isReversed ? (depth[i] === 1) * Number(total[i]) : Number(self[i]);
		sums.total[id] += outer[i] * Number(total[i]);
	}
	return sums;
}

function countFunctions() {
	const { n, name, names, total } = model, frames = new Uint32Array(names.length), ids = [], by = functionsByName();
	for (let i = 1; i < n; i++) {
		if (!frames[by[name[i]]]++) {
			ids.push(by[name[i]]);
		}
	}
	const result = { ids: Uint32Array.from(ids), frames: frames, ...sumFunctions(model, selfCounts(model), total) };
	for (const side of model.compared ? ['before', 'after'] : []) {
		result[side] = sumFunctions(model, model[side].self, model[side].total);
	}
	return result;
}
