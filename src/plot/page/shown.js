/** Shown: shows frames that were derived from those of the file, in the same picture. */
import { setRootLabel, rootLabel } from '../viewer/picture.js';
import { setModel } from '../viewer/model.js';
import { titleFor } from '../viewer/titles.js';
import { home, setHome, sheet, swap } from '../viewer/sheet.js';
import { draw } from '../viewer/draw.js';
import { findPath, nameOfPath } from '../viewer/paths.js';
import { showFrame } from '../viewer/zoom.js';

let fileHome = null, fileLabel = '';  // what the file has, while other frames are shown

/** Show other columns, as arrange() completes them; null shows those of the file again. A zoom stays if its frame is still there. */
export function showColumns(columns) {
	const zoomed = sheet.root ? nameOfPath(sheet.root) : '';
	if (!fileHome) {
		fileHome = home;
		fileLabel = rootLabel;
	}
	setModel(columns);
	setRootLabel(columns ? titleFor(0).replace(/, 100\.00%\)$/, ')') : fileLabel);
	setHome(columns ? homeOf() : fileHome);
	swap(home, true);
	showFrame(zoomed ? Math.max(findPath(zoomed), 0) : 0);
}

/** Return a home sheet for the model. No element of the file shows any of its frames. */
function homeOf() {
	setHome({ ...fileHome, els: [], ids: new Int32Array(0), fills: [], at: new Map() });
	const drawn = draw(0);
	drawn.colours = fileHome.colours;
	drawn.at = new Map();
	drawn.ids.forEach((id, at) => drawn.at.set(id, at));
	return drawn;
}
