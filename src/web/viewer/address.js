/** Address: keeps the view in the picture's address, so that it can be shared, and for back and forward. */
import { on } from './events.js';
import { alone } from './picture.js';
import { load } from './model.js';

const parts = [];  // of the view: { names, write, read, isStep }

on('start', () => {
	if (alone) {
		window.addEventListener('popstate', onPopState);
	}
});

/**
 * Keep a part of the view in the address, in words such as `s=main`. `names` are the names of the
 * words. `write()` returns the words for the view; false ones are left out. `read(state)` gets
 * values by name, shows that view, and returns whether the address must be written again. Back and
 * forward read only parts with `isStep`.
 */
export function keepInAddress(names, write, read, isStep) {
	parts.push({ names: names, write: write, read: read, isStep: isStep });
}

const wordsIn = text => text.slice(1).split('&').filter(Boolean);
const keyOf = word => word.split('=')[0];
const isOurs = key => parts.some(part => part.names.includes(key));

/** Return the values in the address by name: those after ?, as other programs write them, then those after #. */
function readAddress() {
	const state = {};
	for (const word of wordsIn(location.search).concat(wordsIn(location.hash))) {
		try {
			state[keyOf(word)] = decodeURIComponent(word.slice(keyOf(word).length + 1).replace(/\+/g, ' '));
		} catch (e) {
			// Not one of our words.
		}
	}
	return state;
}

/** Return the address of the view. Words that are not ours stay in it. */
function addressNow() {
	const others = text => wordsIn(text).filter(word => !isOurs(keyOf(word)));
	const query = others(location.search), hash = others(location.hash);
	for (const part of parts) {
		hash.push(...part.write().filter(Boolean));
	}
	return location.href.replace(/[?#][^]*/, '') + (query.length ? '?' + query.join('&') : '') +
		(hash.length ? '#' + hash.join('&') : '');
}

/** Show the view that the address asks for, if it asks for any. */
export function restoreView() {
	const state = readAddress();
	if (Object.keys(state).some(isOurs)) {
		restore(state, parts);
	}
}

function restore(state, some) {
	load();
	if (some.filter(part => part.read(state)).length) {
		save(false);
	}
}

/** Show the view of a changed address: all of it if it was typed, only its steps after back and forward. */
function onPopState() {
	if (location.href !== addressNow()) {
		restore(readAddress(), history.state ? parts.filter(part => part.isStep) : parts);
		if (history.state) {
			save(false);
		}
	}
}

/** Return how many of our steps the browser can go back. */
export const stepsBack = () => alone && history.state && history.state.zooms || 0;

/** Put the view into the address; `anew`: as a new step of the history. Return whether a step was added. */
export function save(anew) {
	try {
		if (anew) {
			if (!history.state) {
				history.replaceState({ zooms: 0 }, '');
			}
			history.pushState({ zooms: stepsBack() + 1 }, '', addressNow());
		} else {
			history.replaceState(history.state, '', addressNow());
		}
		return anew;
	} catch (e) {
		return false;  // In a sandboxed frame, or with half a surrogate pair, the address stays; the picture works.
	}
}
