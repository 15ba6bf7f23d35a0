/** Selection: the function that the user works with: all frames of one name. The address keeps it. */
import { announce } from '../viewer/events.js';
import { keepInAddress, save } from '../viewer/address.js';

export let selected = '';  // its name, '' if none

keepInAddress(['fn'], () => [selected && 'fn=' + encodeURIComponent(selected)], ({ fn }) => setSelected(fn || ''));

function setSelected(name) {
	if (name !== selected) {
		selected = name;
		announce('select', name);
	}
}

/** Select a function by its name; '' selects none. */
export function select(name) {
	setSelected(name);
	save(false);
}
