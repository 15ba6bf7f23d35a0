/**
 * Derive: makes columns of new frames from the columns of a model: frames with other callers,
 * without some of the stacks, or in another order. Frames of the same name with the same caller
 * become one.
 */
import { countColumn, number } from '../viewer/counts.js';

/**
 * Return a table of numbers for pairs of small numbers, with room for `most`. slotOf(a, b) returns the place of a pair in `ids`,
 * which has -1 there until put(slot, a, b, id) has given it a number.
 */
function pairTable(most) {
	let size = 16;
	while (size < 2 * most) {
		size *= 2;
	}
	const ids = new Int32Array(size).fill(-1), first = new Int32Array(size), second = new Int32Array(size);
	const slotOf = (a, b) => {
		const mixed = Math.imul(Math.imul(a, 2654435761) + b ^ a >>> 15, 2246822519);
		let slot = (mixed ^ mixed >>> 13) & size - 1;
		while (ids[slot] >= 0 && (first[slot] !== a || second[slot] !== b)) {
			slot = slot + 1 & size - 1;
		}
		return slot;
	};
	return { slotOf: slotOf, ids: ids, put: (slot, a, b, id) => {
		ids[slot] = id;
		first[slot] = a;
		second[slot] = b;
	} };
}

/**
 * Return a tree with only a root, to which calleeNamed() adds frames. The root has the number 0 and the name of the source's root.
 */
function newTree(source) {
	const most = source.n + 1;
	return { n: 1, caller: new Int32Array(most), name: new Int32Array(most).fill(source.name[0], 0, 1), pairs: pairTable(most) };
}

/** Return the callee with that name, adding it if it is new. */
function calleeNamed(tree, caller, name) {
	const slot = tree.pairs.slotOf(caller, name);
	if (tree.pairs.ids[slot] < 0) {
		tree.pairs.put(slot, caller, name, tree.n);
		tree.caller[tree.n] = caller;
		tree.name[tree.n] = name;
		tree.n++;
	}
	return tree.pairs.ids[slot];
}

/** Return the sums of a column by frame of the tree, where `to[i]` is the tree's frame for frame i,
 * or -1 to leave it out. */
function gather(tree, column, to) {
	const sums = new (column.constructor)(tree.n);
	for (let i = 0; i < column.length; i++) {
		if (to[i] >= 0) {
			sums[to[i]] += column[i];
		}
	}
	return sums;
}

/** Return the total of each frame of a tree: the sum of its counts and of those of its callees. */
function totalsOf(tree, columns) {
	const totals = new Float64Array(tree.n), { caller } = tree;
	for (const column of columns) {
		for (let i = 0; i < tree.n; i++) {
			totals[i] += Number(column[i]);
		}
	}
	for (let i = tree.n - 1; i > 0; i--) {
		totals[caller[i]] += totals[i];
	}
	return totals;
}

/** Sort the linked list of callees that begins with `head` by their totals, the heaviest first.
 * Return the new head. */
function heaviestLinked(head, after, totals) {
	const callees = [];
	for (let at = head; at >= 0; at = after[at]) {
		callees.push(at);
	}
	callees.sort((a, b) => totals[b] - totals[a] || a - b).forEach((at, k) => {
		after[at] = k + 1 < callees.length ? callees[k + 1] : -1;
	});
	return callees[0];
}

/** Return the frames of a tree whose total is not 0, in preorder. With `heavy`, the heaviest
 * callees come first. */
function orderOf(tree, totals, heavy) {
	const first = new Int32Array(tree.n).fill(-1), after = new Int32Array(tree.n).fill(-1), { caller } = tree;
	let size = 1;
	for (let i = tree.n - 1; i > 0; i--) {
		if (totals[i] > 0) {
			after[i] = first[caller[i]];
			first[caller[i]] = i;
			size++;
		}
	}
	for (let i = 0; heavy && i < tree.n; i++) {
		if (first[i] >= 0 && after[first[i]] >= 0) {
			first[i] = heaviestLinked(first[i], after, totals);
		}
	}
	const order = new Uint32Array(size);
	for (let at = 0, i = 0; at < size; at++) {
		order[at] = i;
		let next = first[i];
		for (; next < 0 && i > 0; i = caller[i]) {
			next = after[i];
		}
		i = next;
	}
	return order;
}

