/** Hand: the function that the user works with: that of the frame that was clicked, focused or zoomed to, or the one that was selected. */
import { announce, on } from '../viewer/events.js';
import { nameIn, rootElement, svg } from '../viewer/picture.js';
import { model, nameOf } from '../viewer/model.js';
import { frameAt, idOf, view } from '../viewer/view.js';
import { subject } from '../viewer/copy.js';
import { selected } from './selection.js';

/** The function's name, '' if none, and the frame, -1 if all of the function's frames are meant. */
export let hand = { name: '', frame: -1 };

on('start', () => {
	svg.addEventListener('pointerdown', evt => takeElement(evt.target));
	document.addEventListener('focusin', evt => takeElement(evt.target));
});
on('select', () => selected && take(selected));
on('model', () => {
	hand.frame = -1;
});
on('zoom', passing => {
	if (view.root && !passing) {
		take(nameOf(view.root), view.root);
	}
});

/** Work with a function, or with one frame of it. */
export function take(name, frame = -1) {
	hand = { name: name, frame: frame };
	announce('hand');
}

/** Work with the frame of an element. Do not load: the frame that is pressed must still be there when the button goes up. */
export function takeElement(el) {
	const frame = frameAt(el), i = idOf(frame);
	if (i > 0) {
		take(nameOf(i), i);
	} else if (frame && i < 0 && frame !== rootElement) {
		take(nameIn(frame));
	}
}

/** Return the name of the function that a key or a menu acts on: the one under the mouse, or else the one in hand; '' if none. */
export function nameInHand() {
	const i = subject();
	return i > 0 ? nameOf(i) : model && model.names.includes(hand.name) ? hand.name : '';
}
