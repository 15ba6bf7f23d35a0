/** Table: all functions, with their self and total counts; in a comparison, with a count before,
 * after, and its change. During a search, it has only the functions that match. A choice in the legend of a comparison shows only one
 * kind of change. */
import { on } from '../viewer/events.js';
import { SHADE_NEUTRAL } from '../viewer/constants.js';
import { grouped, share, signed, whole } from '../viewer/counts.js';
import { exactCount, inUnit } from '../viewer/units.js';
import { compared, set, setText } from '../viewer/picture.js';
import { isCompared, model } from '../viewer/model.js';
import { bySelf, changeBetween, classOf, countsInWords, isScaled, largerTotal, shadeOfChange } from '../viewer/compare.js';
import { otherColourOfName } from '../viewer/draw.js';
import { shownCount } from '../viewer/titles.js';
import { afterPaint } from '../viewer/soon.js';
import { isNameMatch, isSearched } from '../viewer/search.js';
import { change, keepWords, state } from '../viewer/state.js';
import { multipliedInWords, noiseInWords } from './scalenoise.js';
import { shortPercent } from './percent.js';
import { button, element } from './elements.js';
import { closeSheet, isTableShown, placeOf } from './layout.js';
import { selected } from './selection.js';
import { chooseFunction, chosenFunction, lightFunction } from './chosen.js';
import { addMenuFor } from './contextmenu.js';
import { addGrid, chooseInGrid, fillGrid, idInGrid, setColumns, sortGrid } from './grid.js';
import { functionsNow } from './functions.js';
import { addKinds, kindOf, kindShown, textsOfChange, UNCHANGED } from './kinds.js';
import { sideNow } from './sides.js';
import { explainName } from './unnamed.js';

const nameAt = id => model.names[id];
const which = () => state.by === 'self' ? 'self' : 'total';  // the count in the table of a comparison
let most = 0;                            // the largest count
let tableIsOld = true;

const place = placeOf('aside');
const tableBar = element('div', { class: 'bar' }, place);
const summary = element('span', { class: 'summary' }, tableBar);
const ways = ['total', 'self'].map(word => ({ word: word, el: button(word === 'self' ? 'Self' : 'Total',
	() => change({ by: word === 'self' ? word : '' }, false), tableBar, 'Compare ' + word + ' counts') }));
const legend = element('div', { class: 'bar kinds', role: 'group', 'aria-label': 'Kinds of change' }, place);
const showKinds = addKinds(legend), legendNote = element('span', {}, legend);
const columnsNow = () => [{ title: 'Function', text: nameAt, exact: id => nameAt(id) + (explainName(nameAt(id)) && ': ' + explainName(nameAt(id))), value: nameAt, rises: true, swatch: fillOfName },
	...isCompared() ? comparedColumns() : [countColumn('self', 'Self'), countColumn('total', 'Total')]];
let tableCompares = isCompared();
const functionGrid = addGrid(place, 'Functions', columnsNow(), { onPick: pickRow, onSort: (by, rises) => change({ sort: (rises ? '-' : '') + by }, false),
	onHover: id => lightFunction(id < 0 ? '' : nameAt(id)), classFor: id => tableCompares && isQuiet(id) ? 'noise' : '' });
tableBar.hidden = legend.hidden = !tableCompares;

for (const event of ['model', 'load', 'table']) {
	on(event, () => {
		tableIsOld = true;
		fillTable();
	});
}
on('search', () => {
	tableIsOld = true;
	afterPaint(fillTable);  // first show the matching frames in the picture
});
on('swap', () => isTableShown() && model && fillGrid(functionGrid, functionGrid.ids, true));
on('select', name => chooseInGrid(functionGrid, chosenFunction(), name));
for (const word of ['by', 'kind']) {
	keepWords([word], () => {
		tableIsOld = true;
		fillTable();
	});
}
on('state', showNote);
keepWords(['sort'], sortTable);
addMenuFor(el => {
	const id = idInGrid(functionGrid, el);
	return id < 0 ? null : { name: nameAt(id), frame: -1 };
});

function sortTable() {
	const by = Math.abs(Number(state.sort)) || 0, isGiven = /^-?[0-3]$/.test(state.sort) && by < functionGrid.columns.length;
	sortGrid(functionGrid, isGiven ? by : tableCompares ? 3 : 1, isGiven && state.sort[0] === '-');
}

