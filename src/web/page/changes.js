/** Changes: in a comparison, the functions whose self counts changed by more than noise, the largest change first. */
import { on } from '../viewer/events.js';
import { grouped, shownPercent } from '../viewer/counts.js';
import { compared, setText } from '../viewer/picture.js';
import { model } from '../viewer/model.js';
import { changeBetween, wordsOf } from '../viewer/compare.js';
import { element } from './elements.js';
import { addPanel, isShown, openAtFirst } from './layout.js';
import { chooseFunction, chosenFunction } from './chosen.js';
import { addGrid, chooseInGrid, fillGrid } from './grid.js';
import { functionsNow } from './functions.js';

let changesPanel = null, changesSummary = null, changesGrid = null, changesModel = null;

if (compared) {
	changesPanel = addPanel('changes', 'What changed', fillChanges);
	changesSummary = element('p', { class: 'bar' }, changesPanel);
	changesGrid = addGrid(changesPanel, 'Functions by the change of their self counts', [
		{ title: 'Function', text: id => model.names[id], value: id => model.names[id], rises: true },
		{ title: 'Change', text: id => changeText('self', id), value: id => Math.abs(changeOfFunction('self', id).amount) },
		{ title: 'Relative', text: id => wordsOf(changeOfFunction('self', id)), value: id => relative(changeOfFunction('self', id)),
			rank: 'extra' },
		...sideColumns('self'),
	], id => chooseFunction(model.names[id]));
	openAtFirst('changes');
	on('model', () => isShown('changes') && fillChanges());
	on('select', name => chooseInGrid(changesGrid, chosenFunction(), name));
}

/** Return how the self count ('self') or the total ('total') of a function changed. */
export function changeOfFunction(which, id) {
	const { before, after } = functionsNow();
	return changeBetween(before[which][id], after[which][id]);
}

/** Return the columns with a function's share of both profiles. */
export function sideColumns(which) {
	return ['before', 'after'].map(side => {
		const value = id => functionsNow()[side][which][id];
		return { title: side === 'before' ? 'Before' : 'After', value: value,
			text: id => shownPercent(100 * value(id) / (Number(model[side].total[0]) || 1), 2) };
	});
}

/** Return a change as a share of all after it, or of all before it if there is nothing after it. */
export function changeText(which, id) {
	const change = changeOfFunction(which, id), all = Number(model.after.total[0]) || model.compared.scale * Number(model.before.total[0]);
	const part = shownPercent(100 * Math.abs(change.amount) / (all || 1), 2);
	return change.none ? 'none' : change.noise ? 'noise' : (change.amount < 0 ? '-' : '+') + part;
}

const relative = change => change.before ? change.amount / change.scaled : Infinity;

function fillChanges() {
	if (changesModel !== model) {
		changesModel = model;
		const all = Array.from(functionsNow().ids, id => ({ id: id, change: changeOfFunction('self', id) })).filter(({ change }) => !change.none);
		const changed = all.filter(({ change }) => !change.noise);
		setText(changesSummary, grouped(changed.length) + (changed.length === 1 ? ' function' : ' functions') + ' changed by more than noise, ' +
			grouped(all.length - changed.length) + ' within it. Own counts, as shares of all.');
		fillGrid(changesGrid, changed.map(({ id }) => id));
		chooseInGrid(changesGrid, chosenFunction());
	}
}
