/**
 * Heat map: when samples were taken, with a column for about a second and a row for each part of
 * it. A cell with more samples is darker. A click picks a cell, and a drag picks a span. A drag
 * with Ctrl picks a second span, which is compared with the first. A search colours the share of
 * its matches in each cell.
 *
 * A page of two profiles has two maps: the map of the earlier profile is above the map of the later profile. Each map begins at the start
 * of its profile, and a span applies to both.
 */
import { on } from '../viewer/events.js';
import { compared, find, setText } from '../viewer/picture.js';
import { fileModel, model } from '../viewer/model.js';
import { isNameMatch, isSearched } from '../viewer/search.js';
import { element } from './elements.js';
import { addView, isShown } from './layout.js';
import { activity, forEntries, inTime, inWords } from './activity.js';
import { describeSpan, describeTime, other, picked, pickTimes, spanOf } from './times.js';
import { onTimeKey } from './tracks.js';

const SECOND = 1100000000;     // ns that a column has at most
const MOST_ROWS = 64, LEAST_COLUMNS = 24;
const PALEST = 0.08;           // strength of the colour of the lowest count
// Strength of the colour of cells outside of the picked spans, as a share of the usual strength.
const LEFT_OUT = 0.35;
const TICK = 80, LINE = 18;    // px between two times, and of a line of text
const MAPS = compared ? [true, false] : [false];  // from the top: whether a map is of the earlier profile
const HINT = ', from its bottom up. Click a cell or drag to pick a span' + (compared ? '.' : '; drag with Ctrl to pick the span that it is compared with.');

const heatPanel = find('#times') && addView('heat', 'Heat map', drawHeat);
const heatHint = heatPanel && element('p', { class: 'bar' }, heatPanel, 'A column is a span of time' + HINT);
const heatMap = heatPanel && element('div', { class: 'heat', tabindex: 0, role: 'slider', 'aria-label': 'Heat map: arrow keys move the span, with Shift its end, Escape clears it',
	'aria-valuemin': 0, pointerdown: onDown, pointermove: onMove, pointerup: onUp, pointerleave: () => { heatBubble.hidden = true; },
	keydown: onTimeKey }, heatPanel);
const heatCanvas = heatPanel && element('canvas', {}, heatMap);
const heatTitles = heatPanel && compared && ['before', 'after'].map(text => element('div', { class: 'sides' }, heatMap, text));
const heatTicks = heatPanel && element('div', { class: 'ticks', 'aria-hidden': 'true' }, heatMap);
const heatBubble = heatPanel && element('div', { class: 'bubble', hidden: '' }, heatMap);
let rows = 1, columns = 1;     // numbers of rows and columns of cells
let dragging = null;           // { at, to, isOther }

if (heatPanel) {
	for (const event of ['spans', 'filter', 'search', 'swap']) {
		on(event, () => isShown('heat') && model && drawHeat());
	}
	on('start', () => new ResizeObserver(() => isShown('heat') && model && drawHeat()).observe(heatMap));
}

/** Return how many rows a column has: a power of two, so that a column is about a second, or less if there are few buckets. */
function countRows() {
	const { buckets, width } = activity;
	let most = 1;
	while (2 * most <= MOST_ROWS && 2 * most * width <= SECOND && buckets / (2 * most) >= LEAST_COLUMNS / 2) {
		most *= 2;
	}
	return most;
}

/** Return two counts for each bucket: the count that the filters keep, and the part of it that matches the search. While a span is picked,
 * the first count includes the samples that the filters leave out. With `earlier`, use the earlier of the two compared profiles. */
function countCells(earlier) {
	const { buckets } = activity, { n, caller, name } = fileModel, all = new Float64Array(buckets), found = new Float64Array(buckets);
	const { countsAt } = model, isFound = new Uint8Array(n), picks = picked.span ? null : countsAt;
	for (let i = 1; isSearched() && i < n; i++) {
		isFound[i] = isFound[caller[i]] | isNameMatch(name[i]);
	}
	forEntries(picked.thread, (bucket, i, count) => {
		if (!picks || picks[i] >= 0) {
			all[bucket] += count;
			found[bucket] += isFound[i] * count;
		}
	}, earlier);
	return { all: all, found: found };
}

function drawHeat() {
	if (!activity) {
		return;
	}
	rows = countRows();
	columns = Math.ceil(activity.buckets / rows);
	const scale = window.devicePixelRatio || 1, width = heatMap.clientWidth, height = heatMap.clientHeight - LINE;
	heatCanvas.width = Math.max(Math.round(width * scale), 1);
	heatCanvas.height = Math.max(Math.round(height * scale), 1);
	heatCanvas.style.width = width + 'px';
	heatCanvas.style.height = height + 'px';
	const pen = heatCanvas.getContext('2d'), cells = MAPS.map(countCells), most = Math.max(...cells.map(({ all }) => all.reduce((a, b) => Math.max(a, b), 0))) || 1;
	MAPS.forEach((earlier, at) => drawMap(pen, cells[at], most, mapAt(at, height, scale)));
	if (compared) {
		heatTitles.forEach((el, at) => { el.style.top = mapAt(at, height, 1).top - LINE + 'px'; });
	}
	heatMap.setAttribute('aria-valuemax', activity.buckets);
	heatMap.setAttribute('aria-valuenow', picked.span ? picked.span[0] : 0);
	heatMap.setAttribute('aria-valuetext', picked.span ? inTime(picked.span) : 'all times');
	setText(heatHint, 'A column is ' + inWords(rows) + HINT);
	writeTimes(width);
}

