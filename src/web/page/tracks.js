/**
 * Tracks: the activity of all threads over time, as one row above the graph, which unfolds into a
 * row for each thread. A span marked with the mouse, a finger or keys narrows the page to its
 * samples. A picked thread narrows the page to its samples, too. A second span or thread, marked
 * with Shift or after Compare, is compared with the first. The wheel zooms into time. The counts
 * that the filters leave out are pale.
 *
 * In a comparison, each row has the earlier profile above the later profile. Each profile begins at its own start, and a span applies to
 * both. A comparison has no second span.
 */
import { on } from '../viewer/events.js';
import { share } from '../viewer/counts.js';
import { compared, find, make, set, setText } from '../viewer/picture.js';
import { load, model } from '../viewer/model.js';
import { change, keepWords, state } from '../viewer/state.js';
import { tellText } from '../viewer/status.js';
import { element } from './elements.js';
import { placeOf, showInTrail } from './layout.js';
import { activity, forEntries, inTime, inWords, listOf } from './activity.js';
import { describeSpan, describeTime, nameOfThread, other, picked, pickTimes, shareOfThread, shownThread, spanIn, spanOf, threadInWords, threadsInWords } from './times.js';

const HEIGHT = 27;         // px of the row, without its axis
const THREAD_HEIGHT = 16;  // px of the row of a thread
const CLICK = 3;           // most px that the mouse may move during a click
const TICK = 90;           // least px between two ticks
const TICK_TEXT = 40;      // px that the text of a tick needs right of the tick
const SNAP = 5;            // px around a tick in which the bound of a brushed span moves to the tick
const COLUMN = 6;          // px of a column at least
// A column is cut if it is more than CUT times as high as most columns (a share USUAL of them).
// Otherwise, most columns would be too low to be seen.
const USUAL = 0.95, CUT = 3;
const LEAST_SHOWN = 8;     // least number of buckets in view
const WHEEL = 0.002;       // zoom for a px of the wheel

let brushing = null;           // while a span is brushed: { at, x, second, span }
let threadRows = [];           // of the unfolded threads: { name, part, chart }
let seen = [0, 1];             // the buckets that are shown
let columnSize = 1;            // buckets of a column
let tickSize = 1;              // ns from a tick to the next

const trackArea = placeOf('time');
const unfolding = element('button', { type: 'button', id: 'threads', 'aria-expanded': 'false', click: () => unfold(!threadRows.length) }, trackArea, ' ');
const timeAxis = element('div', { class: 'axis', tabindex: 0, role: 'slider', 'aria-valuemin': 0,
	'aria-label': 'Span of time: arrow keys move it, with Shift its end, + and - zoom, Escape clears it', keydown: onTimeKey }, trackArea);
const comparing = element('button', { type: 'button', 'aria-pressed': 'false', hidden: '', click: startOrEndComparing }, null, 'Compare with ...');
const chart = element('div', { class: 'chart' }, timeAxis);
const brushes = ['first', 'second'].map(name => element('div', { class: 'brush ' + name, hidden: '' }, timeAxis));
compared && element('div', { class: 'sides' }, timeAxis, 'before\nafter');
const ticks = element('div', { class: 'ticks', 'aria-hidden': 'true' }, timeAxis);
const bubble = element('div', { class: 'bubble', hidden: '' }, timeAxis);
const threadList = element('div', { class: compared ? 'threads two' : 'threads', hidden: '' }, trackArea);

on('start', () => {
	showInTrail(comparing, 1.5, false);
	trackArea.hidden = !find('#times');  // empty, but already as high as later, before the times are read
	timeAxis.addEventListener('pointerdown', onDown);
	timeAxis.addEventListener('pointermove', onMove);
	timeAxis.addEventListener('pointerup', onUp);
	timeAxis.addEventListener('pointerleave', () => { bubble.hidden = true; });
	timeAxis.addEventListener('pointercancel', () => { brushing = null; showTracks(); });
	timeAxis.addEventListener('wheel', onWheel, { passive: false });
	timeAxis.addEventListener('dblclick', () => look(null));
	new ResizeObserver(() => { drawTicks(); showTracks(); }).observe(timeAxis);
});
on('load', () => {
	trackArea.hidden = !activity;
	if (activity) {
		set(timeAxis, { 'aria-valuemax': activity.buckets });
		seen = spanIn(state.t || '') || [0, activity.buckets];
		drawTicks();
		showTracks();
	}
});
on('filter', showTracks);
keepWords(['t'], () => {
	if (activity) {
		seen = spanIn(state.t || '') || [0, activity.buckets];
		drawTicks();
		showTracks();
	}
});

