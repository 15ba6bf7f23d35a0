/** Key list: the list of keys, in groups, over the view that is shown; and which keys work in which view. */
import { on } from '../viewer/events.js';
import { find, make, port, set, svg } from '../viewer/picture.js';
import { addKeys, addMode, keys } from '../viewer/keys.js';
import { button, element } from './elements.js';
import { addTool } from './layout.js';
import { actions } from './actions.js';

// Keys that need the picture, and of these, keys for which a part of the page has a meaning of its own.
const OF_PICTURE = /^(Arrow.*|(Ctrl-)?(Enter|Space)|[-+=<>icC])$/;
const ELSEWHERE = /^(Arrow.*|(Ctrl-)?(Enter|Space))$/;
const PARTS = 'aside, .axis, .view, #divider, #menu';
const GROUPS = ['In all views', 'The function that is pointed at, or selected', 'Flame graph'];
const list = element('dialog', { id: 'help', 'aria-labelledby': 'help-title', keydown: onListKey, click: evt => evt.target === list && list.close() });

on('start', () => {
	document.body.append(list);
	addTool('?', showList, 'List of keys');
});
addKeys('?', '?', 'show this list; Esc closes it', showList);
addMode((evt, name) => port.inert ? OF_PICTURE.test(name) : ELSEWHERE.test(name) && evt.target.closest(PARTS));

const groupOf = ([names]) => OF_PICTURE.test(names.split(' ')[0]) ? 2 : actions.some(({ key }) => key === names) ? 1 : 0;

/** Show the list. The browser puts the focus into it, and back when it closes. */
function showList() {
	const head = element('div', {}), legend = find('#legend');
	element('h2', { id: 'help-title' }, head, 'Keys');
	button('\u00d7', () => list.close(), head, 'Close the list of keys');
	list.replaceChildren(head);
	GROUPS.forEach((title, at) => {
		const group = element('section', {}, list), rows = element('dl', {}, group);
		rows.before(element('h3', {}, null, title));
		for (const [, written, purpose] of keys.filter(row => groupOf(row) === at)) {
			element('kbd', {}, element('dt', {}, rows), written);
			element('dd', {}, rows, purpose);
		}
	});
	element('p', {}, list, 'In the tree, letters go to the next row that begins with them. In the table, the tree, the row of time and the heat map, arrow keys move.');
	if (legend) {
		const copied = set(legend.cloneNode(true), { class: 'legend', x: 0, y: 0 });
		copied.removeAttribute('id');
		copied.removeAttribute('visibility');
		make('svg', { class: svg.getAttribute('class'), width: legend.getAttribute('width'), height: legend.getAttribute('height') || 24 }, list).append(copied);
	}
	list.showModal();
}

function onListKey(evt) {
	if (evt.key === '?') {
		list.close();
	}
	evt.stopPropagation();
}
