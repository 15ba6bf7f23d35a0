/**
 * Chain: the filters, as a row of steps that can be removed. Each step computes the frames for the next step. The address stores the steps.
 *
 * addFilter() gives a kind of step its meaning, filterBy() appends a step. A step is { kind, value }.
 */
import { announce, on } from '../viewer/events.js';
import { shownPercent, whole } from '../viewer/counts.js';
import { arrange, fileModel } from '../viewer/model.js';
import { change, keepWords, state } from '../viewer/state.js';
import { port, setText } from '../viewer/picture.js';
import { home } from '../viewer/view.js';
import { findTexts } from '../viewer/match.js';
import { addKeys } from '../viewer/keys.js';
import { tellText } from '../viewer/status.js';
import { button, element } from './elements.js';
import { derive, selfCounts } from './derive.js';
import { showInTrail } from './layout.js';
import { showColumns } from './shown.js';

const filterKinds = new Map();  // by kind: { label, apply, isPattern }
const chainRow = element('div', { id: 'chain', role: 'group', 'aria-label': 'Filters' });
const nothingLeft = element('p', { class: 'nothing', role: 'status', hidden: '' });
let filterSteps = [];
const reshapers = [];     // functions that compute the shown columns from the columns of the last step, each for a word of the state
// With this number of frames or more, filters take so long that the page shows a message.
const MANY = 100000;
let beginning = 0;         // the id of the animation frame after which the work begins
let keptCount = 0;         // the count that remains after the filters
let selfFile = null;       // cached result of columnsOfFile()

on('start', () => {
	port.after(nothingLeft);
	showSteps();
});
keepWords(['f', 'u', 'side', 'order'], () => setSteps((state.f || '').split(',').map(stepFrom).filter(Boolean)));
addKeys('u', 'u', 'remove the last filter', () => changeSteps(filterSteps.slice(0, -1)), () => filterSteps.length);

// In the state, a comma ends a step. A comma inside a value is written as %2C.
const textOf = ({ kind, value }) => kind + ':' + value.replace(/[%,]/g, encodeURIComponent);

function stepFrom(text) {
	const [, kind, value] = /^([^:]*):?([^]*)$/.exec(text);
	return filterKinds.has(kind) ? { kind: kind, value: value.replace(/%(25|2C)/g, decodeURIComponent) } : null;
}

/**
 * Add a kind of step. `label` is the text before its value. `apply(columns, found, value)` returns other columns. With
 * `isPattern` the value is a regular expression, and `found` has 1 for each name that matches. `label` may also be a function
 * that returns the whole text.
 */
export function addFilter(kind, label, apply, isPattern) {
	filterKinds.set(kind, { label: label, apply: apply, isPattern: isPattern });
}

/** Append a step, unless the last step is the same. */
export function filterBy(kind, value) {
	const last = filterSteps[filterSteps.length - 1];
	if (!last || last.kind !== kind || last.value !== value) {
		changeSteps(filterSteps.concat({ kind: kind, value: value }));
	}
}

/** Return the state's word for the filters after one step has replaced all steps of its kind. The new step comes first, so it gets the
 * columns of the file. If its value is '', all steps of this kind are only removed. */
export function withFirst(kind, value) {
	const others = filterSteps.filter(step => step.kind !== kind);
	return (value ? [{ kind: kind, value: value }, ...others] : others).map(textOf).join(',');
}

/** Return the value of the step of a kind, or '' if there is no such step. */
export const valueOf = kind => (filterSteps.find(step => step.kind === kind) || { value: '' }).value;

/** Add a function that gives the frames another order or other widths. The function gets columns and returns columns, and depends on a word
 * of the state. */
export function addReshaper(reshape, word) {
	reshapers.push({ reshape: reshape, word: word });
}

/** Change the steps. Removing the first span or thread also removes the second one. */
function changeSteps(to) {
	change({ f: to.map(textOf).join(','), u: to.some(({ kind }) => kind === 'time') ? state.u : '' });
}

/** Show the frames that remain after some steps. If a step cannot be applied, show the reason, and ignore the steps after it. */
function setSteps(to) {
	const begin = () => applyFrom(0, to.length || reshapers.some(({ word }) => state[word]) ? columnsOfFile() : fileModel);
	filterSteps = to;
	cancelAnimationFrame(beginning);
	if (fileModel.n < MANY) {
		begin();
		return;
	}
	tellText('Working ...');
	// Begin after the browser has shown the message.
	beginning = requestAnimationFrame(() => setTimeout(begin));
}

