/**
 * Merge: the tree of a function's callers and the tree of its callees, merged over all of its
 * frames. A node is made only if it is wide enough to be seen.
 *
 * A node is { id, total, at, of, above, counts }: the function; its count; its frames in the model;
 * for each frame, the frame whose count is used; the parent node; and the column of counts. The
 * column has self counts, or totals, in which only the outermost frame of a recursive function
 * counts.
 */
import { on } from '../viewer/events.js';
import { model } from '../viewer/model.js';
import { selfCounts } from './derive.js';
import { functionsByName, outermost } from './functions.js';

// Scratch memory of mergeNext(): `sums` and `sizes` by function, which are 0 between two calls, and
// `at` and `of`, with room for all frames.
let mergeRoom = null;

on('model', () => {
	mergeRoom = null;
});

function makeMergeRoom() {
	const { n, names } = model;
	mergeRoom = { sums: new Float64Array(names.length), sizes: new Uint32Array(names.length), at: new Uint32Array(n), of: new Uint32Array(n) };
}

/** Return the node of a function. */
export function nodeOf(id) {
	const { n, name, total } = model, by = functionsByName(), outer = outermost(), frames = [];
	let sum = 0;
	for (let i = 1; i < n; i++) {
		if (outer[i] && by[name[i]] === id) {
			frames.push(i);
			sum += Number(total[i]);
		}
	}
	const at = Uint32Array.from(frames);
	return { id: id, total: sum, at: at, of: at, above: null, counts: total };
}

/** Return the node of the root. */
export function rootNode() {
	const at = Uint32Array.of(0), { total, name } = model;
	return { id: name[0], total: Number(total[0]), at: at, of: at, above: null, counts: total };
}

/** Return the nodes of all functions with a self count, the heaviest first. The callers of such a node have its self count. */
export function selfNodes() {
	const { n, name } = model, by = functionsByName(), self = selfCounts(model), found = new Map();
	for (let i = 1; i < n; i++) {
		if (Number(self[i]) > 0) {
			const id = by[name[i]], node = found.get(id) || { id: id, total: 0, at: [], above: null, counts: self };
			found.set(id, node);
			node.total += Number(self[i]);
			node.at.push(i);
		}
	}
	for (const node of found.values()) {
		node.of = node.at = Uint32Array.from(node.at);
	}
	return heaviestFirst(found);
}

const heaviestFirst = nodes => Array.from(nodes.values()).sort((a, b) => b.total - a.total || a.id - b.id);

/** Put the callees of a node's frames into `mergeRoom`, and return their number. */
function findCallees(node) {
	const { next } = model, { at, of } = mergeRoom;
	let size = 0;
	for (const i of node.at) {
		for (let callee = i + 1; callee < next[i]; callee = next[callee]) {
			at[size] = of[size] = callee;
			size++;
		}
	}
	return size;
}

/** Put the callers of a node's frames, except the root, into `mergeRoom`, and return their number. */
function findCallers(node) {
	const { caller } = model, { at, of } = mergeRoom;
	let size = 0;
	for (let k = 0; k < node.at.length; k++) {
		const to = caller[node.at[k]];
		if (to) {
			at[size] = to;
			of[size++] = node.of[k];
		}
	}
	return size;
}

/** Add up the first `size` frames in `mergeRoom` by function. Return the functions. */
function sumRoom(size, counts) {
	const { at, of, sums, sizes } = mergeRoom, { name } = model, by = functionsByName(), met = [];
	for (let k = 0; k < size; k++) {
		const id = by[name[at[k]]];
		if (!sizes[id]++) {
			met.push(id);
		}
		sums[id] += Number(counts[of[k]]);
	}
	return met;
}

/** Give the first `size` frames in `mergeRoom` to the nodes of their functions; `wide` has the nodes, by function. */
function shareOut(size, wide, isUp) {
	const { at, of, sizes } = mergeRoom, { name } = model, by = functionsByName(), nodes = wide.size;
	for (let k = 0; nodes && k < size; k++) {
		const id = by[name[at[k]]], to = sizes[id] && wide.get(id);
		if (to) {
			to.at[--sizes[id]] = at[k];
			if (isUp) {
				to.of[sizes[id]] = of[k];
			}
		}
	}
}

/** Return nodes for a node's callers or callees with a count of at least `least`, the heaviest first, and the sum of the other counts. */
export function mergeNext(node, isUp, least) {
	if (!mergeRoom) {
		makeMergeRoom();
	}
	const size = isUp ? findCallers(node) : findCallees(node), met = sumRoom(size, node.counts), wide = new Map(), { sums, sizes } = mergeRoom;
	let rest = 0;
	for (const id of met) {
		if (sums[id] >= least && sums[id] > 0) {
			const at = new Uint32Array(sizes[id]);
			wide.set(id, { id: id, total: sums[id], at: at, of: isUp ? new Uint32Array(at.length) : at, above: node, counts: node.counts });
		} else {
			rest += sums[id];
			sizes[id] = 0;
		}
		sums[id] = 0;
	}
	shareOut(size, wide, isUp);
	return { nodes: heaviestFirst(wide), rest: rest };
}

/** Return the sum of a column over the frames whose counts a node has. */
export const sumOf = (node, column) => node.of.reduce((sum, i) => sum + Number(column[i]), 0);
