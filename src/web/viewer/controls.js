/** Controls: texts of the picture that work as buttons. */
import { find, set } from './picture.js';

const TARGET = 28;           // px
const controls = new Map();  // the actions, by element

/** Make a text a button. `label` is its name for screen readers. Return the element of the text, or null if the picture does not have this
 * text. */
export function addControl(selector, label, act) {
	const el = find(selector);
	if (el) {
		set(el, { role: 'button', tabindex: 0, 'aria-label': label });
		el.removeAttribute('visibility');
		controls.set(el, act);
	}
	return el;
}

/** Return the visible controls. */
export const shownControls = () => Array.from(controls.keys()).filter(el => !el.matches('.hide'));

/** Return the x position at which a right-aligned text ends in a picture of `width` px. */
export function endOf(el, width) {
	const x = el.getAttribute('x'), shift = /-\d+/.exec(el.getAttribute('transform'));
	return (/%/.test(x) ? width : Number(x)) + Number(shift);
}

/** Return the action of the control at a point. The area of a control is at least 28 px wide and
 * high, so that a finger can touch it. */
export function controlNear(x, y) {
	const isNear = el => {
		const box = el.getBoundingClientRect(), reach = size => Math.max(TARGET, size) / 2;
		return Math.abs(x - box.x - box.width / 2) <= reach(box.width) && Math.abs(y - box.y - box.height / 2) <= reach(box.height);
	};
	return controls.get(shownControls().find(isNear));
}

/** Return the action of a control; or undefined if the element is not a control. */
export const controlAt = el => controls.get(el);

/** Show whether a control is on. */
export function showPressed(el, pressed) {
	el.classList.toggle('show', pressed);
	el.setAttribute('aria-pressed', String(pressed));
}
