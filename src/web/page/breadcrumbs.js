/** Breadcrumbs: the callers of the frame that is as wide as the picture, from the root. A click on a caller zooms to this caller. */
import { on } from '../viewer/events.js';
import { callersOf, model, nameOf } from '../viewer/model.js';
import { shorten } from '../viewer/shorten.js';
import { canUndo, undo } from '../viewer/state.js';
import { view } from '../viewer/view.js';
import { zoom } from '../viewer/zoom.js';
import { button, element } from './elements.js';
import { showInTrail } from './layout.js';

const MOST_CRUMBS = 5, MOST_NAME = 36;
const crumbs = element('nav', { 'aria-label': 'Callers of the frame that is shown' });
const undoing = button('Undo', undo);

on('start', showBreadcrumbs);
on('zoom', showBreadcrumbs);
on('filter', showBreadcrumbs);
on('state', showUndo);

function showUndo() {
	showInTrail(undoing, 2, false);
	undoing.hidden = !canUndo();
}

/** Show all callers, or if there are too many, the first and the last callers. */
function showBreadcrumbs() {
	const list = element('ol', {}), callers = view.root && model ? callersOf(view.root) : [];
	callers.forEach((i, at) => {
		if (at && callers.length > MOST_CRUMBS && at === callers.length - MOST_CRUMBS + 1) {
			element('span', { title: callers.slice(1, at + 1).map(nameOf).join('\n') }, element('li', {}, list), '…');
		}
		if (!at || at > callers.length - MOST_CRUMBS + 1 || callers.length <= MOST_CRUMBS) {
			button(shorten(nameOf(i), MOST_NAME), () => zoom(i), element('li', {}, list)).title = nameOf(i);
		}
	});
	element('span', { 'aria-current': 'location', title: callers.length ? nameOf(view.root) : 'all' }, element('li', {}, list),
		callers.length ? shorten(nameOf(view.root), MOST_NAME) : 'all');
	crumbs.replaceChildren(list);
	showInTrail(crumbs, 0, callers.length > 0);
	showUndo();
}
