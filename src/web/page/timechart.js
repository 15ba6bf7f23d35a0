/**
 * Time chart: the frames of one thread in the order of time, each as wide as its duration. The
 * thread is the picked one, or the one with the largest count. The stacks of a bucket divide its
 * width by their counts. Equal frames of consecutive stacks are merged.
 */
import { on } from '../viewer/events.js';
import { compared, find } from '../viewer/picture.js';
import { number } from '../viewer/counts.js';
import { countTime } from '../viewer/units.js';
import { change, state } from '../viewer/state.js';
import { element } from './elements.js';
import { addChoice, showInTrail } from './layout.js';
import { addReshaper } from './chain.js';
import { activity, listOf } from './activity.js';
import { orderMenu } from './order.js';
import { nameOfThread, picked, pickNow } from './times.js';

const chartNote = element('span', {});

if (find('#times') && !compared) {
	const showChoice = addChoice(orderMenu, 'In time, one thread', () => change({ order: 'time' }), () => state.order === 'time');
	addReshaper(columns => {
		const { span, thread } = pickNow(), isOn = state.order === 'time' && activity !== null && number === Number && !columns.compared;
		countTime(isOn);
		return isOn ? inTime(columns, span || [0, activity.buckets], Math.max(thread, 0)) : columns;
	}, 'order');
	on('filter', () => {
		const isOn = state.order === 'time' && activity !== null;
		chartNote.textContent = isOn ? nameOfThread(Math.max(picked.thread, 0)) + ' in the order of time' : '';
		showInTrail(chartNote, 1.2, isOn);
		showChoice();
	});
	on('state', showChoice);
}

/** Return the frames of a thread in a span, in the order of time; their counts are nanoseconds. */
function inTime(columns, [from, to], thread) {
	const { width, first, frames, counts } = activity, { depth, name, caller, countsAt } = columns, list = listOf(thread);
	const chart = { depth: [0], name: [columns.name[0]], start: [0], total: [(to - from) * width] };
	let open = [], ended = 0;  // the frames that may continue, { frame, at }, by depth, and their end
	for (let bucket = from; bucket < to; bucket++) {
		const found = [];
		for (let k = first[list + bucket]; k < first[list + bucket + 1]; k++) {
			const frame = countsAt ? countsAt[frames[k]] : frames[k];
			found.push(...frame > 0 ? [[frame, Number(counts[k])]] : []);
		}
		const sum = found.reduce((all, [, count]) => all + count, 0);
		let done = 0;
		for (const [frame, count] of found.sort((a, b) => a[0] - b[0])) {
			const start = (bucket - from) * width + Math.round(done / sum * width), end = (bucket - from) * width + Math.round((done += count) / sum * width);
			const path = [];
			for (let i = frame; i; i = caller[i]) {
				path.unshift(i);
			}
			const same = ended === start ? path.findIndex((i, at) => !open[at] || open[at].frame !== i) : 0, kept = same < 0 ? path.length : same;
			open.length = Math.min(open.length, kept);
			for (let at = kept; at < path.length; at++) {
				open.push({ frame: path[at], at: chart.start.length });
				chart.depth.push(depth[path[at]]);
				chart.name.push(name[path[at]]);
				chart.start.push(start);
				chart.total.push(0);
			}
			open.forEach(each => {
				chart.total[each.at] = end - chart.start[each.at];
			});
			ended = end;
		}
	}
	return { ...columns, n: chart.start.length, depth: Uint32Array.from(chart.depth), name: Uint32Array.from(chart.name), factor: 1,
		start: Float64Array.from(chart.start), total: Float64Array.from(chart.total), self: null, hidden: null, gaps: null, changed: null, delta: null };
}
