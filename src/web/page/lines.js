/** Lines: the source lines of the current function, or the hottest lines of all functions, if the
 * page has them (--with-lines). */
import { on } from '../viewer/events.js';
import { share, whole } from '../viewer/counts.js';
import { inUnit } from '../viewer/units.js';
import { setText } from '../viewer/picture.js';
import { button, element } from './elements.js';
import { addView, isShown, offerView } from './layout.js';
import { hand, take } from './hand.js';
import { shortPercent } from './percent.js';

const SHOWN = 200;  // most rows
const linesView = addView('lines', 'Lines', drawLines);
const linesBar = element('p', { class: 'bar' }, linesView);
const linesTitle = element('b', {}, linesBar);
const allButton = button('All functions', () => take(''), linesBar);
const linesTable = element('table', { 'aria-label': 'Source lines' }, linesView);
let lines = [];

on('start', () => {
	const given = document.querySelector('#lines');
	if (given) {
		lines = Array.from(given.children, el => ({ file: el.dataset.file, line: el.dataset.line, name: el.dataset.name,
			self: Number(el.dataset.self), total: Number(el.dataset.total) }));
		given.remove();
	}
	offerView('lines', lines.length > 0);
});
on('hand', () => isShown('lines') && drawLines());

/** Draw the lines of the current function in the order of the source. If it has none, draw the lines of all functions, sorted by self
 * counts. */
function drawLines() {
	const own = lines.filter(line => line.name === hand.name);
	const rows = own.length ? own.sort((a, b) => a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line)
		: Array.from(lines).sort((a, b) => b.self - a.self);
	setText(linesTitle, own.length ? hand.name : hand.name ? 'No line of ' + hand.name + ' is known: the hottest lines' : 'The hottest lines');
	allButton.hidden = !hand.name;
	linesTable.replaceChildren();
	const head = element('tr', {}, element('thead', {}, linesTable));
	for (const word of ['self', 'total', 'line', 'function']) {
		element('th', { scope: 'col' }, head, word);
	}
	const body = element('tbody', {}, linesTable);
	for (const line of rows.slice(0, SHOWN)) {
		const row = element('tr', {}, body);
		for (const count of [line.self, line.total]) {
			element('td', { title: inUnit(count) }, row, count ? shortPercent(100 * share(count, whole)) : '');
		}
		element('td', { title: line.file }, row, line.file.split('/').slice(-2).join('/') + ':' + line.line);
		button(line.name, () => take(line.name), element('td', {}, row));
	}
}
