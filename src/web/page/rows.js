/** Rows: the height of a row follows the user's font size, and on a phone, the width of a finger. */
import { announce, on } from '../viewer/events.js';
import { fontsize, labelOf, modern, port, rectOf, resizeRows, rowHeight } from '../viewer/picture.js';
import { baseline } from '../viewer/labels.js';
import { fileModel, model } from '../viewer/model.js';
import { refit } from '../viewer/size.js';
import { fileView, showColumns } from './shown.js';

const PHONE = window.matchMedia('(max-width: 700px)');
const FINGER = 26, USUAL_TEXT = 16;  // height of a row and of text in px, with the default settings of browsers
let rowInFile = 0;                   // px

on('read', () => {
	rowInFile = rowHeight;
	resize(Array.from(port.querySelectorAll('#frames > *')));
});
on('start', () => new ResizeObserver(followText).observe(port));

/** Set the height of rows. Return whether the height has changed. */
function resize(some) {
	const times = parseFloat(getComputedStyle(document.documentElement).fontSize) / USUAL_TEXT || 1;
	const height = Math.round(times * (PHONE.matches ? Math.max(FINGER, rowInFile) : rowInFile)), isOther = modern && height !== rowHeight;
	if (isOther) {
		resizeRows(height, fontsize * times, some);
		announce('rows');
		for (const el of some) {
			const label = labelOf(el);
			if (label) {
				label.setAttribute('y', baseline(Number(rectOf(el).getAttribute('y'))));
			}
		}
	}
	return isOther;
}

function followText() {
	if (resize(fileView().els)) {
		refit();
		if (model) {
			showColumns(model === fileModel ? null : model);
		}
	}
}
