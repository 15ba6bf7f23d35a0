/** Keys: what each does, and who gets them. */
import { announce, on } from './events.js';
import { alone, svg } from './picture.js';
import { frameAt } from './sheet.js';

export const keys = [];  // rows with what addKeys() was given
const modes = [];

on('start', () => window.addEventListener('keydown', onKey));

/**
 * Give keys a meaning. `names` are theirs, with blanks between; `written` and `purpose` stand in the list of keys.
 * `act(el, name, target)` does it: `el` is the element of the frame with the focus, or null; `name` the key's; `target`
 * the event's. `when`, if given, is called with the same and returns whether the keys mean anything now.
 */
export function addKeys(names, written, purpose, act, when) {
	keys.push([names, written, purpose, act, when]);
}

/** Ask `take(event, name)` before all keys; if it returns true, it has dealt with the key. */
export function addMode(take) {
	modes.push(take);
}

function keyName(evt) {
	const key = evt.key === ' ' ? 'Space' : evt.key;
	if (!evt.ctrlKey && !evt.metaKey) {
		return key;
	}
	return 'Ctrl-' + (evt.shiftKey ? 'Shift-' : '') + (key.length === 1 ? key.toLowerCase() : key);
}

/** Alone in its window the picture takes all keys, in a page those meant for it. */
function isForUs(evt) {
	return alone || svg.contains(evt.target) || evt.target === document.body && svg.matches(':hover');
}

function onKey(evt) {
	if (evt.defaultPrevented || evt.altKey || !isForUs(evt) || /^(Control|Meta|Shift)$/.test(evt.key)) {
		return;
	}
	const name = keyName(evt), el = frameAt(evt.target);
	announce('key', name);
	if (modes.some(take => take(evt, name))) {
		return;
	}
	const row = keys.find(([names]) => names.split(' ').includes(name));
	if (row && (!row[4] || row[4](el, name, evt.target))) {
		evt.preventDefault();
		row[3](el, name, evt.target);
	}
}
