/**
 * Time chart: the frames of one thread in the order of time. The thread is the picked one, or the one with the largest count in the
 * picked span. Equal frames of consecutive stacks are one.
 *
 * If the counts of the input are times, a frame is as wide as its count, as in any other order, and the rest of the span is blank. Other
 * counts of a bucket divide its width. Times are known by bucket only, so the stacks of a bucket are in the order that best continues the
 * stack before them. Blanks shorter than a grain are added to the next blank. Otherwise, every blank would cut all frames.
 */
import { on } from '../viewer/events.js';
import { compared, find } from '../viewer/picture.js';
import { number } from '../viewer/counts.js';
import { timeScale } from '../viewer/units.js';
import { change, state } from '../viewer/state.js';
import { element } from './elements.js';
import { addChoice, showInTrail } from './layout.js';
import { addReshaper } from './chain.js';
import { activity, inWords, listOf, totalIn } from './activity.js';
import { orderMenu } from './order.js';
import { inUnitOfFile, pickNow, setCharted, shownThread, spanOf, threadInWords } from './times.js';

const GRAINS = 64;         // number of grains in a span, if buckets are not wider than such a grain
const MOST_OVER = 1.05;    // most count of a thread in a span, as a multiple of the span: a count is an estimate
const chartNote = element('span', {});
let grain = 0;             // of the shown chart, in buckets
let isExact = false;       // whether frames of this chart are as wide as their counts

if (find('#times') && !compared) {
	const showChoice = addChoice(orderMenu, 'In time, one thread', () => change({ order: 'time' }), () => state.order === 'time');
	addReshaper(columns => {
		const isOn = state.order === 'time' && activity !== null && number === Number && !columns.compared;
		setCharted(-1, false);
		return isOn ? inTime(columns, pickNow()) : columns;
	}, 'order');
	on('filter', () => {
		const thread = shownThread(), isOn = state.order === 'time' && thread >= 0;
		chartNote.textContent = isOn ? threadInWords(thread) + ' in the order of time' + (isExact ? '' : ', widths are time') + '; blank: no samples' : '';
		chartNote.title = isOn ? 'Blank: the thread waited, or no processor was free. Times are rounded to ' + inWords(grain) + '; pick a shorter span to see finer ones.' : '';
		showInTrail(chartNote, 1.2, isOn);
		showChoice();
	});
	on('state', showChoice);
}

/** Return the thread of a pick, or the one with the largest count in the picked span. */
const threadOf = (pick, span) => pick.thread >= 0 ? pick.thread :
	activity.threads.reduce((most, one, t) => totalIn(span, t) > totalIn(span, most) ? t : most, 0);

/** Return the frames of a pick in the order of time. */
function inTime(columns, pick) {
	const span = spanOf(pick), length = span[1] - span[0], thread = threadOf(pick, span), factor = columns.factor || 1, scale = timeScale() * factor;
	isExact = scale > 0 && activity.threads[thread].name !== '' && totalIn(span, thread) * scale <= (MOST_OVER * length + 2) * activity.width;
	const width = activity.width / (isExact ? scale : 1), stacks = stacksIn(columns, span, listOf(thread));
	const sum = sumOf(stacks);
	setCharted(thread, !isExact);
	grain = Math.max(length / GRAINS, 1);
	if (!isExact) {
		stacks.forEach((some, bucket) => divide(some, width, activity.sums[listOf(thread) + span[0] + bucket]));
	}
	const chart = layOut(columns, stacks, width), text = inWords(length) + ' of time, ' + inUnitOfFile(Math.round(sum * factor));
	const functions = new Map(columns.functions), [root] = columns.name;
	if (!columns.name.includes(root, 1)) {
		functions.set(root, { title: 'all (' + text + ', 100%)', attributes: '' });
	}
	return { ...columns, ...chart, n: chart.start.length, factor: isExact ? factor : 1, functions: functions, wholeText: text,
		gaps: null, changed: null, delta: null };
}

/** Return, for each bucket of a span, the stacks of a list that the filters keep: { leaf, count, isInside }. The leaf is a frame of the
 * columns. */
function stacksIn({ countsAt }, [from, to], list) {
	const { first, frames, counts, inside } = activity, stacks = [];
	for (let bucket = from; bucket < to; bucket++) {
		const some = [];
		for (let k = first[list + bucket]; k < first[list + bucket + 1]; k++) {
			some.push({ leaf: countsAt ? countsAt[frames[k]] : frames[k], count: Number(counts[k]), isInside: inside && inside[k] });
		}
		stacks.push(some.filter(({ leaf }) => leaf > 0));
	}
	return stacks;
}

/** Replace the counts of stacks by their parts of a width, where `all` is the count of the whole width. */
function divide(stacks, width, all) {
	let done = 0;
	for (const stack of stacks) {
		const from = Math.round(done / all * width);
		done += stack.count;
		stack.count = Math.round(done / all * width) - from;
	}
}

/** Put the stacks of each bucket after those of the bucket before. Return the columns of the frames. */
function layOut({ depth, name, caller }, stacks, width) {
	const chart = { depth: [0], name: [name[0]], start: [0], total: [0], self: [0], hidden: [0] }, length = Math.round(stacks.length * width);
	let open = [], end = 0;   // the frames that may continue, { frame, at }, by depth, and their end
	let rest = sumOf(stacks); // the count of the stacks that have no place yet
	const add = (stack, path) => {
		open.length = sharedBy(open, path);
		for (const frame of path.slice(open.length)) {
			open.push({ frame: frame, at: chart.start.length });
			for (const [column, value] of Object.entries({ depth: depth[frame], name: name[frame], start: end, total: 0, self: 0, hidden: 0 })) {
				chart[column].push(value);
			}
		}
		open.forEach(({ at }) => { chart.total[at] += stack.count; });
		chart[stack.isInside ? 'hidden' : 'self'][open[open.length - 1].at] += stack.count;
		end += stack.count;
		rest -= stack.count;
	};
	stacks.forEach((some, bucket) => {
		const begin = Math.round(bucket * width), isNear = open.length && begin - end < grain * width;
		if (some.length && !isNear && Math.min(begin, length - rest) > end) {
			open = [];
			end = Math.min(begin, length - rest);
		}
		// The stacks that share most with the one before come first, so that no frame ends and begins again.
		const paths = some.filter(({ count }) => count).map(stack => ({ stack: stack, path: pathTo(stack.leaf, caller) })), before = open.slice();
		for (const { stack, path } of paths.map(each => ({ ...each, same: sharedBy(before, each.path) })).sort((a, b) => b.same - a.same || a.stack.leaf - b.stack.leaf)) {
			add(stack, path);
		}
	});
	chart.total[0] = Math.max(length, end);
	chart.self[0] = chart.total[0] - sumOf(stacks);
	return { depth: Uint32Array.from(chart.depth), name: Uint32Array.from(chart.name), start: Float64Array.from(chart.start), total: Float64Array.from(chart.total),
		self: Float64Array.from(chart.self), hidden: activity.inside && Float64Array.from(chart.hidden) };
}

const sumOf = stacks => stacks.reduce((sum, some) => some.reduce((all, { count }) => all + count, sum), 0);

/** Return the callers of a frame and the frame, without the root. */
function pathTo(frame, caller) {
	const path = [];
	for (let i = frame; i; i = caller[i]) {
		path.unshift(i);
	}
	return path;
}

/** Return how many frames at the start of a path are open. */
function sharedBy(open, path) {
	let same = 0;
	while (same < path.length && open[same] && open[same].frame === path[same]) {
		same++;
	}
	return same;
}
