/** Key list: a button for the list of keys. */
import { port } from '../viewer/picture.js';
import { openHelp } from '../viewer/help.js';
import { addTool, chooseView } from './layout.js';

addTool('?', () => {
	chooseView('graph');
	port.focus({ preventScroll: true });
	openHelp();
}, 'List of keys');
