/** Actions: the list of all actions on a function. The bar of details, the menu of a frame, and keys offer these actions. */
import { addKeys } from '../viewer/keys.js';
import { copy, copyStack } from '../viewer/copy.js';
import { change } from '../viewer/state.js';
import { zoom } from '../viewer/zoom.js';
import { filterBy } from './chain.js';
import { exactly, moduleOf } from './filters.js';
import { frameInHand, hand, nameInHand, take } from './hand.js';
import { chooseFunction } from './chosen.js';
import { openNote } from './notes.js';
import { showSandwich } from './sandwich.js';

/** Rows of { text, bar, key, purpose, act(name, frame), when(name, frame) }; `bar` is the text in the bar of details. */
export const actions = [
	{ text: 'Zoom', act: (name, frame) => zoom(frame), when: (name, frame) => frame > 0 },
	{ text: 'Only stacks with it', bar: 'Only', key: 'f', purpose: 'show only stacks with this function', act: name => filterBy('only', exactly(name)) },
	{ text: 'Hide its frames, keep what they call', bar: 'Hide frames', key: 'h', purpose: 'hide the frames of this function, and keep what they call',
		act: name => filterBy('hide', exactly(name)) },
	{ text: 'Hide stacks with it', bar: 'Hide stacks', key: 'x', purpose: 'hide all stacks with this function, with their counts', act: name => filterBy('without', exactly(name)) },
	{ text: 'Start stacks at it', act: name => filterBy('from', exactly(name)) },
	{ text: 'Fold its module', key: 'l', purpose: 'fold the frames of this function\'s module into one',
		act: name => filterBy('module', moduleOf(name)), when: name => moduleOf(name) },
	{ text: 'Callers and callees', bar: 'Callers', key: 's', purpose: 'show the callers and callees of this function', act: showSandwich },
	{ text: 'Select all its frames', act: name => chooseFunction(name) },
	{ text: 'Search for it', act: name => change({ s: exactly(name) }) },
	{ text: 'Copy the name', bar: 'Copy', act: name => copy(name) },
	{ text: 'Copy the stack', act: (name, frame) => copyStack(frame), when: (name, frame) => frame > 0 },
	{ text: 'Note', bar: 'Note', key: 'm', purpose: 'write a note on the function', act: openNote },
];

for (const { key, purpose, act, when } of actions.filter(action => action.key)) {
	const isPossible = () => nameInHand() && (!when || when(nameInHand(), hand.frame));
	addKeys(key, key, purpose, () => {
		const frame = frameInHand(), name = nameInHand();
		// The next key is for the same function, even if its frame moves away from the mouse.
		take(name, frame > 0 ? frame : name === hand.name ? hand.frame : -1);
		act(hand.name, hand.frame);
	}, isPossible);
}

/** Return the actions that are possible for a function, or for one frame of it. */
export const actionsFor = (name, frame) => actions.filter(({ when }) => name && (!when || when(name, frame)));
