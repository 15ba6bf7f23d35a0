/** Details: the bar below the graph: the function under the mouse, or else the current function,
 * with its counts, a link to its source, and the possible actions. The bar is always visible and
 * has a fixed height, because an element that moves while the button is pressed gets no click. */
import { on } from '../viewer/events.js';
import { share } from '../viewer/counts.js';
import { inUnit, withUnit } from '../viewer/units.js';
import { compared, setText } from '../viewer/picture.js';
import { load, model, nameOf } from '../viewer/model.js';
import { percentOfAll, shownCount } from '../viewer/titles.js';
import { idOf, view } from '../viewer/view.js';
import { changeBetween, countsInWords } from '../viewer/compare.js';
import { button, element } from './elements.js';
import { selfCounts } from './derive.js';
import { functionsNow } from './functions.js';
import { activity } from './activity.js';
import { isShown, placeOf } from './layout.js';
import { shortPercent } from './percent.js';
import { actions } from './actions.js';
import { hand } from './hand.js';
import { changeWithNoise } from './scalenoise.js';
import { linkToSource } from './source.js';
import { explainName } from './unnamed.js';

const TOLD = 4000;  // ms that a message stays
const bar = placeOf('details');
const hint = element('em', {}, bar);
const nameText = element('strong', {}, bar);
const sourceLink = element('a', { hidden: '', target: '_blank', rel: 'noreferrer' }, bar);
const values = element('span', { class: 'values' }, bar);
const message = element('output', {}, bar);
const actionButtons = element('span', { class: 'actions' }, bar);
const HINTS = {
	graph: 'Click a frame to zoom, right click for more',
	callers: 'Callers are above the function, its callees below; click a frame to widen it, double-click to see its callers',
	tree: 'Click a triangle to open a row, click a row to select its function',
	heat: 'Click a cell for its stacks, drag for a span' + (compared ? '' : ', Ctrl-drag for a second span'),
	lines: 'Click a function for its lines',
	notes: 'Right click a frame or a function of the table to write a note on it',
};
let telling = 0, selfColumn = null, selfModel = null;

for (const { bar: text, text: title, purpose, act } of actions.filter(action => action.bar)) {
	button(text, () => {
		load();
		act(hand.name, hand.frame);
	}, actionButtons).title = purpose ? purpose[0].toUpperCase() + purpose.slice(1) : title;
}

on('start', showHand);
for (const event of ['view', 'load']) {
	on(event, showHint);
}
bar.addEventListener('focusin', showHand);  // the buttons act on this function
on('hand', showHand);
on('zoom', showHand);
on('filter', showHand);
on('report', el => {
	const i = idOf(el);
	if (i >= 0) {
		showDetails(nameOf(i), i, i !== hand.frame);
	} else {
		showHand();
	}
});
on('told', text => {
	clearTimeout(telling);
	setText(message, text);
	bar.classList.add('told');
	telling = setTimeout(() => bar.classList.remove('told'), TOLD);
});

on('ready', () => message.textContent === 'Working ...' && bar.classList.remove('told'));

function showHint() {
	const shown = Object.keys(HINTS).find(isShown);
	setText(hint, HINTS[shown] + (shown === 'graph' && activity ? '; drag on the row of time to see a span' : '') + '; ? lists all keys');
}

function showHand() {
	showDetails(hand.name, hand.frame, false);
}

function selfOf(i) {
	if (selfModel !== model) {
		selfModel = model;
		selfColumn = selfCounts(model);
	}
	return selfColumn[i];
}

/** Show the details of a frame, or with -1 of all frames of a function. With `isHovered`, the details are shown only because the mouse is
 * on the frame. */
function showDetails(name, frame, isHovered) {
	bar.classList.toggle('empty', !name);
	bar.classList.toggle('idle', !hand.name);
	bar.classList.toggle('hovered', isHovered);
	const explained = explainName(name);
	setText(nameText, name);
	nameText.title = name + (explained && ': ' + explained);
	const link = linkToSource(name);
	sourceLink.hidden = !link.href;
	sourceLink.href = link.href;
	setText(sourceLink, link.text);
	values.replaceChildren();
	if (name && model) {
		addValues(name, frame);
	}
	if (explained) {
		element('span', {}, values, explained);
	}
}

function addValue(label, strong, weak) {
	const el = element('span', {}, values, label + ' ');
	element('b', {}, el, strong);
	el.append(weak ? ' ' + weak : '');
	return el;
}

function addValues(name, frame) {
	const id = frame < 0 ? model.names.indexOf(name) : -1, sums = id < 0 ? null : functionsNow();
	if (frame < 0 && id < 0) {
		return;
	}
	if (model.compared) {
		for (const which of ['total', 'self']) {
			const [before, after] = ['before', 'after'].map(side => Number(sums ? sums[side][which][id] : model[side][which][frame]));
			const change = changeBetween(before, after);
			addValue(which, countsInWords(before, after).join(' → '), changeWithNoise(change)).title = 'Counted: ' + inUnit(before) + ' before, ' + inUnit(after) + ' after';
		}
		return;
	}
	const total = sums ? sums.total[id] : model.total[frame], self = sums ? sums.self[id] : selfOf(frame);
	const isSpan = !frame && model.wholeText;  // the root is a span of time
	addValue('total', isSpan || withUnit(shownCount(total)), shortPercent(percentOfAll(total)));
	addValue(isSpan ? 'without samples' : 'self', inUnit(shownCount(self)), shortPercent(percentOfAll(self)));
	if (frame > 0 && view.root && Number(model.total[view.root])) {
		addValue('in view', shortPercent(Math.min(100 * share(total, model.total[view.root]), 100)));
	}
}
