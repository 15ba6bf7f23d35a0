/** Compare: shows in colours and in words how frames changed between two profiles, as in picture/compare.c. */
import { CHANGE_STEPS, SHADE_GONE, SHADE_GREW, SHADE_NEUTRAL, SHADE_NEW, SHADE_SHRANK } from './constants.js';
import { grouped, share, shownPercent } from './counts.js';
import { exactCount, inUnit } from './units.js';
import { compared } from './picture.js';
import { isCompared, model } from './model.js';

export let bySelf = false;  // colours show the change of self counts, not of totals

export function colourBySelf(self) {
	bySelf = self;
}

/** Return the difference of two numbers of samples, in standard deviations. `later` is the expected share of the second number, and `error`
 * is the relative error of the scale. */
function deviationsOf(samples, later, error) {
	const n = samples[0] + samples[1], expected = [n * (1 - later), n * later], chance = Math.sqrt(n * later * (1 - later));
	const score = Math.abs(samples[1] - expected[1]) / chance;
	const deviance = samples.reduce((sum, k, at) => sum + (k && 2 * k * Math.log(k / expected[at])), 0);
	return Math.min(score, Math.sqrt(Math.max(deviance, 0))) / Math.hypot(1, error * chance);
}

/** Return how a count changed. */
export function changeBetween(before, after) {
	const { scale, error, noise, samples } = model.compared, amount = after - scale * before;
	const ratio = scale * samples[0] / samples[1];
	return { before: before, after: after, scaled: scale * before, amount: amount, none: Math.abs(amount) < 0.5,
		noise: noise > 0 && deviationsOf([before / samples[0], after / samples[1]], ratio / (1 + ratio), error) < noise };
}

/** Return how a frame's self count ('self') or its total ('total') changed. */
const changeOf = (i, which) => changeBetween(Number(model.before[which][i]), Number(model.after[which][i]));

/** Return the step of a shade for a share: the number of thresholds that the share exceeds. */
export const stepOf = (part, thresholds) => thresholds.filter(threshold => part > threshold).length;

/** Return the class of a shade. */
export const classOf = shade => 'c' + shade;

/** Return the class of a frame's shade. */
export const shadeOf = i => i ? shadeOfChange(changeOf(i, bySelf ? 'self' : 'total')) : classOf(SHADE_NEUTRAL);

/** Return the class of the shade of a change. */
export function shadeOfChange(change) {
	if (change.none || change.noise) {
		return classOf(SHADE_NEUTRAL);
	}
	const step = stepOf(Math.abs(change.amount) / Math.max(change.scaled, change.after), CHANGE_STEPS);
	return classOf(!change.before ? SHADE_NEW : !change.after ? SHADE_GONE :
		(change.amount > 0 ? SHADE_GREW : SHADE_SHRANK) + step);
}

/** Return the sign before the label of a box. If frames have the colours of a palette, an attribute has the shade of the change. */
export function signOf(rect) {
	const change = rect.getAttribute('data-change') || rect.getAttribute('class');
	const shade = (compared || isCompared()) && change ? Number(change.slice(1)) : SHADE_NEUTRAL;
	return shade === SHADE_NEUTRAL ? '' : shade < SHADE_SHRANK || shade === SHADE_NEW ? '+' : '-';
}

/** Return a frame's share of each profile, and if the counts are scaled, its scaled count before. */
export function sharesOf(i) {
	const [before, after] = ['before', 'after'].map(side => shownPercent(100 * share(model[side].total[i], model[side].total[0]), 2));
	const { before: count, scaled } = changeOf(i, 'total'), raw = inUnit(count);
	return ' | ' + before + ' → ' + after + ' of all' + (scaled === count ? '' :
		' | ' + raw + ' before, scaled ' + (raw !== grouped(count) ? inUnit(Math.round(scaled)) :
			grouped(Number(scaled.toPrecision(4)).toFixed(scaled < 1000 ? 1 : 0))));
}

/** Return counts and change in words. */
export function changeInWords(i, which) {
	const counts = inUnit(model.before[which][i]) + ' before, ' + inUnit(model.after[which][i]) + ' after';
	return counts + (i ? ', ' + wordsOf(changeOf(i, which)) : '');
}

/** Return the exact counts of a frame, if the shown counts are rounded. */
export function exactlyInWords(i) {
	const [before, after] = [model.before, model.after].map(side => side.total[i]), exact = count => exactCount(count) || inUnit(count);
	return exactCount(before) || exactCount(after) ? '; exactly ' + exact(before) + ' before, ' + exact(after) + ' after' : '';
}

/** Return a change in words, without the counts. */
export function wordsOf(change) {
	const part = (100 * Math.abs(change.amount) / change.scaled).toFixed(1) + '%';
	return change.none ? 'unchanged' : (!change.before ? 'new' : !change.after ? 'gone' : (change.amount > 0 ? '+' : '-') + part) +
		(change.noise ? ', within noise' : '');
}
