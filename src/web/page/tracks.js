/**
 * Tracks: the activity of all threads over time, as one row above the graph, which unfolds into a row for each thread. A span that is
 * brushed, with the mouse, a finger or keys, narrows what is shown to it; so does a thread that is picked. A second span, with Shift or
 * after Compare, is compared with the first by shares, in a view.
 *
 * In a comparison each row has the profile before above the profile after, both from their start on, and a span is for both. It has
 * no second span.
 *
 * Spans are [from, to] in buckets; `to` is the first one after it.
 */
import { announce, on } from '../viewer/events.js';
import { share, shownPercent } from '../viewer/counts.js';
import { compared, find, make, set, setText } from '../viewer/picture.js';
import { load } from '../viewer/model.js';
import { change, keepWords, state } from '../viewer/state.js';
import { element } from './elements.js';
import { placeOf, showInTrail } from './layout.js';
import { derive } from './derive.js';
import { addFilter, sameFrames, valueOf, withFirst } from './chain.js';
import { activity, countsIn, heaviestIn, inWords, listOf, totalIn } from './activity.js';

const HEIGHT = 27;         // px of the row, without its axis
const THREAD_HEIGHT = 16;  // px of the row of a thread
const CLICK = 3;           // px that the mouse moves in a click
const TICK = 90;           // px between two ticks at least

export let firstSpan = null, secondSpan = null;  // the brushed span; the one to compare it with; null if there is none
export let pickedThread = -1;  // the thread that is picked, -1: none
let brushing = null;           // while a span is brushed: { at, x, second, span }
let threadRows = [];           // of the unfolded threads: { name, chart }

const trackArea = placeOf('time');
const unfolding = element('button', { type: 'button', id: 'threads', 'aria-expanded': 'false', click: () => unfold(!threadRows.length) }, trackArea, ' ');
const timeAxis = element('div', { class: 'axis', tabindex: 0, role: 'slider', 'aria-valuemin': 0,
	'aria-label': 'Span of time: arrow keys move it, with Shift its end, Escape clears it', keydown: onAxisKey }, trackArea);
const comparing = element('button', { type: 'button', 'aria-pressed': 'false', hidden: '', click: () => pressCompare(!comparesNext()) }, null, 'Compare with ...');
const chart = element('div', { class: 'chart' }, timeAxis);
const brushes = ['first', 'second'].map(name => element('div', { class: 'brush ' + name, hidden: '' }, timeAxis));
compared && element('div', { class: 'sides' }, timeAxis, 'before\nafter');
const ticks = element('div', { class: 'ticks', 'aria-hidden': 'true' }, timeAxis);
const bubble = element('div', { class: 'bubble', hidden: '' }, timeAxis);
const threadList = element('div', { class: compared ? 'threads two' : 'threads', hidden: '' }, trackArea);

