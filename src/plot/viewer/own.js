/** Own: in a comparison, switches the colours between changes of total counts and of own counts. */
import { on } from './events.js';
import { compared, find, rectOf } from './picture.js';
import { load } from './model.js';
import { byOwn, classOf, colourByOwn, shadeOf } from './compare.js';
import { draw, paint } from './draw.js';
import { home, sheet, swap } from './sheet.js';
import { addControl, showPressed } from './controls.js';
import { addKeys } from './keys.js';
import { keepInAddress, save } from './address.js';
import { refit } from './size.js';
import { SHADE_NEUTRAL } from './constants.js';

let control = null;      // null if the picture has none
let atFirst = false;     // as in the file

on('start', () => {
	control = addControl('#own', 'Colour frames by own change: that of their own counts', toggleOwn);
	if (control) {
		atFirst = find('#profile').hasAttribute('data-own');
		colourByOwn(atFirst);
		showPressed(control, atFirst);
	}
});
if (compared) {
	addKeys('o', 'o', 'colour by the change of total counts, or of own counts', toggleOwn, () => control);
}
keepInAddress(['own'], () => [byOwn !== atFirst && 'own=' + Number(byOwn)], ({ own }) => {
	if (control && own !== undefined) {
		showOwn(own === '1');
	}
});

function toggleOwn() {
	load();
	showOwn(!byOwn);
	save(false);
}

function showOwn(own) {
	if (own === byOwn) {
		return;
	}
	colourByOwn(own);
	showPressed(control, own);
	home.ids.forEach((id, at) => {
		home.fills[at] = id < 0 ? classOf(SHADE_NEUTRAL) : shadeOf(id);
		paint(rectOf(home.els[at]), home.fills[at]);
	});
	refit();
	if (sheet.root) {
		swap(draw(sheet.root));
	}
}
