/** Address: keeps the view in the picture's address, for sending it to others and for going back and forward. */
import { on } from './events.js';
import { alone } from './picture.js';
import { load } from './model.js';

const parts = [];  // of a view: { names, write, read, isStep }

on('start', () => {
	if (alone) {
		window.addEventListener('popstate', onPopState);
	}
});

/**
 * Keep a part of the view in the address, in words such as `s=main`. `names` are the words' names. `write()` returns
 * the words that say what is shown; false ones are left out. `read(state)` shows what words ask for, which are given by
 * name, and returns whether the address is to be written again. Back and forward read only parts that are steps.
 */
export function keepInAddress(names, write, read, isStep) {
	parts.push({ names: names, write: write, read: read, isStep: isStep });
}

const wordsIn = text => text.slice(1).split('&').filter(Boolean);
const keyOf = word => word.split('=')[0];
const isOurs = key => parts.some(part => part.names.includes(key));

/** Return the words of the address by name: those after ?, as other programs write them, then those after #. */
function readAddress() {
	const state = {};
	for (const word of wordsIn(location.search).concat(wordsIn(location.hash))) {
		try {
			state[keyOf(word)] = decodeURIComponent(word.slice(keyOf(word).length + 1).replace(/\+/g, ' '));
		} catch (e) {
			// Not a word of ours.
		}
	}
	return state;
}

/** Return the address of what is shown. Words of others stay in it. */
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

/** Back and forward take their own steps, and nothing else; an address that was typed is taken as a whole. */
function onPopState() {
	if (location.href !== addressNow()) {
		restore(readAddress(), history.state ? parts.filter(part => part.isStep) : parts);
		if (history.state) {
			save(false);
		}
	}
}

/** Return how many steps of ours the browser can go back. */
export const stepsBack = () => alone && history.state && history.state.zooms || 0;

/** Put the view into the address; `anew`: as a new step of the history. Return whether there is such a step now. */
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
		return false;  // In a sandboxed frame, or with half a surrogate pair, the picture works and its address stays.
	}
}
