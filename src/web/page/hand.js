/** Hand: the current function. The current function is the function of the frame that was last
 * clicked, focused or zoomed to, or the function that was selected last. */
import { announce, on } from '../viewer/events.js';
import { nameIn, port, rootElement, svg } from '../viewer/picture.js';
import { model, nameOf } from '../viewer/model.js';
import { frameAt, idOf, view } from '../viewer/view.js';
import { subject } from '../viewer/copy.js';
import { selected } from './selection.js';

/** The current function and frame. `name` is '' if there is no current function. `frame` is -1 for all frames of the function. */
export let hand = { name: '', frame: -1 };

let pointed = '';

on('start', () => {
	svg.addEventListener('pointerdown', evt => takeElement(evt.target));
	document.addEventListener('focusin', evt => takeElement(evt.target));
});
on('select', () => selected && take(selected));
on('view', () => {
	pointed = '';
});
on('model', () => {
	hand.frame = -1;
});
on('zoom', passing => {
	if (view.root && !passing) {
		take(nameOf(view.root), view.root);
	}
});

/** Keep the function under the mouse in a view other than the graph; '' if there is none. */
export function pointAt(name) {
	pointed = name;
}

/** Make a function, or one of its frames, current. */
export function take(name, frame = -1) {
	hand = { name: name, frame: frame };
	announce('hand');
}

/** Make the frame of an element current. Do not load the model, because the pressed frame must still exist when the button is released. */
export function takeElement(el) {
	const frame = frameAt(el), i = idOf(frame);
	if (i > 0) {
		take(nameOf(i), i);
	} else if (frame && i < 0 && frame !== rootElement) {
		take(nameIn(frame));
	}
}

/** Return the frame of the graph under the mouse, or else with the focus, or -1. */
export const frameInHand = () => port.inert ? -1 : subject();

/** Return the name of the function that a key or a menu acts on: the function under the mouse, or
 * else the current function, or '' if there is none. */
export function nameInHand() {
	const i = frameInHand(), name = port.inert && pointed || hand.name;
	return i > 0 ? nameOf(i) : model && model.names.includes(name) ? name : '';
}
