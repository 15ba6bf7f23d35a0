/** Breadcrumbs: the callers of the frame that is as wide as the picture, from the root. Each leads to its own zoom. */
import { on } from '../viewer/events.js';
import { callersOf, model, nameOf } from '../viewer/model.js';
import { view } from '../viewer/view.js';
import { zoom } from '../viewer/zoom.js';
import { button, element } from './elements.js';
import { addRow } from './layout.js';

const crumbs = addRow('nav', { 'aria-label': 'Callers of the frame that is shown' });

on('start', showBreadcrumbs);
on('zoom', showBreadcrumbs);

/** Show the callers. Their row is always there: a zoom must not move the picture under the mouse. */
function showBreadcrumbs() {
	const list = element('ol', {}), callers = view.root && model ? callersOf(view.root) : [];
	for (const i of callers) {
		button(nameOf(i), () => zoom(i), element('li', {}, list));
	}
	element('span', { 'aria-current': 'location' }, element('li', {}, list), callers.length ? nameOf(view.root) : 'all');
	crumbs.replaceChildren(list);
}
