/** Reset: keys that show the previous view, or the first view of the file. */
import { view } from './view.js';
import { addKeys } from './keys.js';
import { canUndo, change, undo } from './state.js';
import { unzoom } from './zoom.js';
import { pattern, resetSearch } from './search.js';

addKeys('Backspace', 'Backspace', 'undo the last step', undo, canUndo);
addKeys('Escape', 'Esc', 'reset the search; then reset the zoom', () => (pattern ? resetSearch : unzoom)(), () => view.root || view.range || pattern);
addKeys('0', '0', 'reset everything', () => change({ flip: '', z: '', p: '', s: '', ic: '' }));
