/**
 * Activity: when frames were active. The page has columns with these times, in addition to the
 * profile. docs/picture.md describes these columns.
 *
 * start, width        the start of the first bucket, and the width of a bucket, in nanoseconds
 * buckets, threads    the number of buckets; the threads: { name, total }, in a comparison { name, total, before }
 * others              how many threads the last item of `threads` stands for; 0 if it is a single thread
 * more                '+' if there may be more threads than `others` says, or ''
 * first               by list: the index of its first entry. There is one list for each bucket of the first thread, then one for each
 *                     bucket of the second thread, and so on. A comparison has the lists of the later profile, then those of the
 *                     earlier profile
 * frames, counts      by entry: a frame, and its self count in this bucket
 * inside              by entry: 1 if the count is that of callees that are not in the file; `inside` is null if all frames are in the file
 * sums                by list: the sum of its counts
 */
import { TIMES_COMPARED, TIMES_HIDDEN, TIMES_UNCOUNTED, TIMES_VERSION } from '../viewer/constants.js';
import { countColumn, number } from '../viewer/counts.js';
import { fail } from '../viewer/unpacking.js';
import { on } from '../viewer/events.js';
import { compared, find } from '../viewer/picture.js';
import { fileModel } from '../viewer/model.js';
import { fillColumn, fillCounts, inputOf, readCount, readNumber, readText } from '../viewer/unpack.js';

const UNITS = [['s', 1e9], ['ms', 1e6], ['\u00b5s', 1e3], ['ns', 1]];

/** The activity. The value is null if the page has no times, and before the model is made. */
export let activity = null;

on('load', () => {
	const data = find('#times');
	try {
		activity = data && fileModel.self ? readActivity(inputOf(data)) : null;
	} catch (e) {
		activity = null;  // the page also works without times
	}
});

function readActivity(input) {
	if (readNumber(input) !== TIMES_VERSION) {
		fail();
	}
	const flags = readNumber(input), start = readCount(input), width = readNumber(input);
	const [buckets, threads, others, n] = fillColumn(Array(4), input, readNumber);
	const lists = buckets * threads * (compared ? 2 : 1);
	if (lists + n > input.bytes.length || Boolean(flags & TIMES_COMPARED) !== compared) {
		fail();
	}
	const read = { start: start, width: width, buckets: buckets, others: others, more: flags & TIMES_UNCOUNTED ? '+' : '', first: new Uint32Array(lists + 1) };
	read.threads = fillColumn(Array(threads), input,
		() => ({ name: readText(input), total: readCount(input), before: compared && readCount(input) }));
	for (let list = 0; list < lists; list++) {
		read.first[list + 1] = read.first[list] + readNumber(input);
	}
	if (read.first[lists] !== n) {
		fail();
	}
	readEntries(read, input, flags & TIMES_HIDDEN);
	read.counts = fillCounts(countColumn(n), input);
	addSums(read);
	return read;
}

function readEntries(read, input, hidden) {
	const n = read.first[read.first.length - 1], frames = read.frames = new Uint32Array(n);
	for (let list = 0; list + 1 < read.first.length; list++) {
		for (let k = read.first[list], last = 0; k < read.first[list + 1]; k++) {
			frames[k] = last += readNumber(input);
		}
	}
	read.inside = hidden ? frames.map(entry => entry & 1) : null;
	read.frames = hidden ? frames.map(entry => entry >> 1) : frames;
	if (read.frames.some(i => i >= fileModel.n)) {
		fail();
	}
}

function addSums(read) {
	read.sums = countColumn(read.first.length - 1);
	for (let list = 0; list < read.sums.length; list++) {
		for (let k = read.first[list]; k < read.first[list + 1]; k++) {
			read.sums[list] += read.counts[k];
		}
	}
}

/** Return the index of the first list of a thread. With `earlier`, return the index of its first list for the earlier of the two compared
 * profiles. */
export const listOf = (thread, earlier) => (thread + (earlier ? activity.threads.length : 0)) * activity.buckets;

