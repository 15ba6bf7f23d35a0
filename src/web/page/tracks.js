/**
 * Tracks: the activity of each thread over time, above the picture. A span that is brushed on them, with the mouse, a finger or
 * keys, narrows the picture to it; so does a thread that is picked. A second span, with Shift or after Compare, is compared
 * with the first by shares, in a panel.
 *
 * Spans are [from, to] in buckets; `to` is the first one after it.
 */
import { announce, on } from '../viewer/events.js';
import { share, shownPercent } from '../viewer/counts.js';
import { find, make, set, setText } from '../viewer/picture.js';
import { load } from '../viewer/model.js';
import { change, keepWords, state } from '../viewer/state.js';
import { button, element } from './elements.js';
import { addRow } from './layout.js';
import { derive } from './derive.js';
import { addFilter, sameFrames, valueOf, withFirst } from './chain.js';
import { activity, countsIn, inWords, totalIn } from './activity.js';

const HEIGHT = 32;         // px of a track
const FEW = 8;             // threads that are shown at first
const CLICK = 3;           // px that the mouse moves in a click

export let firstSpan = null, secondSpan = null;  // the brushed span; the one to compare it with; null if there is none
export let pickedThread = -1;  // the thread that is picked, -1: none
let brushing = null;           // while a span is brushed: { at, x, second, span }
let tracksShown = [];          // by thread that is shown: { name, brushes }

const trackArea = addRow('section', { id: 'tracks', 'aria-label': 'Activity over time', hidden: '' });
const tracksLine = element('p', {}, trackArea);
const spanText = element('span', {}, tracksLine);
const clearing = button('All times', () => brushTo(null, null, -1), tracksLine);
const comparing = element('button', { type: 'button', 'aria-pressed': 'false', click: () => pressCompare(!comparesNext()) }, tracksLine, 'Compare');
const moreThreads = button('', () => buildTracks(activity.threads.length), tracksLine);
const chartGrid = element('div', { class: 'grid' }, trackArea);
const timeAxis = element('div', { class: 'axis', tabindex: 0, role: 'slider', 'aria-valuemin': 0,
	'aria-label': 'Span of time: arrow keys move it, with Shift its end, Escape clears it', keydown: onAxisKey }, trackArea);
const endTexts = ['', ''].map(() => element('span', {}, timeAxis));
const axisBrushes = addBrushes(element('div', {}, timeAxis));

on('start', () => {
	const data = find('#times');
	if (data) {
		trackArea.hidden = false;
		buildTracks(Math.min(FEW, data.getAttribute('data-threads')));  // of the right height, before the times are read
	}
	for (const el of [chartGrid, timeAxis]) {
		el.addEventListener('pointerdown', onDown);
		el.addEventListener('pointermove', onMove);
		el.addEventListener('pointerup', onUp);
		el.addEventListener('pointercancel', () => { brushing = null; showTracks(); });
	}
});
on('load', () => {
	trackArea.hidden = !activity;
	if (activity) {
		set(timeAxis, { 'aria-valuemax': activity.buckets });
		setText(endTexts[0], '0');
		setText(endTexts[1], inWords(activity.buckets));
		buildTracks(Math.min(FEW, activity.threads.length));
	}
});
on('filter', () => {
	if (valueOf('time') !== wordOfTime(firstSpan, pickedThread)) {
		readFilter(valueOf('time'));
		secondSpan = firstSpan && secondSpan;
		showTracks();
		announce('spans');
	}
});
keepWords(['u'], () => {
	readFilter(valueOf('time'));
	secondSpan = activity && firstSpan && spanIn(state.u);
	showTracks();
	announce('spans');
});
// Its columns are those of the file, since it is before all other steps.
addFilter('time', value => {
	const [which, thread] = spanAndThread(value);
	return (which ? inTime(which) : '') + (thread >= 0 ? ' in ' + nameOfThread(thread) : '');
}, (columns, found, value) => {
	const [which, thread] = spanAndThread(value);
	return which || thread >= 0 ? derive({ ...columns, ...countsIn(which || [0, activity.buckets], thread) }, sameFrames(columns)) : columns;
});

