/**
 * Units: counts in everyday words, such as `3.83 s of CPU`, `1.21 G cycles` and `44.1 MiB`, as in profile/unit.c. Without a unit, all
 * digits are written.
 */
import { grouped } from './counts.js';

// The prefixes of counts: the smallest value, the size of the unit, and the name.
const TIME_STEPS = [[7200e9, 3600e9, 'h'], [600e9, 60e9, 'min'], [999.5e6, 1e9, 's'], [999.5e3, 1e6, 'ms'], [999.5, 1e3, 'µs'], [0, 1, 'ns']];
const BYTE_STEPS = ['EiB', 'PiB', 'TiB', 'GiB', 'MiB', 'KiB', 'bytes'].map((name, i) =>
	[i < 5 ? 999.5 * Math.pow(1024, 5 - i) : i < 6 ? 1024 : 0, Math.pow(1024, 6 - i), name]);
const EVENT_STEPS = ['E', 'P', 'T', 'G', 'M', 'k', ''].map((name, i) =>
	[i < 5 ? 999.5 * Math.pow(1000, 5 - i) : i < 6 ? 1e5 : 0, Math.pow(1000, 6 - i), name]);
const TIME_NAMES = [[/^(nanoseconds|ns|nsec)$/, 'ns', 1], [/^(microseconds|us|µs|usec)$/, 'µs', 1e3], [/^(milliseconds|ms|msec)$/, 'ms', 1e6],
	[/^(seconds|s|sec)$/, 's', 1e9]];
const PLAIN = { steps: null, scale: 1, base: '', subject: '' };

let unitHere = PLAIN;  // the unit of the shown counts
let unitOfFile = PLAIN;

/** Return the unit with a name. */
export function unitOf(name) {
	const [, word, rest] = /^([^ ]*) ?([^]*)$/.exec(name), time = TIME_NAMES.find(([names]) => names.test(word));
	if (time) {
		return { steps: TIME_STEPS, scale: time[2], base: time[1], subject: rest.replace(/^of (cpu|cpu-clock|task-clock)(:[^]*)?$/, 'of CPU') };
	}
	return word === 'bytes' ? { steps: BYTE_STEPS, scale: 1, base: word, subject: rest } :
		!name || word === 'samples' ? { ...PLAIN, subject: name } : { steps: EVENT_STEPS, scale: 1, base: '', subject: name };
}

/** Set the unit of counts by its name. With `isPlain`, counts are written with all digits. */
export function useUnit(name, isPlain) {
	unitHere = unitOfFile = isPlain ? { ...PLAIN, subject: name } : unitOf(name);
}

/** Use nanoseconds as the unit, or the unit of the file again. */
export function countTime(isTime) {
	unitHere = isTime ? unitOf('ns') : unitOfFile;
}

/** Return the nanoseconds of a count of the file, or 0 if its unit is no time. */
export const timeScale = () => unitOfFile.steps === TIME_STEPS ? unitOfFile.scale : 0;

const stepFor = (count, unit) => unit.steps.find(([from]) => Number(count) * unit.scale >= from);

function threeDigits(value) {
	const places = value < 9.995 ? 2 : value < 99.95 ? 1 : 0, power = Math.pow(10, places);
	return places ? (Math.round(value * power) / power).toFixed(places) : grouped(Math.round(value));
}

/** Return a count with three digits and its prefix, without the subject. */
export function inUnit(count, unit = unitHere) {
	if (!unit.steps) {
		return grouped(count);
	}
	const [, size, name] = stepFor(count, unit), isZero = !Number(count), word = isZero && unit.steps === TIME_STEPS ? 's' : name;
	return (size === unit.scale || isZero ? grouped(count) : threeDigits(Number(count) * unit.scale / size)) + (word && ' ' + word);
}

/** Return the words after a count: ` cycles`, ` of CPU`, or nothing. */
export const subjectText = () => (!unitHere.steps || unitHere.subject ? ' ' : '') + unitHere.subject;

/** Return a count with its prefix and the words after it, such as ` cycles`. */
export const withUnit = count => inUnit(count) + subjectText();

/** Return the exact count if inUnit() rounds it, else ''. */
export function exactCount(count) {
	const isRounded = unitHere.steps && Number(count) && stepFor(count, unitHere)[1] !== unitHere.scale;
	return isRounded ? grouped(count) + (unitHere.base && ' ' + unitHere.base) : '';
}
