/** Table: all functions, with their counts. */
import { announce, on } from '../viewer/events.js';
import { grouped, share, shownPercent, whole } from '../viewer/counts.js';
import { exactCount, inUnit } from '../viewer/units.js';
import { compared, setText } from '../viewer/picture.js';
import { model } from '../viewer/model.js';
import { shownCount } from '../viewer/titles.js';
import { findTexts } from '../viewer/match.js';
import { element } from './elements.js';
import { addPanel, isShown, openAtFirst } from './layout.js';
import { selected } from './selection.js';
import { chooseFunction, chosenFunction } from './chosen.js';
import { addGrid, chooseInGrid, fillGrid } from './grid.js';
import { functionsNow } from './functions.js';
import { changeOfFunction, changeText, sideColumns } from './changes.js';

const tablePanel = addPanel('table', 'Table', fillTable);
const tableBar = element('div', { class: 'bar' }, tablePanel);
const tableInput = element('input', { type: 'search', spellcheck: 'false', autocomplete: 'off', placeholder: 'regular expression',
	'aria-label': 'Show only functions that match', input: () => filterTable(true) }, tableBar);
const tableSummary = element('span', { class: 'summary' }, tableBar);
const functionGrid = addGrid(tablePanel, 'Functions', [
	{ title: 'Function', text: nameAt, value: nameAt, rises: true },
	...compared ? comparedColumns() : [...countColumns('self', 'Self'), ...countColumns('total', 'Total')],
	{ title: 'Frames', text: id => grouped(functionsNow().frames[id]), value: id => functionsNow().frames[id],
		rank: 'extra' },
], id => chooseFunction(nameAt(id)));
let tableIsOld = true;

if (!compared) {
	openAtFirst('table');
}
on('model', () => {
	tableIsOld = true;
	if (isShown('table')) {
		fillTable();
	}
});
on('select', name => chooseInGrid(functionGrid, chosenFunction(), name));

function nameAt(id) {
	return model.names[id];
}

/** Return the columns for a count: its share, and where there is room the count. */
function countColumns(which, title) {
	const value = id => functionsNow()[which][id];
	return [{ title: title, text: id => shownPercent(100 * share(value(id), whole || 1), 2), value: value },
		{ title: title + ' count', text: id => inUnit(shownCount(value(id))),
			exact: id => exactCount(shownCount(value(id))), value: value, rank: 'wide' }];
}

/** Return the columns of a comparison: the shares before and after, and the change; noise counts as no change. */
function comparedColumns() {
	const changed = id => {
		const change = changeOfFunction('total', id);
		return change.none || change.noise ? 0 : change.amount;
	};
	return [{ title: 'Change', text: id => changeText('total', id), value: changed }, ...sideColumns('total')];
}

function fillTable() {
	if (tableIsOld) {
		tableIsOld = false;
		filterTable();
	}
}

/** Return the remark about counts if the file does not have all frames. */
const leftOut = () => model.hidden && model.hidden.some(Boolean) ? ', without frames too narrow for the file' : '';

/** Show the functions that match the pattern in the field; all of them without one. Say how many if that is asked for. */
function filterTable(speaks) {
	const summarize = text => {
		setText(tableSummary, text);
		if (speaks) {
			announce('told', text);
		}
	};
	let regex = null;
	try {
		regex = new RegExp(tableInput.value, 'i');
	} catch (e) {
		summarize('Bad pattern');
		return;
	}
	findTexts(regex, model.names, found => {
		if (found) {
			const ids = functionsNow().ids.filter(id => found[id]);
			summarize(grouped(ids.length) + (ids.length === 1 ? ' function' : ' functions') + leftOut());
			fillGrid(functionGrid, ids);
			chooseInGrid(functionGrid, chosenFunction(), selected);
		} else {
			summarize('Stopped: this pattern takes too long');
		}
	}, 'table');
}
