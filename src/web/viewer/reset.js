/** Reset: keys that show the previous view, or the picture as in the file. */
import { view } from './view.js';
import { addKeys } from './keys.js';
import { canUndo, undoZoom, unzoom } from './zoom.js';
import { ignoreCase, pattern, resetSearch } from './search.js';
import { flip } from './flip.js';

addKeys('Backspace', 'Backspace', 'undo the last zoom', undoZoom, canUndo);
addKeys('Escape', 'Esc', 'reset the search; then reset the zoom', () => (pattern ? resetSearch : unzoom)(), () => view.root || pattern);
addKeys('0', '0', 'reset everything', () => {
	ignoreCase(false);
	flip(false);
	resetSearch();
	unzoom();
});