on('start', () => {
	showInTrail(comparing, 1.5, false);
	trackArea.hidden = !find('#times');  // of the right height, before the times are read
	timeAxis.addEventListener('pointerdown', onDown);
	timeAxis.addEventListener('pointermove', onMove);
	timeAxis.addEventListener('pointerup', onUp);
	timeAxis.addEventListener('pointerleave', () => { bubble.hidden = true; });
	timeAxis.addEventListener('pointercancel', () => { brushing = null; showTracks(); });
	new ResizeObserver(drawTicks).observe(timeAxis);
});
on('load', () => {
	trackArea.hidden = !activity;
	if (activity) {
		const { threads, others } = activity, n = threads.length + (others ? others - 1 : 0);
		set(timeAxis, { 'aria-valuemax': activity.buckets });
		setText(unfolding, n + (n === 1 ? ' thread' : ' threads'));
		drawTicks();
		showTracks();
	}
});
on('filter', readState);
keepWords(['u'], readState);
// Its columns are those of the file, since it is before all other steps.
addFilter('time', value => {
	const [which, thread] = spanAndThread(value);
	return (which ? inTime(which) : '') + (which && thread >= 0 ? ', ' : '') + (thread >= 0 ? nameOfThread(thread) : '');
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

function readState() {
	const before = [firstSpan, secondSpan].join('/') + pickedThread;
	[firstSpan, pickedThread] = spanAndThread(valueOf('time'));
	secondSpan = compared ? null : firstSpan && spanIn(state.u);
	showTracks();
	if ([firstSpan, secondSpan].join('/') + pickedThread !== before) {
		announce('spans');
	}
}

// Drawing

/** Return the picture of the counts of a thread. In a comparison, its upper half is for the profile before. */
function chartOf(thread, most, height, isPale) {
	const picture = make('svg', { viewBox: '0 0 ' + activity.buckets + ' ' + height, preserveAspectRatio: 'none', 'aria-hidden': 'true' });
	if (compared) {
		addColumns(picture, sumsOf(thread, true), most, [height / 2, height / 2], isPale);
	}
	addColumns(picture, sumsOf(thread, false), most, [height, compared ? height / 2 : height], isPale);
	return picture;
}

/** Draw a column of counts, as high as their share of `most`; those outside of a span or a thread are pale. */
function addColumns(picture, sums, most, [bottom, height], isPale) {
	const { buckets } = activity;
	for (const pale of [true, false]) {
		let path = '';
		for (let from = 0, to; from < buckets; from = to) {
			for (to = from + 1; to < buckets && sums[to] === sums[from] && isPale(to) === isPale(from); to++) {
				continue;
			}
			const tall = Math.max((height - 1) * share(sums[from], most), 1);
			path += sums[from] && isPale(from) === pale ? 'M' + from + ' ' + bottom + 'v-' + tall.toFixed(1) + 'H' + to + 'V' + bottom + 'z' : '';
		}
		make('path', { d: path, class: pale ? 'pale' : '' }, picture);
	}
}

/** Return the counts of all threads, or of one, by bucket; of the profile before if `earlier`. */
function sumsOf(thread, earlier) {
	const { buckets, threads, sums } = activity, all = new Float64Array(buckets);
	threads.forEach((one, t) => {
		for (let b = 0; b < buckets && (thread < 0 || t === thread); b++) {
			all[b] += Number(sums[listOf(t, earlier) + b]);
		}
	});
	return all;
}

const isOutside = b => firstSpan !== null && (b < firstSpan[0] || b >= firstSpan[1]) && !(secondSpan && b >= secondSpan[0] && b < secondSpan[1]);

function drawCharts() {
	const sides = compared ? [false, true] : [false], most = Math.max(...sides.map(earlier => sumsOf(-1, earlier).reduce((a, b) => Math.max(a, b), 0)));
	const pictures = [chartOf(-1, most, HEIGHT, b => pickedThread >= 0 || isOutside(b))];
	if (pickedThread >= 0) {
		pictures.push(chartOf(pickedThread, most, HEIGHT, isOutside));
	}
	chart.replaceChildren(...pictures);
	threadRows.forEach((row, t) => row.chart.replaceChildren(
		chartOf(t, Number(activity.most), THREAD_HEIGHT, b => pickedThread >= 0 && pickedThread !== t || isOutside(b))));
}

/** Write a time at every round number of seconds, or parts of them, that leaves room for it. */
function drawTicks() {
	if (activity && timeAxis.clientWidth) {
		const length = activity.buckets * activity.width, least = TICK * length / timeAxis.clientWidth, power = Math.pow(10, Math.floor(Math.log10(least)));
		const by = [1, 2, 5, 10].map(n => n * power).find(step => step >= least);
		ticks.replaceChildren();
		for (let at = 0; at < length * 0.97; at += by) {
			element('span', {}, ticks, inWords(at / activity.width)).style.left = 100 * at / length + '%';
		}
	}
}

function unfold(isOpen) {
	load();
	threadRows = [];
	threadList.replaceChildren();
	threadList.hidden = !isOpen || !activity;
	set(unfolding, { 'aria-expanded': String(isOpen) });
	for (let t = 0; isOpen && activity && t < activity.threads.length; t++) {
		const name = element('button', { type: 'button', 'aria-pressed': 'false', click: () => pickThread(t) }, threadList, nameOfThread(t));
		const { total, before } = activity.threads[t];
		element('small', {}, threadList, compared ? percentOf(before, true) + ' → ' + percentOf(total) : percentOf(total));
		threadRows.push({ name: name, chart: element('div', { class: 'chart' }, threadList) });
	}
	showTracks();
}

const nameOfThread = t => activity.threads[t].name || activity.others + ' other thread' + (activity.others === 1 ? '' : 's');

/** Return a span of time, such as "0.80–1.62 s". */
function inTime([from, to]) {
	const [a, b] = [inWords(from), inWords(to)], unit = b.split(' ')[1];
	return a === '0' || a.endsWith(' ' + unit) ? a.split(' ')[0] + '–' + b : a + '–' + b;
}

const percentOf = (part, earlier) => shownPercent(100 * share(part, totalIn([0, activity.buckets], -1, earlier) || 1), 1);

/** Return the share of a bucket in all counts, "idle" if it has none; in a comparison, before and after. */
function shareAt(at) {
	const parts = (compared ? [true, false] : [false]).map(earlier => [totalIn([at, at + 1], pickedThread, earlier), earlier]);
	const shares = parts.map(([part, earlier]) => percentOf(part, earlier)).join(' → ');
	return parts.some(([part]) => Number(part)) ? shares : 'idle';
}

/** Show the brushed spans and picked threads. */
function showTracks() {
	if (!activity) {
		return;
	}
	const [first, second] = brushing ? brushing.second ? [firstSpan, brushing.span] : [brushing.span, null] : [firstSpan, secondSpan];
	placeBrush(brushes[0], first);
	placeBrush(brushes[1], second);
	threadRows.forEach(({ name }, t) => set(name, { 'aria-pressed': String(pickedThread === t), title: nameOfThread(t) }));
	comparing.hidden = !firstSpan || compared;
	timeAxis.title = 'rounded to ' + inWords(1);
	set(timeAxis, { 'aria-valuenow': first ? first[0] : 0, 'aria-valuetext': first ? inTime(first) : 'all times' });
	if (!brushing) {
		drawCharts();
	}
}

function placeBrush(el, which) {
	el.hidden = !which;
	if (which) {
		el.style.left = 100 * which[0] / activity.buckets + '%';
		el.style.width = 100 * (which[1] - which[0]) / activity.buckets + '%';
	}
}

// Brushing

/** Change the brushed spans and picked threads. A second span opens the view that compares it, and leaves it when it goes. */
function brushTo(first, second, thread) {
	const view = second && !secondSpan ? 'spans' : !second && state.view === 'spans' ? '' : state.view;
	change({ f: withFirst('time', wordOfTime(first, thread)), u: wordOfSpan(second), view: view });
	showTracks();
}

const pickThread = t => brushTo(firstSpan, secondSpan, pickedThread === t ? -1 : t);

const comparesNext = () => comparing.getAttribute('aria-pressed') === 'true';
const pressCompare = pressed => comparing.setAttribute('aria-pressed', String(pressed));

/** Return the bucket under the pointer. */
function bucketAt(evt) {
	const box = timeAxis.getBoundingClientRect();
	return Math.min(Math.max(Math.floor((evt.clientX - box.x) / box.width * activity.buckets), 0), activity.buckets - 1);
}

function onDown(evt) {
	load();
	if (activity && evt.button === 0) {
		timeAxis.setPointerCapture(evt.pointerId);
		const at = bucketAt(evt);
		brushing = { at: at, x: evt.clientX, second: Boolean(firstSpan) && !compared && (evt.shiftKey || comparesNext()), span: [at, at + 1] };
		timeAxis.focus({ preventScroll: true });
		showTracks();
		evt.preventDefault();
	}
}

function onMove(evt) {
	if (!activity) {
		return;
	}
	const at = bucketAt(evt);
	if (brushing) {
		brushing.span = [Math.min(at, brushing.at), Math.max(at, brushing.at) + 1];
		showTracks();
	}
	tellTime(at);
}

/** Say the time under the mouse, how much ran then, and what most. */
function tellTime(at) {
	const left = 100 * at / activity.buckets, what = brushing ? '' : heaviestIn(at, pickedThread);
	setText(bubble, (brushing ? inTime(brushing.span) : inWords(at) + ' · ' + shareAt(at)) + (what && ' · ' + what));
	bubble.hidden = false;
	bubble.style.left = left > 60 ? 'auto' : left + '%';
	bubble.style.right = left > 60 ? 100 - left + '%' : 'auto';
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
