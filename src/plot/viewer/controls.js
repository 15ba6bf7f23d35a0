/** Controls: the texts of the picture that are buttons. */
import { find, set } from './picture.js';

const controls = new Map();  // by element: what it does

/** Make a text a button that is read out as `label`. Return its element, null if the picture has none. */
export function addControl(selector, label, act) {
	const el = find(selector);
	if (el) {
		set(el, { role: 'button', tabindex: 0, 'aria-label': label });
		controls.set(el, act);
	}
	return el;
}

/** Return what a control does; nothing if the element is none. */
export const controlAt = el => controls.get(el);

/** Show whether a control is on. */
export function showPressed(el, pressed) {
	el.classList.toggle('show', pressed);
	el.setAttribute('aria-pressed', String(pressed));
}
