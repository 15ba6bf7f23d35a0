/** Shown: shows frames that were derived from the frames of the file, in the same picture. */
import { on } from '../viewer/events.js';
import { labelOfRoot, setRootLabel, rootLabel } from '../viewer/picture.js';
import { fileModel, model, nameOf, setModel } from '../viewer/model.js';
import { titleFor } from '../viewer/titles.js';
import { elementOf, focusedFrame, home, idOf, setHome, swap, view, wholeView } from '../viewer/view.js';
import { focusFrame } from '../viewer/focus.js';
import { findPath, nameOfPath } from '../viewer/paths.js';
import { draw } from '../viewer/draw.js';
import { showFrame, zoomedFrame } from '../viewer/zoom.js';

let fileHome = null, fileLabel = '';  // the frames of the file and the label of their root

/** Show other columns, which arrange() completes. With null, show the columns of the file again. A
 * zoom is kept if its frame still exists. */
export function showColumns(columns) {
	const had = idOf(focusedFrame()), name = had > 0 ? nameOf(had) : '', path = had > 0 ? nameOfPath(had) : '';
	setModel(columns);
	setRootLabel(columns ? labelOfRoot(titleFor(0)) : fileLabel);
	if (columns) {
		// The home view has no elements of these frames.
		setHome({ ...fileHome, els: [], ids: new Int32Array(0), fills: [], at: new Map() }, drawHome);
	} else {
		setHome(fileHome, isPartial() ? drawHome : null);
	}
	showFrame(zoomedFrame(), false, true);
	if (path) {
		const same = findPath(path);
		focusFrame(elementOf(same) ? same : widestOf(name));
	}
}

/** Return the widest drawn frame of a function, or the frame that is as wide as the picture. */
function widestOf(name) {
	return view.ids.reduce((best, i) => i > 0 && nameOf(i) === name && (best === view.root || model.total[i] > model.total[best]) ? i : best, view.root);
}

/** Return the view in the file. */
export const fileView = () => fileHome || home;

/** Return whether the file has elements for the widest frames only. */
const isPartial = () => fileModel.n > fileHome.els.length;

on('load', () => {
	fileHome = home;
	fileLabel = rootLabel;
	setHome(home, isPartial() ? drawHome : null);
});
on('idle', () => {
	const shown = home;
	if (view === shown && wholeView() !== shown) {
		swap(home);
	}
});
on('resize', () => {
	// Boxes have no labels. Other boxes may have room for a label now.
	if (home !== fileView()) {
		const isShown = view === home;
		setHome(home, drawHome);
		if (isShown) {
			swap(wholeView());
		}
	}
});

/** Draw the model as a home view. Copy the elements of the previous home view. */
function drawHome() {
	const drawn = draw(0);
	drawn.colours = home.colours;
	drawn.at = new Map();
	drawn.ids.forEach((id, at) => drawn.at.set(id, at));
	return drawn;
}
