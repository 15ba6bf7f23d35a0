/** Controls: texts of the picture that work as buttons. */
import { find, set } from './picture.js';

const controls = new Map();  // by element: what it does

/** Make a text a button, which screen readers call `label`. Return its element, null if the picture lacks it. */
export function addControl(selector, label, act) {
	const el = find(selector);
	if (el) {
		set(el, { role: 'button', tabindex: 0, 'aria-label': label });
		el.removeAttribute('visibility');
		controls.set(el, act);
	}
	return el;
}

/** Return what a control does; undefined if the element is not a control. */
export const controlAt = el => controls.get(el);

/** Show whether a control is on. */
export function showPressed(el, pressed) {
	el.classList.toggle('show', pressed);
	el.setAttribute('aria-pressed', String(pressed));
}
