/** Keys: the action of each key. */
import { announce, on } from './events.js';
import { alone, port, svg } from './picture.js';
import { frameAt } from './view.js';
import { afterUndo } from './state.js';

export const keys = [];  // rows of the arguments of addKeys()
const modes = [];

on('start', () => window.addEventListener('keydown', onKey));

/**
 * Give keys a meaning. `names` are their names, separated by blanks; `written` and `purpose` are
 * shown in the list of keys. `act(el, name, target)` is called for each press: `el` is the element
 * of the frame with the focus, or null; `name` is the key's name; `target` is the target of the
 * event. `when`, if given, has the same arguments and returns whether the keys do anything now.
 */
export function addKeys(names, written, purpose, act, when) {
	keys.push([names, written, purpose, act, when]);
}

/** Call `take(event, name)` before any key is looked up; true means that the key has been handled. */
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

/**
 * Return whether a key is for the picture. If the picture is alone in its window, every key is for it. In another page, a key is for the
 * picture if the focus or the mouse is on the picture. In inferno's own page, every key is for the picture, except in a field. keylist.js
 * then drops the keys that need the picture while another view is shown, and those that another part of the page uses.
 */
function isForUs({ target }) {
	return port ? !target.closest('input, select') :
		alone || svg.contains(target) || target === document.body && svg.matches(':hover');
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
		afterUndo(() => row[3](el, name, evt.target));
	}
}
