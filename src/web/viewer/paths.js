/** Paths: a name for each frame, made from the functions on its path, so that an address works in other profiles, too. */
import { on } from './events.js';
import { model } from './model.js';

let pathOf = null;  // returns the hash of a frame's path

on('model', () => {
	pathOf = null;
});

/** Hash the path of every frame, unless that is done. */
export function hashPaths() {
	if (pathOf) {
		return;
	}
	const [low, high] = [16777619, 2246822519].map(hashColumn);
	pathOf = i => (high[i] & 2097151) * 4294967296 + (low[i] >>> 0);
}

/** Return a hash of every path; `by` is an odd factor. */
function hashColumn(by) {
	const { n, caller, name } = model;
	const hashes = model.names.map(text => hashText(text, by)), column = new Int32Array(n);
	for (let i = 1; i < n; i++) {
		column[i] = Math.imul(column[caller[i]] + hashes[name[i]], by) ^ column[caller[i]] >>> 15;
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

/** Return the name of a frame: the hash of its path, and a number unless it is the first frame with that path. */
export function nameOfPath(i) {
	hashPaths();
	const wanted = pathOf(i);
	let others = 0;
	if (hasTwins(i)) {
		for (let at = 1; at < i; at++) {
			others += pathOf(at) === wanted && model.total[at] > 0;
		}
	}
	return wanted.toString(36) + (others ? '.' + others : '');
}

/** Return the frame with that name, -1 if there is none. */
export function findPath(text) {
	hashPaths();
	const [hash, which] = text.split('.'), wanted = parseInt(hash, 36);
	let others = Number(which || 0);
	for (let i = 1; i < model.n; i++) {
		if (pathOf(i) === wanted && model.total[i] > 0 && !others--) {
			return i;
		}
	}
	return -1;
}
