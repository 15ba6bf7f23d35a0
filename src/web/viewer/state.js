/**
 * State: the whole view as one object of texts, by word. The user, the address, and the browser's
 * Back and Forward buttons change the state in the same way. The address stores the state. If a
 * word has no text, its part of the view is as in the first view.
 *
 * f, u             filters; the second span or thread, with which that of the filters is compared
 * side, order      the widths in a comparison; the order of callees
 * colour, own      the kind of colours; in a comparison, 1: colours show changes of self counts
 * flip             1: the root is at the other end
 * z, p             the path of the frame that is as wide as the picture; the shown part of this frame, as two shares
 * ic, s            1: the search ignores the case; the pattern of the search
 * fn               the selected function
 * view, table      the shown view, if it is not the graph; on or off: whether the table is shown beside it
 * tree             up: the tree begins with the functions that have self counts, and shows their callers
 * t                the range of times that the time row shows
 * by, sort         self: the table of a comparison has self counts; the column by which the table is sorted
 * kind             the kind of change that the table shows
 * notes            notes of the user; Back and Forward do not change them
 */
import { announce, on } from './events.js';
import { alone } from './picture.js';
import { load } from './model.js';

// The order in which words take effect: frames exist only after the filters, and matches are counted inside of the zoom.
const ORDER = ['f', 'colour', 'own', 'flip', 'z', 's', 'fn', 'view', 'tree', 'table', 'by', 'kind', 'sort', 't', 'notes'];
export const state = {};
const parts = [];    // { words, show, read, also }, in that order
const past = [];     // earlier states, if the browser does not keep them
const LONGEST_UNDO = 5000;  // ms in which the browser surely goes back a step
let isUndoing = false;  // whether the browser is going back a step
let waiting = [];       // functions to call after that

on('start', () => {
	if (alone) {
		window.addEventListener('popstate', onPopState);
	}
});

/**
 * Connect a part of the view with some words of the state. `show()` is called when any of these
 * words has changed. Addresses of other programs may have other words instead, which `also` lists.
 * `read(texts)`, if given, returns the text of the first word for such an address, or null if the
 * other words mean nothing.
 */
export function keepWords(words, show, read, also = []) {
	const place = ORDER.indexOf(words[0]), at = parts.findIndex(part => ORDER.indexOf(part.words[0]) > place);
	parts.splice(at < 0 ? parts.length : at, 0, { words: words, show: show, read: read, also: also });
}

const piecesOf = text => text.slice(1).split('&').filter(Boolean);
const wordOf = piece => piece.split('=')[0];
const isOurs = word => parts.some(({ words, also }) => words.includes(word) || also.includes(word));

/** Return the texts in the address by word: first the words after ?, where other programs write
 * them, then the words after #. */
function readAddress() {
	const texts = {};
	for (const piece of piecesOf(location.search).concat(piecesOf(location.hash))) {
		try {
			texts[wordOf(piece)] = decodeURIComponent(piece.slice(wordOf(piece).length + 1).replace(/\+/g, ' '));
		} catch (e) {
			// This word is not part of the state.
		}
	}
	return texts;
}

/** Return the address of the state. Keep words of the address that are not part of the state. */
function addressNow() {
	const others = text => piecesOf(text).filter(piece => !isOurs(wordOf(piece)));
	const query = others(location.search), hash = others(location.hash);
	for (const word of parts.flatMap(part => part.words)) {
		if (state[word]) {
			hash.push(word + '=' + encodeURIComponent(state[word]).replace(/%2C/g, ','));
		}
	}
	return location.href.replace(/[?#][^]*/, '') + (query.length ? '?' + query.join('&') : '') +
		(hash.length ? '#' + hash.join('&') : '');
}

/** Show the state that these texts describe. */
function show(texts) {
	for (const part of parts) {
		const to = part.words.map(word => texts[word] || '');
		to[0] = to[0] || part.read && part.read(texts) || '';
		if (to.some((text, i) => text !== (state[part.words[i]] || ''))) {
			part.words.forEach((word, i) => {
				state[word] = to[i];
			});
			part.show();
		}
	}
}

/** Show the view in the address, if the address has one. */
export function restoreView() {
	const texts = readAddress();
	if (Object.keys(texts).some(isOurs)) {
		load();
		show(texts);
		if (parts.some(({ read, also }) => read && also.every(word => word in texts) && read(texts) !== null)) {
			save(false);
		}
	}
}

function onPopState() {
	if (location.href !== addressNow()) {
		load();
		show(history.state ? { ...readAddress(), notes: state.notes } : readAddress());
		if (history.state) {
			save(false);
		}
		announce('state');
	}
	endUndo();
}

/** Call a function now. If the browser is going back a step, call the function after that, because the browser
 * would also go back from a step that is added meanwhile. */
export function afterUndo(act) {
	if (isUndoing) {
		waiting.push(act);
	} else {
		act();
	}
}

function endUndo() {
	const acts = waiting;
	isUndoing = false;
	waiting = [];
	acts.forEach(afterUndo);
}

/**
 * Change words of the state for an action of the user. The change is a step that can be undone,
 * unless `isStep` is false.
 */
export function change(words, isStep = true) {
	afterUndo(() => {
		load();
		announce('act');
		const before = { ...state };
		show({ ...state, ...words });
		keep(before, isStep);
	});
}

/** Put words into the state whose effects are shown already. */
export function record(words, isStep = true) {
	if (isUndoing) {
		change(words, isStep);  // the browser's step will hide the effects
		return;
	}
	const before = { ...state };
	Object.assign(state, words);
	keep(before, isStep);
}

function keep(before, isStep) {
	const isOther = Object.keys(state).some(word => (state[word] || '') !== (before[word] || ''));
	if (isOther && !save(isStep && alone) && isStep) {
		past.push(before);
	}
	announce('state');
}

// Undoing

/** Return how many of our steps the browser can go back. */
const stepsBack = () => alone && history.state && history.state.steps || 0;

export const canUndo = () => stepsBack() > 0 || past.length > 0 || Boolean(state.z);

/** Undo the last step, as the browser's Back button does. If there is no step, undo a zoom that came with the address. */
export function undo() {
	announce('act');
	if (stepsBack()) {
		isUndoing = true;
		setTimeout(endUndo, LONGEST_UNDO);
		history.back();
	} else {
		const before = past.pop();
		show(before ? { ...before, notes: state.notes } : { ...state, z: '' });
		save(false);
		announce('state');
	}
}

/** Put the state into the address; with `anew`, as a new step of the history. Return whether a step was added. */
function save(anew) {
	try {
		if (anew) {
			if (!history.state) {
				history.replaceState({ steps: 0 }, '');
			}
			history.pushState({ steps: stepsBack() + 1 }, '', addressNow());
		} else {
			history.replaceState(history.state, '', addressNow());
		}
		return anew;
	} catch (e) {
		// The address cannot be changed in a sandboxed frame, or if a text has half a surrogate pair. The picture also works
		// without the address.
		return false;
	}
}
