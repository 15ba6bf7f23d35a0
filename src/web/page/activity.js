/**
 * Activity: when frames were active, from the columns that the page has besides the profile. docs/picture.md describes them.
 *
 * start, width        when the first bucket starts, and how wide each is, in nanoseconds
 * buckets, threads    how many buckets; the threads: { name, total }
 * others              how many threads the last one stands for; 0: it is one thread
 * first               by list: its first entry; there is a list for each bucket of the first thread, then of the second ...
 * frames, counts      by entry: its frame, and what the frame itself counts there
 * inside              by entry: 1 if the count is that of callees that are not in the file; null if all are
 * sums, most          by list: the sum of the counts; the largest of them
 */
import { TIMES_HIDDEN, TIMES_VERSION } from '../viewer/constants.js';
import { countColumn, number } from '../viewer/counts.js';
import { fail } from '../viewer/inflate.js';
import { on } from '../viewer/events.js';
import { find } from '../viewer/picture.js';
import { fileModel } from '../viewer/model.js';
import { fillColumn, inputOf, readCount, readNumber, readText } from '../viewer/unpack.js';

const UNITS = [['s', 1e9], ['ms', 1e6], ['\u00b5s', 1e3], ['ns', 1]];

/** The activity, null if the page has none, or until the model has been made. */
export let activity = null;

on('load', () => {
	const data = find('#times');
	try {
		activity = data && fileModel.self ? readActivity(inputOf(data)) : null;
	} catch (e) {
		activity = null;  // the page works without them
	}
});

function readActivity(input) {
	if (readNumber(input) !== TIMES_VERSION) {
		fail();
	}
	const flags = readNumber(input), start = readCount(input), width = readNumber(input);
	const [buckets, threads, others, n] = fillColumn(Array(4), input, readNumber);
	if (buckets * threads + n > input.bytes.length) {
		fail();
	}
	const read = { start: start, width: width, buckets: buckets, others: others, first: new Uint32Array(buckets * threads + 1) };
	read.threads = fillColumn(Array(threads), input, () => ({ name: readText(input), total: readCount(input) }));
	for (let list = 0; list < buckets * threads; list++) {
		read.first[list + 1] = read.first[list] + readNumber(input);
	}
	if (read.first[buckets * threads] !== n) {
		fail();
	}
	readEntries(read, input, flags & TIMES_HIDDEN);
	read.counts = fillColumn(countColumn(n), input, readCount);
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
	read.most = read.sums.reduce((a, b) => a > b ? a : b, number(0));
}

/** Return the sum of all counts in a span, of one thread or, with -1, of all. */
export function totalIn([from, to], thread) {
	let sum = number(0);
	activity.threads.forEach((one, t) => {
		for (let b = from; b < to && (thread < 0 || t === thread); b++) {
			sum += activity.sums[t * activity.buckets + b];
		}
	});
	return sum;
}

/** Return what frames count in a span, of one thread or, with -1, of all: { self, hidden } as in the model of the file. */
export function countsIn([from, to], thread) {
	const self = new (fileModel.self.constructor)(fileModel.n), hidden = activity.inside && self.slice();
	activity.threads.forEach((one, t) => {
		const at = t * activity.buckets, end = thread < 0 || t === thread ? activity.first[at + to] : 0;
		for (let k = activity.first[at + from]; k < end; k++) {
			(hidden && activity.inside[k] ? hidden : self)[activity.frames[k]] += activity.counts[k];
		}
	});
	return { self: self, hidden: hidden };
}

/** Return the name of the function that counts most in a bucket, '' if none does. */
export function heaviestIn(bucket, thread) {
	const sums = new Map();
	activity.threads.forEach((one, t) => {
		const at = t * activity.buckets + bucket, end = thread < 0 || t === thread ? activity.first[at + 1] : 0;
		for (let k = activity.first[at]; k < end; k++) {
			const name = fileModel.name[activity.frames[k]];
			sums.set(name, (sums.get(name) || 0) + Number(activity.counts[k]));
		}
	});
	const [most] = Array.from(sums).reduce((a, b) => b[1] > a[1] ? b : a, [-1, 0]);
	return most < 0 ? '' : fileModel.names[most];
}

/** Return a number of buckets as a length of time, such as "12.3 ms". */
export function inWords(buckets) {
	const ns = buckets * activity.width, [unit, size] = UNITS.find(([, least]) => ns >= least) || UNITS[0];
	return ns ? Number((ns / size).toPrecision(3)) + ' ' + unit : '0';
}