function pick(column, order) {
	const picked = new (column.constructor)(order.length);
	for (let at = 0; at < order.length; at++) {
		picked[at] = column[order[at]];
	}
	return picked;
}

/** Put the columns of a comparison into the new order, and compute the widths. */
function addSides(columns, source, tree, to, order) {
	for (const side of ['before', 'after']) {
		columns[side] = { self: pick(gather(tree, source[side].self, to), order), total: countColumn(order.length) };
	}
	const { scale } = source.compared;
	columns.self = columns.after.self.map((count, i) => {
		const before = number(Math.round(scale * Number(columns.before.self[i])));
		return count > before ? count : before;
	});
}

function addDeltas(columns, source, tree, to, order) {
	const signed = source.delta.map((delta, i) => source.changed[i] === 2 ? -delta : delta);
	const sums = pick(gather(tree, signed, to), order);
	columns.changed = Uint8Array.from(sums, delta => delta < 0 ? 2 : 1);
	columns.delta = sums.map(Math.abs);
	columns.largest = columns.delta.reduce((a, b) => Math.max(a, b), 1);
}

/** Return the self counts of frames. Without an embedded profile, compute a frame's self count as its total minus the totals of its
 * callees. */
export function selfCounts({ n, self, caller, total }) {
	if (self) {
		return self;
	}
	const rest = total.slice();
	for (let i = 1; i < n; i++) {
		rest[caller[i]] -= total[i];
	}
	return rest;
}

/** Return, for each frame of the file, the new frame that contains its self count, or -1 if the
 * frame is left out. */
function followed(source, tree, to, order) {
	const at = new Int32Array(tree.n).fill(-1), before = source.countsAt, result = new Int32Array(before ? before.length : to.length);
	for (let place = 0; place < order.length; place++) {
		at[order[place]] = place;
	}
	for (let k = 0; k < result.length; k++) {
		const i = before ? before[k] : k;
		result[k] = i < 0 || to[i] < 0 ? -1 : at[to[i]];
	}
	return result;
}

/** Return a tree of the frames that `place()` makes, and where the frames of the source are in it. */
function placed(source, place) {
	const tree = newTree(source), add = (caller, name) => calleeNamed(tree, caller, name), to = new Int32Array(source.n);
	for (let i = 1; i < source.n; i++) {
		to[i] = place(i, to[source.caller[i]], add);
	}
	return [tree, to];
}

/** Return the same two values as placed(), for the case that all frames keep their callers. */
function unmoved({ n, caller, name }) {
	const to = new Int32Array(n);
	for (let i = 1; i < n; i++) {
		to[i] = i;
	}
	return [{ n: n, caller: caller, name: name }, to];
}

/**
 * Return columns for setModel(). `place(i, caller, add)` returns the new frame for frame `i` of the
 * source. `caller` is the new frame of its caller. The result of `place()` is a frame from
 * add(caller, name). If the result is `caller`, the frame is left out, but its count is kept. If
 * the result is -1, the frame and its count are left out. Without `place`, all frames keep their
 * callers, and frames without a count are removed. `names` may have more names than the source;
 * `heavy` puts the heaviest callees first.
 */
export function derive(source, place, { names, colours, heavy } = {}) {
	const [tree, to] = place ? placed(source, place) : unmoved(source);
	const sides = source.compared ? [source.before.self, source.after.self] : [source.self];
	const counted = sides.concat(source.hidden || []).map(column => gather(tree, column, to));
	const order = orderOf(tree, totalsOf(tree, counted), heavy), depths = new Uint32Array(tree.n);
	for (let i = 1; i < tree.n; i++) {
		depths[i] = depths[tree.caller[i]] + 1;
	}
	const columns = { ...source, n: order.length, countsAt: followed(source, tree, to, order), names: names || source.names, colours: colours || source.colours,
		depth: pick(depths, order), name: new Uint32Array(pick(tree.name, order)),
		self: pick(counted[0], order), hidden: source.hidden && pick(counted[counted.length - 1], order),
		total: null, start: null, gaps: null };
	if (source.compared) {
		addSides(columns, source, tree, to, order);
	}
	if (source.changed) {
		addDeltas(columns, source, tree, to, order);
	}
	return columns;
}
