/** Chosen: outlines all frames of the selected function in the picture, and highlights the frames
 * of the function under the mouse in the table. */
import { on } from '../viewer/events.js';
import { rowHeight } from '../viewer/picture.js';
import { model } from '../viewer/model.js';
import { elementOf, view } from '../viewer/view.js';
import { markFrames } from '../viewer/marks.js';
import { scrollToFrame } from '../viewer/bars.js';
import { functionsByName } from './functions.js';
import { take } from './hand.js';
import { select, selected } from './selection.js';

for (const event of ['load', 'swap', 'moved', 'select', 'model']) {
	on(event, outlineChosen);
}

/** Return the number of the selected function, or -1 if no shown frame belongs to it. */
export const chosenFunction = () => selected && model ? model.names.indexOf(selected) : -1;

function outlineChosen() {
	outline('chosen', chosenFunction());
}

function outline(name, id) {
	const ids = view && view.ids, by = id >= 0 && functionsByName();
	if (ids) {
		markFrames(name, id >= 0 && (at => ids[at] > 0 && by[model.name[ids[at]]] === id), 0, rowHeight - 1);
	}
}

/** Highlight all frames of a function. With '', highlight none. */
export const lightFunction = name => outline('light', name ? model.names.indexOf(name) : -1);

/** Select a function, and scroll to its widest frame in the picture. */
export function chooseFunction(name) {
	select(name);
	take(name);  // select() announces only another function
	const id = chosenFunction(), by = id >= 0 && functionsByName();
	let widest = -1;
	for (const i of id >= 0 ? view.ids : []) {
		if (i > 0 && by[model.name[i]] === id && (widest < 0 || model.total[i] > model.total[widest])) {
			widest = i;
		}
	}
	scrollToFrame(() => elementOf(widest));
}