// Drawing

/** Return the picture of the counts of a thread. In a comparison, its upper half is for the earlier profile. */
function chartOf(thread, most, height, isPale) {
	const picture = make('svg', { viewBox: seen[0] + ' 0 ' + (seen[1] - seen[0]) + ' ' + height, preserveAspectRatio: 'none', 'aria-hidden': 'true' });
	if (compared) {
		addColumns(picture, sumsOf(thread, true), most, [height / 2, height / 2], isPale);
	}
	const bottom = [height, compared ? height / 2 : height], sums = sumsOf(thread, false), kept = inColumns(keptSums(thread));
	if (kept) {
		addColumns(picture, sums, most, bottom, () => true);
	}
	addColumns(picture, kept || sums, most, bottom, isPale);
	return picture;
}

/** Draw a column of counts, with heights relative to `most`; columns outside of the span or thread
 * are pale. */
function addColumns(picture, sums, most, [bottom, height], isPale) {
	for (const pale of [true, false]) {
		let path = '';
		for (let from = seen[0], to; from < seen[1]; from = to) {
			for (to = from + 1; to < seen[1] && sums[to] === sums[from] && isPale(to) === isPale(from); to++) {
				continue;
			}
			const tall = Math.max((height - 1) * Math.min(share(sums[from], most), 1), 1);
			path += sums[from] && isPale(from) === pale ? 'M' + from + ' ' + bottom + 'v-' + tall.toFixed(1) + 'H' + to + 'V' + bottom + 'z' : '';
		}
		make('path', { d: path, class: pale ? 'pale' : '' }, picture);
	}
}

/** Return the column around a bucket, as a span. */
function columnAt(at) {
	const from = at - at % columnSize;
	return [from, Math.min(from + columnSize, activity.buckets)];
}

/** Put into each bucket the average of its column, because a few px have too few samples to show which times are busy. Return the
 * counts. */
function inColumns(sums) {
	for (let from = 0, to; sums && from < sums.length; from = to) {
		[, to] = columnAt(from);
		sums.fill(sums.subarray(from, to).reduce((a, b) => a + b, 0) / (to - from), from, to);
	}
	return sums;
}

/** Return the counts of all threads, or of one thread, for each bucket, averaged by column. With `earlier`, use the earlier of the two
 * compared profiles. */
function sumsOf(thread, earlier) {
	const { buckets, threads, sums } = activity, all = new Float64Array(buckets);
	threads.forEach((one, t) => {
		for (let b = 0; b < buckets && (thread < 0 || t === thread); b++) {
			all[b] += Number(sums[listOf(t, earlier) + b]);
		}
	});
	return inColumns(all);
}

/** Return the counts that remain after the filters. Without filters, and in a comparison, return a falsy value. */
export function keptSums(thread) {
	const { countsAt } = model, kept = countsAt && !compared && new Float64Array(activity.buckets);
	if (kept) {
		forEntries(thread, (bucket, i, count) => {
			kept[bucket] += countsAt[i] >= 0 ? count : 0;
		});
	}
	return kept;
}

/** Return a function that returns whether a bucket is in a pick. */
function inPicks() {
	const spans = [picked, other].filter(Boolean).map(spanOf);
	return b => spans.some(([from, to]) => b >= from && b < to);
}

const isThread = t => t === picked.thread || other !== null && t === other.thread;

/** Return the count that a column of full height has: the largest count, but at most CUT times the count that a share USUAL of the columns
 * does not exceed. */
function mostOf(sums) {
	const sorted = sums.filter(Boolean).sort(), { length } = sorted;
	return length ? Math.min(sorted[length - 1], CUT * sorted[Math.floor(USUAL * (length - 1))]) : 0;
}

function drawCharts() {
	columnSize = Math.max(Math.round(COLUMN * (seen[1] - seen[0]) / (timeAxis.clientWidth || 1)), 1);
	const isIn = inPicks(), isOne = picked.thread >= 0 && !other;
	const sides = compared ? [false, true] : [false], mostOfAny = threads => Math.max(...threads.flatMap(t => sides.map(earlier => mostOf(sumsOf(t, earlier)))));
	const most = mostOfAny([-1]);
	const pictures = [chartOf(-1, most, HEIGHT, b => isOne || !isIn(b))];
	if (isOne) {
		pictures.push(chartOf(picked.thread, most, HEIGHT, b => !isIn(b)));
	}
	chart.replaceChildren(...pictures);
	const mostOfOne = mostOfAny(threadRows.map((row, t) => t));
	threadRows.forEach((row, t) => row.chart.replaceChildren(
		chartOf(t, mostOfOne, THREAD_HEIGHT, b => picked.thread >= 0 && !isThread(t) || !isIn(b))));
}

