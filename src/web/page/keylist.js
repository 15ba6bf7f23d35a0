/** Key list: a button for the list of keys. */
import { on } from '../viewer/events.js';
import { port } from '../viewer/picture.js';
import { keys } from '../viewer/keys.js';
import { addTool, chooseView } from './layout.js';

on('start', () => {
	const row = keys.find(([names]) => names === '?');
	if (row) {
		addTool('?', () => {
			chooseView('graph');
			port.focus({ preventScroll: true });
			row[3]();
		}, 'List of keys');
	}
});