/** Return the columns of the file with the columns that derive() needs, even if there is no embedded profile. */
function columnsOfFile() {
	if (fileModel.self) {
		return fileModel;
	}
	if (!selfFile) {
		selfFile = { ...fileModel, self: selfCounts(fileModel), colours: [] };
		home.ids.forEach((id, at) => {
			selfFile.colours[fileModel.name[Math.max(id, 0)]] = home.fills[at];  // `home` is the view of the file until frames are derived
		});
	}
	return selfFile;
}

function applyFrom(at, columns) {
	if (at === filterSteps.length) {
		finish(columns);
		return;
	}
	const { kind, value } = filterSteps[at], { apply, isPattern } = filterKinds.get(kind);
	const go = found => applyFrom(at + 1, arrange(apply(columns, found, value)));
	if (!isPattern) {
		go(null);
		return;
	}
	let regex = null;
	try {
		regex = new RegExp(value);
	} catch (e) {
		stopAt(at, columns, 'Bad pattern: ' + e.message.split(': ').pop());
		return;
	}
	findTexts(regex, columns.names, found => {
		if (found) {
			found[columns.name[0]] = 0;
			go(found);
		} else {
			stopAt(at, columns, 'Stopped: this pattern takes too long');
		}
	}, 'filter');
}

function stopAt(at, columns, why) {
	filterSteps = filterSteps.slice(0, at);
	finish(columns);
	tellText(why);
}

function finish(columns) {
	keptCount = columns.total[0];
	for (const { reshape } of reshapers) {
		const to = reshape(columns);
		columns = to === columns ? columns : arrange(to);
	}
	showColumns(columns === fileModel ? null : columns);
	showSteps();
	announce('ready');
	announce('filter');
}

/** Return the name if a pattern matches only one name; otherwise return the pattern. */
function plainly(regex) {
	const name = regex.replace(/^\^|\$$/g, '').replace(/\\([\\^$.*+?()[\]{}|])/g, '$1');
	return regex === '^' + name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') + '$' ? name : regex;
}

/** Show the steps, each with a button that removes the step, and the remaining share of the count. */
function showSteps() {
	showInTrail(chainRow, 1, filterSteps.length > 0);
	nothingLeft.hidden = !filterSteps.length || Number(whole) > 0;
	setText(nothingLeft, 'No stacks are left after these filters. Remove one, or undo it.');
	chainRow.replaceChildren();
	filterSteps.forEach((step, at) => {
		const { label } = filterKinds.get(step.kind);
		const text = (typeof label === 'function' ? label(step.value) : label + ' ' + plainly(step.value)).trim();
		const chip = element('span', { class: 'chip' }, chainRow, text);
		button('×', () => changeSteps(filterSteps.filter((other, i) => i !== at)), chip, 'Remove the filter: ' + text);
	});
	if (filterSteps.length) {
		element('output', {}, chainRow, shownPercent(100 * Number(keptCount) / Number(fileModel.total[0] || 1), 1) + ' of all');
	}
}

/** Return columns in which only frames with `keep[i]` have counts. */
export function masked(columns, keep) {
	const mask = column => {
		const kept = column && new (column.constructor)(column.length);
		for (let i = 0; kept && i < kept.length; i++) {
			if (keep[i]) {
				kept[i] = column[i];
			}
		}
		return kept;
	};
	const { countsAt } = columns, keptAt = new Int32Array(countsAt ? countsAt.length : keep.length);
	for (let k = 0; k < keptAt.length; k++) {
		const i = countsAt ? countsAt[k] : k;
		keptAt[k] = keep[i] ? i : -1;
	}
	const result = { ...columns, self: mask(columns.self), hidden: mask(columns.hidden), delta: mask(columns.delta), countsAt: keptAt };
	for (const side of columns.compared ? ['before', 'after'] : []) {
		result[side] = { self: mask(columns[side].self), total: columns[side].total };
	}
	return result;
}

/** Return columns with only the frames for which `keep[i]` is true, and their callers. */
export const only = (columns, keep) => derive(masked(columns, keep));