/** Write a time at round numbers of seconds, or of fractions of a second, at distances that leave
 * room for the text. */
function drawTicks() {
	if (activity && timeAxis.clientWidth) {
		const [from, length] = [seen[0], seen[1] - seen[0]].map(n => n * activity.width), least = TICK * length / timeAxis.clientWidth;
		const power = Math.pow(10, Math.floor(Math.log10(least))), by = [1, 2, 5, 10].map(n => n * power).find(step => step >= least);
		tickSize = by;
		ticks.replaceChildren();
		for (let at = Math.ceil(from / by) * by; at < from + length * (1 - TICK_TEXT / timeAxis.clientWidth); at += by) {
			element('span', { class: at === from && 'edge' }, ticks, inWords(at / activity.width, (from + length) / activity.width)).style.left = 100 * (at - from) / length + '%';
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
		const name = element('button', { type: 'button', 'aria-pressed': 'false', click: evt => pickThread(t, evt.shiftKey || evt.ctrlKey || evt.metaKey) }, threadList, nameOfThread(t));
		threadRows.push({ name: name, part: element('small', {}, threadList), chart: element('div', { class: 'chart' }, threadList) });
	}
	showTracks();
}

/** Show the brushed spans and picked threads. */
function showTracks() {
	if (!activity) {
		return;
	}
	const spans = brushing ? brushing.second ? [picked.span, brushing.span] : [brushing.span, null] : [picked.span, other && other.span];
	brushes.forEach((el, i) => placeBrush(el, spans[i]));
	threadRows.forEach(({ name }, t) => set(name, { 'aria-pressed': String(isThread(t)), title: nameOfThread(t) }));
	const one = shownThread(), all = threadsInWords();
	setText(unfolding, one < 0 || activity.threads.length < 2 ? all : '1 of ' + all);
	unfolding.title = one < 0 ? '' : threadInWords(one);
	comparing.hidden = !picked.span && picked.thread < 0 || compared;
	timeAxis.title = 'rounded to ' + inWords(1);
	set(timeAxis, { 'aria-valuenow': spans[0] ? spans[0][0] : 0, 'aria-valuetext': spans[0] ? inTime(spans[0]) : 'all times' });
	if (!brushing) {
		threadRows.forEach(({ part }, t) => setText(part, shareOfThread(t)));
		drawCharts();
	}
}

function placeBrush(el, span) {
	el.hidden = !span || span[1] <= seen[0] || span[0] >= seen[1];
	if (span) {
		const [left, right] = span.map(at => 100 * Math.min(Math.max((at - seen[0]) / (seen[1] - seen[0]), 0), 1));
		el.style.left = left + '%';
		el.style.width = right - left + '%';
	}
}

// Brushing

/** Pick a thread. If the thread is picked already, remove the pick. A second thread is compared with the first. */
function pickThread(t, isSecond) {
	if ((isSecond || comparesNext()) && (picked.span || picked.thread >= 0) && !compared) {
		pressCompare(false);
		pickTimes(picked, { span: picked.span, thread: t });
	} else {
		pickTimes({ span: picked.span, thread: picked.thread === t ? -1 : t }, null);
	}
}

const comparesNext = () => comparing.getAttribute('aria-pressed') === 'true';
const pressCompare = pressed => comparing.setAttribute('aria-pressed', String(pressed));

/** Let the next span or thread be the second side of a comparison, or no longer. */
function startOrEndComparing() {
	pressCompare(!comparesNext());
	tellText(comparesNext() ? 'Drag over the times, or choose a thread: it is compared with the selection' : '');
}

/** Return the bucket under the pointer. */
function bucketAt(evt) {
	const box = timeAxis.getBoundingClientRect(), [from, to] = seen;
	return Math.min(Math.max(Math.floor(from + (evt.clientX - box.x) / box.width * (to - from)), from), to - 1);
}

/** Return a span whose bounds are at a tick if they are near it. */
function snapped(span) {
	const near = SNAP * (seen[1] - seen[0]) / timeAxis.clientWidth, moved = span.map(at => {
		const tick = Math.round(Math.round(at * activity.width / tickSize) * tickSize / activity.width);
		return Math.abs(tick - at) <= near && tick <= activity.buckets ? tick : at;
	});
	return moved[0] < moved[1] ? moved : span;
}

function onDown(evt) {
	load();
	if (activity && evt.button === 0) {
		timeAxis.setPointerCapture(evt.pointerId);
		const at = bucketAt(evt), isFirst = !picked.span && picked.thread < 0 || compared;
		brushing = { at: at, x: evt.clientX, second: !isFirst && (evt.shiftKey || comparesNext()), span: [at, at + 1] };
		timeAxis.focus({ preventScroll: true });
		showTracks();
		evt.preventDefault();
	}
}

/** Show the time under the mouse, the activity at that time, and the stack. */
function onMove(evt) {
	if (!activity) {
		return;
	}
	const at = bucketAt(evt), left = 100 * (at - seen[0]) / (seen[1] - seen[0]);
	if (brushing) {
		brushing.span = snapped([Math.min(at, brushing.at), Math.max(at, brushing.at) + 1]);
		showTracks();
	}
	const { y, height } = chart.getBoundingClientRect();
	setText(bubble, brushing ? describeSpan(brushing.span) : describeTime(columnAt(at), compared && evt.clientY < y + height / 2));
	bubble.hidden = false;
	bubble.style.left = left > 60 ? 'auto' : left + '%';
	bubble.style.right = left > 60 ? 100 - left + '%' : 'auto';
}

/** Pick the brushed span. A click removes both spans, or if the second was to be brushed, only the second. */
function onUp(evt) {
	if (brushing) {
		const { second, x, span: to } = brushing, isClick = Math.abs(evt.clientX - x) <= CLICK;
		brushing = null;
		bubble.hidden = true;
		pressCompare(false);
		pickTimes(second ? picked : { span: isClick ? null : to, thread: picked.thread }, second && !isClick ? { span: to, thread: picked.thread } : null);
		showTracks();
	}
}

// Zooming

/** Show only the buckets of a range; with null, show all buckets. */
function look(span) {
	const { buckets } = activity, isAll = !span || span[1] - span[0] >= buckets;
	change({ t: isAll ? '' : span.join('-') }, false);
}

/** Zoom by a factor, around a position in the row, and move by a distance. The position and the distance are shares of the row's width. */
function lookCloser(factor, place, by) {
	const { buckets } = activity, [from, to] = seen, size = Math.min(Math.max(Math.round((to - from) * factor), LEAST_SHOWN), buckets);
	const start = Math.round(from + (to - from - size) * place + by * size), first = Math.min(Math.max(start, 0), buckets - size);
	look([first, first + size]);
}

function onWheel(evt) {
	if (activity) {
		const box = timeAxis.getBoundingClientRect(), along = evt.shiftKey ? evt.deltaX || evt.deltaY : evt.deltaX;
		evt.preventDefault();
		lookCloser(Math.exp(WHEEL * (evt.shiftKey ? 0 : evt.deltaY)), (evt.clientX - box.x) / box.width, along / box.width);
	}
}

/** Move the span with arrow keys, or only its end with Shift. If there are two spans, move the second span. Escape removes the last span; +
 * and - zoom. */
export function onTimeKey(evt) {
	const step = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1, PageDown: -10, PageUp: 10 }[evt.key];
	if (evt.ctrlKey || evt.altKey || evt.metaKey || !activity) {
		return;
	}
	if (evt.key === 'Escape' && picked.span) {
		pickTimes(other ? picked : { span: null, thread: picked.thread }, null);
	} else if (/^[-+0]$/.test(evt.key)) {
		lookCloser({ '+': 0.5, '-': 2, 0: Infinity }[evt.key], 0.5, 0);
	} else if (step) {
		const starts = Boolean(picked.span) && comparesNext(), isSecond = other || starts;
		const moved = movedBy(starts ? picked.span : (other || picked).span, step, evt.shiftKey);
		pressCompare(false);
		pickTimes(isSecond ? picked : { span: moved, thread: picked.thread }, isSecond ? { span: moved, thread: (other || picked).thread } : null);
	} else {
		return;
	}
	showTracks();
	evt.preventDefault();
	evt.stopPropagation();
}

/** Return a span moved by some buckets, or moved only at its end. If there was no span, return a
 * tenth of all times. */
function movedBy(which, step, onlyEnd) {
	const { buckets } = activity, bounded = (low, value, high) => Math.min(Math.max(value, low), high);
	if (!which) {
		return [0, Math.max(Math.ceil(buckets / 10), 1)];
	}
	const [from, to] = which;
	const by = onlyEnd ? 0 : bounded(-from, step, buckets - to);
	return onlyEnd ? [from, bounded(from + 1, to + step, buckets)] : [from + by, to + by];
}