/** Return the place of a map in a canvas of `height` px: { top, height, scale }. If there are two maps, each has its title above it. */
function mapAt(at, height, scale) {
	const part = height / MAPS.length, title = compared ? LINE : 0;
	return { top: (at * part + title) * scale, height: (part - title) * scale, scale: scale };
}

function drawMap(pen, { all, found }, most, { top, height, scale }) {
	const style = getComputedStyle(heatMap), [warm, mark, ink] = ['--warm', '--mark', '--ink'].map(name => style.getPropertyValue(name));
	const picks = [picked, other].filter(pick => pick && pick.span).map(spanOf), [wide, high] = [heatCanvas.width / columns, height / rows];
	const place = at => [Math.floor(at / rows) * wide, top + height - (at % rows + 1) * high];
	for (let at = 0; at < activity.buckets; at++) {
		const [x, y] = place(at), isIn = !picks.length || picks.some(([from, to]) => at >= from && at < to);
		const gap = high > 4 * scale ? scale : 0, strength = all[at] && (PALEST + (1 - PALEST) * Math.sqrt(all[at] / most)) * (isIn ? 1 : LEFT_OUT);
		pen.globalAlpha = strength;
		pen.fillStyle = warm;
		pen.fillRect(x, y, Math.max(wide - gap, 1), Math.max(high - gap, 1));
		if (found[at]) {
			pen.fillStyle = mark;
			pen.fillRect(x, y, Math.max(wide - gap, 1) * found[at] / all[at], Math.max(high - gap, 1));
		}
	}
	pen.globalAlpha = 1;
	picks.forEach(([from, to], i) => outline(pen, from, to, place, wide, high, { colour: i || !other ? mark : ink, line: 2 * scale, dashed: !i && other }));
}

/** Draw a line around the cells of a span, column by column. */
function outline(pen, from, to, place, wide, high, { colour, line, dashed }) {
	pen.strokeStyle = colour;
	pen.lineWidth = line;
	pen.setLineDash(dashed ? [2 * line, 2 * line] : []);
	for (let at = from; at < to; at = (Math.floor(at / rows) + 1) * rows) {
		const last = Math.min(to, (Math.floor(at / rows) + 1) * rows) - 1, [x, low] = place(at), [, top] = place(last);
		pen.strokeRect(x + line / 2, top + line / 2, Math.max(wide - line, 1), Math.max(low + high - top - line, 1));
	}
}

function writeTimes(width) {
	const by = Math.max(Math.ceil(TICK * columns / width), 1);
	heatTicks.replaceChildren();
	for (let column = 0; column < columns; column += by) {
		element('span', {}, heatTicks, inWords(column * rows, columns * rows)).style.left = 100 * column / columns + '%';
	}
}

// --- Input of the user

/** Return the bucket under the pointer, and whether it is in the map of the earlier profile. */
function cellAt(evt) {
	const box = heatCanvas.getBoundingClientRect(), within = (part, n) => Math.min(Math.max(Math.floor(part * n), 0), n - 1);
	const map = within((evt.clientY - box.y) / box.height, MAPS.length), { top, height } = mapAt(map, box.height, 1);
	const at = within((evt.clientX - box.x) / box.width, columns) * rows + within((box.y + top + height - evt.clientY) / height, rows);
	return { at: Math.min(at, activity.buckets - 1), earlier: MAPS[map] };
}

const spanOfDrag = () => [Math.min(dragging.at, dragging.to), Math.max(dragging.at, dragging.to) + 1];

function onDown(evt) {
	if (activity && evt.button === 0) {
		heatMap.setPointerCapture(evt.pointerId);
		const { at } = cellAt(evt);
		dragging = { at: at, to: at, isOther: (evt.ctrlKey || evt.metaKey) && Boolean(picked.span) && !compared };
	}
}

function onMove(evt) {
	if (!activity) {
		return;
	}
	const { at, earlier } = cellAt(evt), box = heatMap.getBoundingClientRect(), [x, y] = [evt.clientX - box.x, evt.clientY - box.y];
	if (dragging) {
		dragging.to = at;
	}
	setText(heatBubble, dragging ? describeSpan(spanOfDrag()) : describeTime([at, at + 1], earlier));
	heatBubble.hidden = false;
	heatBubble.style.left = Math.min(x + 12, Math.max(box.width - heatBubble.offsetWidth, 0)) + 'px';
	heatBubble.style.top = Math.min(y + 16, Math.max(box.height - heatBubble.offsetHeight, 0)) + 'px';
}

/** Pick a span. With Ctrl, the new span becomes the span before, and the previously picked span is
 * compared with it. A click on the picked cell removes the pick. */
function onUp() {
	if (!dragging) {
		return;
	}
	heatBubble.hidden = true;
	const span = spanOfDrag(), { thread } = picked, { isOther } = dragging, isSame = picked.span && !other && String(picked.span) === String(span);
	dragging = null;
	if (isOther) {
		pickTimes({ span: span, thread: thread }, other || picked);
	} else {
		pickTimes({ span: isSame ? null : span, thread: thread }, null);
	}
}
