/** Press: a click on a button or a row acts, also if it moves while the mouse button is down, because the window changes its size. */
import { on } from '../viewer/events.js';
import { isNear } from '../viewer/pointer.js';

const PRESSED = 'button:enabled, summary, .row, .tree > *';
let pressed = null;  // where the mouse button is down: { el, index, x, y }; `index` is the number of the row

const pressedAt = el => el.closest(PRESSED);
const indexOf = el => pressedAt(el).getAttribute('aria-rowindex');

on('start', () => {
	window.addEventListener('pointerdown', evt => {
		const el = evt.target;
		pressed = evt.pointerType !== 'touch' && !evt.button && pressedAt(el) ? { el: el, index: indexOf(el), x: evt.clientX, y: evt.clientY } : null;
	});
	window.addEventListener('click', evt => {
		pressed = pressedAt(evt.target) ? null : pressed;
	}, true);
	window.addEventListener('pointerup', onRelease);
});

/** If the element has moved, the browser sends it no click, so send one; but not to an element that shows another row meanwhile. */
function onRelease(evt) {
	const last = pressed;
	setTimeout(() => {
		if (last && last === pressed && isNear(evt, last) && last.el.isConnected && indexOf(last.el) === last.index) {
			last.el.dispatchEvent(new MouseEvent('click', evt));
		}
		pressed = null;
	});
}
