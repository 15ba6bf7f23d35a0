/** Selection: the selected function, which means all frames of one name. */
import { announce } from '../viewer/events.js';
import { change, keepWords, state } from '../viewer/state.js';

export let selected = '';  // its name; '' if no function is selected

keepWords(['fn'], () => {
	selected = state.fn;
	announce('select', selected);
});

/** Select a function by its name. The name '' ends the selection. */
export const select = name => change({ fn: name }, false);