/** Return the sum of all counts in a span, for one thread, or for all threads if `thread` is -1. With `earlier`, use the earlier of the two
 * compared profiles. */
export function totalIn([from, to], thread, earlier) {
	let sum = number(0);
	activity.threads.forEach((one, t) => {
		for (let b = from; b < to && (thread < 0 || t === thread); b++) {
			sum += activity.sums[listOf(t, earlier) + b];
		}
	});
	return sum;
}

/** Return the index after the last bucket with counts. With `earlier`, use the earlier of the two compared profiles. */
export function endOf(earlier) {
	let end = 0;
	activity.threads.forEach((one, t) => {
		const at = listOf(t, earlier);
		end = activity.sums.slice(at, at + activity.buckets).reduce((last, sum, b) => sum ? Math.max(last, b + 1) : last, end);
	});
	return end;
}

/** Return the counts of frames in a span, for one thread, or for all threads if `thread` is -1,
 * as columns of the model: { self, hidden }, or in a comparison { before, after }, each with
 * `self`. */
export function countsIn(span, thread) {
	return compared ? { before: countsOfSide(span, thread, true), after: countsOfSide(span, thread, false) } : countsOfSide(span, thread, false);
}

function countsOfSide([from, to], thread, earlier) {
	const self = new (fileModel.self.constructor)(fileModel.n), hidden = activity.inside && self.slice();
	activity.threads.forEach((one, t) => {
		const at = listOf(t, earlier), end = thread < 0 || t === thread ? activity.first[at + to] : 0;
		for (let k = activity.first[at + from]; k < end; k++) {
			(hidden && activity.inside[k] ? hidden : self)[activity.frames[k]] += activity.counts[k];
		}
	});
	return { self: self, hidden: hidden };
}

/** Call `act(bucket, frame, count)` for each entry of a thread, or, if the thread is -1, of all threads. With `earlier`, use the earlier of
 * the two compared profiles. */
export function forEntries(thread, act, earlier) {
	activity.threads.forEach((one, t) => {
		const from = listOf(t, earlier), to = from + activity.buckets;
		for (let list = from; list < to && (thread < 0 || t === thread); list++) {
			for (let k = activity.first[list]; k < activity.first[list + 1]; k++) {
				act(list - from, activity.frames[k], Number(activity.counts[k]));
			}
		}
	});
}

/** Estimate the count of one sample, as the median of the counts of frames in buckets. */
export const sampleOfTimes = () => Number(activity.counts.slice().sort()[activity.counts.length >> 1]) || 1;

/** Return the frame with the highest count in a span, or -1 if no frame has a count. With `earlier`, use the earlier of the two compared
 * profiles. */
export function heaviestIn([from, to], thread, earlier) {
	const sums = new Map();
	activity.threads.forEach((one, t) => {
		const at = listOf(t, earlier), end = thread < 0 || t === thread ? activity.first[at + to] : 0;
		for (let k = activity.first[at + from]; k < end; k++) {
			sums.set(activity.frames[k], (sums.get(activity.frames[k]) || 0) + Number(activity.counts[k]));
		}
	});
	return Array.from(sums).reduce((a, b) => b[1] > a[1] ? b : a, [-1, 0])[0];
}

/** Return a number of buckets as a length of time, such as "12.3 ms", in the unit that suits `like` buckets. */
export function inWords(buckets, like = buckets) {
	const [unit, size] = unitFor(like * activity.width);
	return Number((buckets * activity.width / size).toPrecision(3)) + ' ' + unit;
}

const unitFor = ns => UNITS.find(([, least]) => ns >= least) || UNITS[0];

/** Return a span of time, such as "0.80–1.62 s", with as many decimals as tell the buckets apart. */
export function inTime(span) {
	const [unit, size] = unitFor(span[1] * activity.width), places = Math.max(Math.ceil(Math.log10(size / activity.width) - 0.001), 0);
	return span.map(at => (at * activity.width / size).toFixed(places)).join('–') + ' ' + unit;
}
