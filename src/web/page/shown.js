/** Shown: shows frames that were derived from those of the file, in the same picture. */
import { on } from '../viewer/events.js';
import { labelOfRoot, setRootLabel, rootLabel } from '../viewer/picture.js';
import { model, setModel } from '../viewer/model.js';
import { titleFor } from '../viewer/titles.js';
import { home, setHome, swap } from '../viewer/view.js';
import { draw } from '../viewer/draw.js';
import { showFrame, zoomedFrame } from '../viewer/zoom.js';

let fileHome = null, fileLabel = '';  // the frames of the file and the label of their root

/** Show other columns, as arrange() completes them; null shows the columns of the file again. A
 * zoom stays if its frame is still there. */
export function showColumns(columns) {
	setModel(columns);
	setRootLabel(columns ? labelOfRoot(titleFor(0)) : fileLabel);
	setHome(fileHome);
	if (columns) {
		setHome({ ...fileHome, els: [], ids: new Int32Array(0), fills: [], at: new Map() });  // which shows none of these frames
		drawHome();
	}
	swap(home, true);
	showFrame(zoomedFrame());
}

on('load', () => {
	fileHome = home;
	fileLabel = rootLabel;
	if (model.n > home.els.length) {
		drawHome();  // the file has elements only of the widest frames
		fileHome = home;
		swap(home);
	}
});

/** Draw the model as a home view. Elements of the home view so far are copied. */
function drawHome() {
	const drawn = draw(0);
	drawn.colours = home.colours;
	drawn.at = new Map();
	drawn.ids.forEach((id, at) => drawn.at.set(id, at));
	setHome(drawn);
}
