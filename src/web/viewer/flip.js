/** Flip: turns the picture upside down, so that the root is at the other end. */
import { announce, on } from './events.js';
import { labelOf, rectOf } from './picture.js';
import { load } from './model.js';
import { draw, flipped, mirrored, turnOver } from './draw.js';
import { baseline } from './labels.js';
import { view, swap } from './view.js';
import { addKeys } from './keys.js';
import { change, keepWords, state } from './state.js';
import { scrollToMirror } from './bars.js';
import { stretch } from './size.js';

on('swap', orient);
addKeys('i', 'i', 'flip: root at the bottom, or at the top', () => change({ flip: flipped ? '' : '1' }));
keepWords(['flip'], () => flip(state.flip === '1'));

/** Flip the picture, or flip it back. */
function flip(wanted) {
	if (wanted !== flipped) {
		load();
		scrollToMirror();
		turnOver();
		orient();
		stretch();
	}
}

/** Draw the view as `flipped` says. */
function orient() {
	if (view.flipped === flipped) {
		return;
	}
	if (view.root || view.range) {
		swap(draw(view.root, view.range));
		return;
	}
	view.flipped = flipped;
	for (const el of view.els) {
		const rect = rectOf(el), text = labelOf(el), y = mirrored(rect.getAttribute('y'));
		rect.setAttribute('y', y);
		if (text) {
			text.setAttribute('y', baseline(y));
		}
	}
	announce('moved');
}
