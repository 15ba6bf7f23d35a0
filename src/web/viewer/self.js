/** Self: in a comparison, switches the colours between changes of total counts and of self counts. */
import { on } from './events.js';
import { compared, find, rectOf } from './picture.js';
import { bySelf, classOf, colourBySelf, shadeOf } from './compare.js';
import { draw, paint } from './draw.js';
import { home, view, swap } from './view.js';
import { addControl, showPressed } from './controls.js';
import { addKeys } from './keys.js';
import { change, keepWords, state } from './state.js';
import { refit } from './size.js';
import { SHADE_NEUTRAL } from './constants.js';

let control = null;      // the control; null if the picture has none
let atFirst = false;     // the state in the file

on('start', () => {
	control = addControl('#own', 'Colour frames by self change: that of their self counts', toggleSelf);
	if (control) {
		atFirst = find('#profile').hasAttribute('data-own');
		colourBySelf(atFirst);
		showPressed(control, atFirst);
	}
});
if (compared) {
	addKeys('o', 'o', 'colour by the change of total counts, or of self counts', toggleSelf, () => control);
}
keepWords(['own'], () => control && showSelf(state.own ? state.own === '1' : atFirst));

function toggleSelf() {
	change({ own: bySelf === atFirst ? String(Number(!bySelf)) : '' });
}

function showSelf(own) {
	if (own === bySelf) {
		return;
	}
	colourBySelf(own);
	showPressed(control, own);
	home.ids.forEach((id, at) => {
		home.fills[at] = id < 0 ? classOf(SHADE_NEUTRAL) : shadeOf(id);
		paint(rectOf(home.els[at]), home.fills[at]);
	});
	refit();
	if (view.root || view.range) {
		swap(draw(view.root, view.range));
	}
}
