/** Spans: the functions of two spans of time compared, by their shares of each. */
import { on } from '../viewer/events.js';
import { share } from '../viewer/counts.js';
import { compared, find } from '../viewer/picture.js';
import { fileModel } from '../viewer/model.js';
import { button, element } from './elements.js';
import { addView, isShown } from './layout.js';
import { sumFunctions } from './functions.js';
import { select } from './selection.js';
import { countsIn, totalIn } from './activity.js';
import { firstSpan, pickedThread, secondSpan } from './tracks.js';

const MOST_ROWS = 200;
const spansPanel = find('#times') && !compared && addView('spans', 'Compare', fillSpans);

on('spans', () => isShown('spans') && fillSpans());

/** Return what functions count in a span. */
function functionsIn(which) {
	const { n, caller } = fileModel, { self, hidden } = countsIn(which, pickedThread);
	const totals = Float64Array.from(self, (count, i) => Number(count) + Number(hidden ? hidden[i] : 0));
	for (let i = n - 1; i > 0; i--) {
		totals[caller[i]] += totals[i];
	}
	return sumFunctions(fileModel, self, totals);
}

/** Return the rows of the table, the largest change of a share first. */
function rowsOf(first, second) {
	const wholes = [firstSpan, secondSpan].map(which => totalIn(which, pickedThread)), [a, b] = [first, second];
	return fileModel.names.map((name, k) => {
		const [selfBefore, selfAfter, before, after] = [share(a.self[k], wholes[0] || 1), share(b.self[k], wholes[1] || 1),
			share(a.total[k], wholes[0] || 1), share(b.total[k], wholes[1] || 1)];
		return { name: name, self: [selfBefore, selfAfter], total: [before, after],
			by: Math.max(Math.abs(selfAfter - selfBefore), Math.abs(after - before)) };
	}).filter(row => row.total[0] || row.total[1]).sort((x, y) => y.by - x.by);
}

const shareInWords = part => (100 * part).toFixed(1) + '%';
const inPoints = part => (part > 0 ? '+' : part < 0 ? '\u2212' : '') + shareInWords(Math.abs(part));

function fillSpans() {
	spansPanel.replaceChildren();
	if (!firstSpan || !secondSpan) {
		element('p', {}, spansPanel, 'Drag over the time to mark a span, press Compare, and drag over a second one.');
		return;
	}
	const rows = rowsOf(functionsIn(firstSpan), functionsIn(secondSpan));
	const table = element('table', {}, spansPanel), head = element('tr', {}, element('thead', {}, table)), body = element('tbody', {}, table);
	element('caption', {}, table, 'Shares of functions in the first and in the second span');
	for (const text of ['Function', 'self, first', 'second', 'change', 'total, first', 'second', 'change']) {
		element('th', { scope: 'col' }, head, text);
	}
	for (const { name, self, total } of rows.slice(0, MOST_ROWS)) {
		const row = element('tr', {}, body);
		button(name, () => select(name), element('th', { scope: 'row' }, row));
		for (const [first, second] of [self, total]) {
			for (const text of [shareInWords(first), shareInWords(second), inPoints(second - first)]) {
				element('td', {}, row, text);
			}
		}
	}
	if (rows.length > MOST_ROWS) {
		element('p', {}, spansPanel, rows.length - MOST_ROWS + ' functions that changed less are not listed');
	}
}