// The value of the filter: a span, `@` and a thread, or both.

const wordOfSpan = which => which ? which.join('-') : '';
const wordOfTime = (which, thread) => wordOfSpan(which) + (thread < 0 ? '' : '@' + thread);

/** Return the span that a word names, null if none. */
function spanIn(word) {
	const [, from, to] = /^(\d+)-(\d+)$/.exec(word) || [];
	return Number(from) < to && to <= activity.buckets ? [Number(from), Number(to)] : null;
}

/** Return the span and the thread that a value of the filter names. */
function spanAndThread(value) {
	const [word, thread] = value.split('@');
	return activity ? [spanIn(word), /^\d+$/.test(thread) && thread < activity.threads.length ? Number(thread) : -1] : [null, -1];
}

function readFilter(value) {
	[firstSpan, pickedThread] = spanAndThread(value);
}

// Drawing

function addBrushes(parent) {
	return ['first', 'second'].map(name => element('div', { class: 'brush ' + name, hidden: '' }, parent));
}

/** Make the tracks of the first `n` threads. */
function buildTracks(n) {
	chartGrid.replaceChildren();
	tracksShown = [];
	for (let t = 0; t < n; t++) {
		const name = element('button', { type: 'button', 'aria-pressed': 'false', click: () => pickThread(t) }, chartGrid, ' ');
		const chart = element('div', { class: 'chart' }, chartGrid);
		tracksShown.push({ name: name, brushes: addBrushes(chart) });
		if (activity) {
			addChart(chart, t);
		}
	}
	const left = activity ? activity.threads.length - n : 0;
	moreThreads.hidden = left <= 0;
	setText(moreThreads, left + ' more thread' + (left === 1 ? '' : 's'));
	showTracks();
}

/** Draw the activity of a thread: a column for each bucket. All threads have the same scale. */
function addChart(chart, t) {
	const { buckets, sums, most } = activity, at = t * buckets;
	let path = '';
	for (let from = 0, to; from < buckets; from = to) {
		for (to = from + 1; to < buckets && sums[at + to] === sums[at + from]; to++) {
			continue;
		}
		const height = Math.max((HEIGHT - 2) * share(sums[at + from], most), 1);
		path += sums[at + from] ? 'M' + from + ' ' + HEIGHT + 'v-' + height.toFixed(1) + 'H' + to + 'V' + HEIGHT + 'z' : '';
	}
	const picture = make('svg', { viewBox: '0 0 ' + buckets + ' ' + HEIGHT, preserveAspectRatio: 'none', 'aria-hidden': 'true' });
	make('path', { d: path }, picture);
	chart.prepend(picture);
}

const nameOfThread = t => activity.threads[t].name || activity.others + ' other thread' + (activity.others === 1 ? '' : 's');

const inTime = ([from, to]) => inWords(from) + ' to ' + inWords(to);

const percentOf = part => shownPercent(100 * share(part, totalIn([0, activity.buckets], -1)), 1);

/** Show the brushed spans and picked threads. */
function showTracks() {
	if (!activity) {
		return;
	}
	const [first, second] = brushing ? brushing.second ? [firstSpan, brushing.span] : [brushing.span, null] : [firstSpan, secondSpan];
	for (const brushes of tracksShown.map(track => track.brushes).concat([axisBrushes])) {
		placeBrush(brushes[0], first);
		placeBrush(brushes[1], second);
	}
	tracksShown.forEach(({ name }, t) => {
		const text = nameOfThread(t) + ' ' + percentOf(activity.threads[t].total);
		setText(name, text);
		set(name, { 'aria-pressed': String(pickedThread === t), title: text });
	});
	clearing.hidden = !first && pickedThread < 0;
	comparing.hidden = !first;
	setText(spanText, inSentence(first, second));
	set(timeAxis, { 'aria-valuenow': first ? first[0] : 0, 'aria-valuetext': first ? inTime(first) : 'all times' });
}

