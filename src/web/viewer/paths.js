/** Paths: a name for each frame, made from the functions on its path, so that an address works in other profiles, too. */
import { on } from './events.js';
import { callersOf, model, nameOf } from './model.js';

const FACTORS = [16777619, 2246822519];  // odd factors for the two hashes
let columns = null;  // two hashes of the path of every frame
let last = null;     // the last named frame, { i, text }, which saves a search when this frame is shown

on('model', () => {
	columns = last = null;
});

const joined = (low, high) => (high & 2097151) * 4294967296 + (low >>> 0);
const step = (hash, text, by) => Math.imul(hash + text, by) ^ hash >>> 15;

/** Return the hash of a frame's path. */
const hashOf = i => joined(...FACTORS.map(by =>
	[...callersOf(i).slice(1), i].reduce((hash, at) => step(hash, hashText(nameOf(at), by), by), 0)));

/** Return a function that returns the hash of each frame's path. */
function hashesOfAll() {
	columns = columns || FACTORS.map(hashColumn);
	return i => joined(columns[0][i], columns[1][i]);
}

function hashColumn(by) {
	const { n, caller, name } = model;
	const hashes = model.names.map(text => hashText(text, by)), column = new Int32Array(n);
	for (let i = 1; i < n; i++) {
		column[i] = step(column[caller[i]], hashes[name[i]], by);
	}
	return column;
}

function hashText(text, by) {
	let hash = by;
	for (let i = 0; i < text.length; i++) {
		hash = Math.imul(hash ^ text.charCodeAt(i), by);
	}
	return hash;
}

/** Return whether the frame or one of its callers has an earlier sibling of the same name. */
function hasTwins(i) {
	for (let at = i; at; at = model.caller[at]) {
		for (let twin = model.caller[at] + 1; twin < at; twin = model.next[twin]) {
			if (model.name[twin] === model.name[at]) {
				return true;
			}
		}
	}
	return false;
}

/** Return the name of a frame other than the root: the hash of its path. If other frames before it
 * have the same path, add a number. */
export function nameOfPath(i) {
	const wanted = hashOf(i);
	let others = 0;
	if (hasTwins(i)) {
		const pathOf = hashesOfAll();
		for (let at = 1; at < i; at++) {
			others += pathOf(at) === wanted && model.total[at] > 0;
		}
	}
	last = { i: i, text: wanted.toString(36) + (others ? '.' + others : '') };
	return last.text;
}

/** Return the frame with that name, or -1. */
export function findPath(text) {
	if (last && last.text === text) {
		return last.i;
	}
	const [hash, which] = text.split('.'), wanted = parseInt(hash, 36), pathOf = hashesOfAll();
	let others = Number(which || 0);
	for (let i = 1; i < model.n; i++) {
		if (pathOf(i) === wanted && model.total[i] > 0 && !others--) {
			return i;
		}
	}
	return -1;
}
