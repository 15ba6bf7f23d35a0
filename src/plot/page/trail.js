/** Trail: the callers of the frame that is as wide as the picture, from the root. Each leads to its own zoom. */
import { on } from '../viewer/events.js';
import { callersOf, model, nameOf } from '../viewer/model.js';
import { sheet } from '../viewer/sheet.js';
import { zoom } from '../viewer/zoom.js';
import { button, element } from './elements.js';
import { addRow } from './layout.js';

const crumbs = addRow('nav', { 'aria-label': 'Callers of the frame that is shown', hidden: '' });

on('zoom', () => {
	crumbs.hidden = !sheet.root;
	crumbs.replaceChildren();
	if (sheet.root && model) {
		const list = element('ol', {}, crumbs);
		for (const i of callersOf(sheet.root)) {
			button(nameOf(i), () => zoom(i), element('li', {}, list));
		}
		element('span', { 'aria-current': 'location' }, element('li', {}, list), nameOf(sheet.root));
	}
});
