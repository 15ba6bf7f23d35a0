/**
 * Times: the picked span of time and the picked thread, as a filter, and a second pick for a
 * comparison.
 *
 * A pick is { span, thread }. A span is [from, to] in buckets, where `to` is the first bucket after the span; null means all times. A
 * thread of -1 means all threads. Two picks make a differential flame graph, by shares: the first pick is before, the second after. A page
 * of two profiles has one pick.
 */
import { announce, on } from '../viewer/events.js';
import { grouped, share } from '../viewer/counts.js';
import { compared } from '../viewer/picture.js';
import { countTime, withUnit } from '../viewer/units.js';
import { change, state } from '../viewer/state.js';
import { derive } from './derive.js';
import { addFilter, valueOf, withFirst } from './chain.js';
import { activity, countsIn, heaviestIn, inTime, inWords, sampleOfTimes, totalIn } from './activity.js';
import { fileModel } from '../viewer/model.js';
import { shortPercent } from './percent.js';

const NOISE = 2;   // standard deviations, as in `inferno diff`
const ALL = { span: null, thread: -1 };
const MOST_LINES = 16;

export let picked = ALL;     // the pick that selects the shown samples
export let other = null;     // the pick that `picked` is compared with; null: none
let charted = -1;            // the thread whose time chart is shown, or -1
let isTime = false;          // whether the counts of this chart are nanoseconds

on('filter', readPicks);
// The step of a pick comes first, so it gets the columns of the file.
addFilter('time', value => [value, state.u].filter(Boolean).map(word => pickInWords(pickIn(word))).filter(Boolean).join(' → '), (columns, found, value) => {
	const [first, second] = [pickIn(value), !compared && pickIn(state.u)];
	if (isAny(second)) {
		return derive(sidesOf(columns, first, second));
	}
	return isAny(first) ? derive({ ...columns, ...countsIn(spanOf(first), first.thread) }) : columns;
});

const isAny = pick => Boolean(pick) && (pick.span !== null || pick.thread >= 0);

/** Say which thread is shown in the order of time, or -1, and whether its counts are nanoseconds instead of counts of the file. */
export function setCharted(thread, counted) {
	charted = thread;
	isTime = counted;
	countTime(counted);
}

/** Return the only thread that is shown, or -1. */
export const shownThread = () => charted >= 0 ? charted : other ? -1 : picked.thread;

/** Return a count of the file with its unit, whatever the unit of the shown counts is. */
export function inUnitOfFile(count) {
	countTime(false);
	const text = withUnit(count);
	countTime(isTime);
	return text;
}

/** Return the span of a pick, or all times. */
export const spanOf = pick => pick.span || [0, activity.buckets];

const wordOf = pick => isAny(pick) ? (pick.span ? pick.span.join('-') : '') + (pick.thread < 0 ? '' : '@' + pick.thread) : '';

/** Return the pick that a word of the state stands for. */
function pickIn(word) {
	const [span, thread] = (word || '').split('@');
	return activity ? { span: spanIn(span), thread: /^\d+$/.test(thread) && thread < activity.threads.length ? Number(thread) : -1 } : ALL;
}

/** Return the span that a word of the state stands for, or null. */
export function spanIn(word) {
	const [, from, to] = /^(\d+)-(\d+)$/.exec(word) || [];
	return Number(from) < to && to <= activity.buckets ? [Number(from), Number(to)] : null;
}

/** Return the selection in the address of the page, before this selection is shown. */
export const pickNow = () => pickIn(valueOf('time'));

function readPicks() {
	const before = wordOf(picked) + '/' + wordOf(other), second = compared ? ALL : pickIn(state.u);
	picked = pickIn(valueOf('time'));
	other = isAny(picked) && isAny(second) ? second : null;
	if (wordOf(picked) + '/' + wordOf(other) !== before) {
		announce('spans');
	}
}

/** Show the samples of a pick. With a second pick, show how they differ. */
export const pickTimes = (first, second) => change({ f: withFirst('time', wordOf(first)), u: wordOf(second) });

/** Return the columns of the file, with the counts of two picks in place of the counts of two profiles. The first pick is scaled to the sum
 * of the second. */
function sidesOf(columns, first, second) {
	const [before, after] = [first, second].map(pick => {
		const { self, hidden } = countsIn(spanOf(pick), pick.thread);
		return { self: hidden ? self.map((count, i) => count + hidden[i]) : self };
	});
	const sample = sampleOfTimes(), sums = [first, second].map(pick => Number(totalIn(spanOf(pick), pick.thread)) || sample);
	return { ...columns, hidden: null, changed: null, delta: null, before: before, after: after, compared: { scale: sums[1] / sums[0], reason: 'ratio of the totals',
		error: Math.sqrt(sample / sums[0] + sample / sums[1]), noise: NOISE, samples: [sample, sample], byName: false } };
}

// Words

export const nameOfThread = t => activity.threads[t].name || activity.others + activity.more + ' other thread' + (activity.others === 1 ? '' : 's');

/** Return the number of threads; in a comparison, of each profile. All nameless threads count as one. */
export function threadsInWords() {
	const { threads, others } = activity, countOf = earlier => threads.filter((one, t) => Number(totalIn([0, activity.buckets], t, earlier))).length;
	const [before, after] = compared ? [countOf(true), countOf(false)] : [0, threads.length + (others ? others - 1 : 0)];
	return (before && before !== after ? grouped(before) + ' → ' : '') + grouped(after) + activity.more + (after === 1 ? ' thread' : ' threads') + (before === after ? ' each' : '');
}

/** Return the name of a thread with the word "thread" before it. */
export const threadInWords = t => (activity.threads[t].name ? 'thread ' : '') + nameOfThread(t);

const pickInWords = pick => [pick.span && inTime(pick.span), pick.thread >= 0 && threadInWords(pick.thread), isAny(pick) && !compared && inUnitOfFile(totalIn(spanOf(pick), pick.thread))].filter(Boolean).join(', ');

const percentOf = (part, earlier, span = [0, activity.buckets]) => shortPercent(100 * share(part, totalIn(span, -1, earlier) || 1));

/** Return the share of a thread in the counts of the picked span. In a comparison, return the shares before and after. */
export const shareOfThread = t => (compared ? [true, false] : [false]).map(earlier =>
	percentOf(totalIn(spanOf(picked), t, earlier), earlier, spanOf(picked))).join(' → ');

/** Return the share of a span in all counts, or "idle" if the span has no counts. In a comparison, return the shares before and after. */
function shareAt(span) {
	const parts = (compared ? [true, false] : [false]).map(earlier => [totalIn(span, picked.thread, earlier), earlier]);
	const shares = parts.map(([part, earlier]) => percentOf(part, earlier)).join(' → ');
	return parts.some(([part]) => Number(part)) ? shares : 'idle';
}

/** Return the bounds of a span that is being marked, its length, and its share of the counts. */
export const describeSpan = span => [inTime(span), inWords(span[1] - span[0]), shareAt(span)].join(' · ');

/** Return lines of text about a short span: its start and its share of the counts, then the stack with the highest count in the span, leaf
 * first. With `earlier`, use the stack from the earlier of the two compared profiles. */
export function describeTime(span, earlier) {
	const names = [];
	for (let i = Math.max(heaviestIn(span, picked.thread, earlier), 0); i; i = fileModel.caller[i]) {
		names.push(fileModel.names[fileModel.name[i]]);
	}
	const lines = names.length > MOST_LINES ? [...names.slice(0, MOST_LINES - 2), '…', names[names.length - 1]] : names;
	return [inWords(span[0]) + ' · ' + shareAt(span), ...lines].join('\n');
}