function inSentence(first, second) {
	const rounding = ', rounded to ' + inWords(1);
	if (!first) {
		return inWords(activity.buckets) + rounding;
	}
	return inTime(first) + ' of ' + inWords(activity.buckets) + rounding + ': ' + percentOf(totalIn(first, pickedThread)) + ' of all' +
		(second ? '; compared with ' + inTime(second) + ': ' + percentOf(totalIn(second, pickedThread)) : '');
}

function placeBrush(el, which) {
	el.hidden = !which;
	if (which) {
		el.style.left = 100 * which[0] / activity.buckets + '%';
		el.style.width = 100 * (which[1] - which[0]) / activity.buckets + '%';
	}
}

// Brushing

/** Change the brushed spans and picked threads. */
function brushTo(first, second, thread) {
	change({ f: withFirst('time', wordOfTime(first, thread)), u: wordOfSpan(second) });
	announce('spans', true);
}

function pickThread(t) {
	load();
	brushTo(firstSpan, secondSpan, pickedThread === t ? -1 : t);
}

const comparesNext = () => comparing.getAttribute('aria-pressed') === 'true';
const pressCompare = pressed => comparing.setAttribute('aria-pressed', String(pressed));

/** Return the bucket under the pointer. */
function bucketAt(evt) {
	const box = (evt.currentTarget === timeAxis ? timeAxis : chartGrid.lastElementChild).getBoundingClientRect();
	return Math.min(Math.max(Math.floor((evt.clientX - box.x) / box.width * activity.buckets), 0), activity.buckets - 1);
}

function onDown(evt) {
	load();
	if (activity && evt.button === 0 && !evt.target.closest('button')) {
		evt.currentTarget.setPointerCapture(evt.pointerId);
		const at = bucketAt(evt);
		brushing = { at: at, x: evt.clientX, second: Boolean(firstSpan) && (evt.shiftKey || comparesNext()), span: [at, at + 1] };
		timeAxis.focus({ preventScroll: true });
		showTracks();
		evt.preventDefault();
	}
}

function onMove(evt) {
	if (brushing) {
		const at = bucketAt(evt);
		brushing.span = [Math.min(at, brushing.at), Math.max(at, brushing.at) + 1];
		showTracks();
	}
}

/** A click takes the span back, or the second one. */
function onUp(evt) {
	if (brushing) {
		const { second, x, span: to } = brushing, isClick = Math.abs(evt.clientX - x) <= CLICK;
		brushing = null;
		pressCompare(false);
		brushTo(second ? firstSpan : isClick ? null : to, second && !isClick ? to : null, pickedThread);
	}
}

/** Move the span with arrow keys, or with Shift only its end; of two, the second. Escape clears the last one. */
function onAxisKey(evt) {
	const step = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1, PageDown: -10, PageUp: 10 }[evt.key];
	if (evt.ctrlKey || evt.altKey || evt.metaKey || !activity) {
		return;
	}
	if (evt.key === 'Escape' && firstSpan) {
		brushTo(secondSpan ? firstSpan : null, null, pickedThread);
	} else if (step) {
		const starts = Boolean(firstSpan) && comparesNext();
		const moved = movedBy(starts ? firstSpan : secondSpan || firstSpan, step, evt.shiftKey);
		pressCompare(false);
		brushTo(secondSpan || starts ? firstSpan : moved, secondSpan || starts ? moved : null, pickedThread);
	} else {
		return;
	}
	evt.preventDefault();
	evt.stopPropagation();
}

/** Return a span moved by some buckets, or its end; a tenth of all times if there was none. */
function movedBy(which, step, onlyEnd) {
	const { buckets } = activity, bounded = (low, value, high) => Math.min(Math.max(value, low), high);
	if (!which) {
		return [0, Math.max(Math.ceil(buckets / 10), 1)];
	}
	const [from, to] = which;
	const by = onlyEnd ? 0 : bounded(-from, step, buckets - to);
	return onlyEnd ? [from, bounded(from + 1, to + step, buckets)] : [from + by, to + by];
}
