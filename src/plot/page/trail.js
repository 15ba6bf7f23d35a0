/** Trail: the callers of the frame that is as wide as the picture, from the root. Each leads to its own zoom. */
import { on } from '../viewer/events.js';
import { callersOf, model, nameOf } from '../viewer/model.js';
import { sheet } from '../viewer/sheet.js';
import { zoom } from '../viewer/zoom.js';
import { button, element } from './elements.js';
import { addRow } from './layout.js';

const crumbs = addRow('nav', { 'aria-label': 'Callers of the frame that is shown' });

on('start', showTrail);
on('zoom', showTrail);

/** Show the trail. Its row is always there: a zoom must not move the picture under the mouse. */
function showTrail() {
	const list = element('ol', {}), callers = sheet.root && model ? callersOf(sheet.root) : [];
	for (const i of callers) {
		button(nameOf(i), () => zoom(i), element('li', {}, list));
	}
	element('span', { 'aria-current': 'location' }, element('li', {}, list), callers.length ? nameOf(sheet.root) : 'all');
	crumbs.replaceChildren(list);
}
