/** Press: a click on a button or a row acts, also if it moves while the mouse button is down, because the window changes its size. */
import { addPressable } from '../viewer/pointer.js';

const PRESSED = 'button:enabled, summary, .row, .tree > *';

const indexOf = part => part.getAttribute('aria-rowindex');

addPressable(el => {
	const part = el.closest(PRESSED), index = part && indexOf(part);
	// No click goes to a row that shows another function meanwhile.
	return part && (evt => el.isConnected && indexOf(part) === index && el.dispatchEvent(new MouseEvent('click', evt)));
});