/** Select the function of a row. If the table covers the graph, close the table. */
function pickRow(id) {
	closeSheet();
	chooseFunction(nameAt(id));
}

/** Return the class or the colour of a function's frames. */
function fillOfName(id) {
	return tableCompares ? shadeOfChange(changeOfName(id)) : otherColourOfName(id) ||
		(model.colours ? model.colours[id] : classOf(SHADE_NEUTRAL));
}

/** Return the column of a count. A row shows the share with a bar, and, as its full text, the count. */
function countColumn(word, title) {
	const value = id => functionsNow()[word][id];
	return { title: title, value: value, text: id => shortPercent(100 * share(value(id), whole)), bar: id => share(value(id), most),
		exact: id => inUnit(shownCount(value(id))) + (exactCount(shownCount(value(id))) && '; ' + exactCount(shownCount(value(id)))) };
}

const changeOfName = id => changeBetween(functionsNow().before[which()][id], functionsNow().after[which()][id]);

/** Return whether a function has not changed, or has changed by no more than noise. */
function isQuiet(id) {
	return kindOf(changeOfName(id)) === UNCHANGED;
}

const countsOfName = id => countsInWords(changeOfName(id).before, changeOfName(id).after);

/** Return the columns of a comparison. The last column is the difference of the other two. Noise comes after any other change. */
function comparedColumns() {
	const column = (title, value, at) => ({ title: title, value: value, last: isQuiet, text: id => textsOfChange(changeOfName(id))[at], exact: id => countsOfName(id)[at] + ' ' + title.toLowerCase() });
	const amount = id => changeOfName(id).amount;
	return [column('Before', id => changeOfName(id).scaled, 0), column('After', id => changeOfName(id).after, 1), {
		title: 'Change', value: id => Math.abs(amount(id)), last: isQuiet, text: id => textsOfChange(changeOfName(id))[2],
		exact: id => signed(amount(id), (100 * Math.abs(share(amount(id), largerTotal()))).toFixed(4)) + ' percentage points' +
			noiseInWords(changeOfName(id)) }];
}

/** Return the remark about counts if the file does not have all frames. */
const leftOut = () => model.hidden && model.hidden.some(Boolean) ? ', without frames too narrow for the file' : '';

function fillTable() {
	if (!tableIsOld || !isTableShown() || !model) {
		return;
	}
	tableIsOld = false;
	if (isCompared() !== tableCompares) {
		tableCompares = isCompared();
		tableBar.hidden = legend.hidden = !tableCompares;
		setColumns(functionGrid, columnsNow());
	}
	const { ids, total } = functionsNow(), kinds = tableCompares ? Array.from(ids, id => kindOf(changeOfName(id))) : [];
	const isWanted = (id, at) => (!isSearched() || isNameMatch(id)) && (!tableCompares || !kindShown() || kinds[at] === kindShown());
	const found = ids.filter(isWanted);
	most = total.reduce((a, b) => Math.max(a, b), 0);
	if (tableCompares) {
		const changed = kinds.filter(kind => kind !== UNCHANGED).length;
		ways.forEach(({ word, el }) => set(el, { 'aria-pressed': String(word === which()) }));
		setText(summary, grouped(changed) + (changed === 1 ? ' function' : ' functions') + ' changed by more than noise' +
			// The top of a page with two profiles says this.
			(isScaled() && !compared ? '. All counts before are ' + multipliedInWords() + '; all shares are of the larger total.' : ''));
		showKinds(kinds);
		showNote();
	}
	setText(functionGrid.count, (found.length < ids.length ? grouped(found.length) + ' of ' : '') + grouped(ids.length));
	functionGrid.count.title = grouped(ids.length) + (ids.length === 1 ? ' function' : ' functions') + leftOut();
	fillGrid(functionGrid, found);
	sortTable();
	chooseInGrid(functionGrid, chosenFunction(), selected);
}

/** Say which changes and counts the graph shows. */
function showNote() {
	setText(legendNote, 'Graph: colours show the change of the ' + (bySelf ? 'self count' : 'total') + ', widths ' +
		(sideNow() ? 'the count ' + sideNow() : 'the larger count') + '.');
}
