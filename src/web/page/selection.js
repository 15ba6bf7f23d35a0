/** Selection: the function that the user works with: all frames of one name. */
import { announce } from '../viewer/events.js';
import { change, keepWords, state } from '../viewer/state.js';

export let selected = '';  // its name, '' if none

keepWords(['fn'], () => {
	selected = state.fn;
	announce('select', selected);
});

/** Select a function by its name; '' selects none. */
export const select = name => change({ fn: name }, false);
