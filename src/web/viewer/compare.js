/** Compare: shows in colours and in words how frames changed between two profiles, as in picture/compare.c. */
import { CHANGE_STEPS, SHADE_GONE, SHADE_GREW, SHADE_NEUTRAL, SHADE_NEW, SHADE_SHRANK } from './constants.js';
import { share, shownPercent, signed } from './counts.js';
import { exactCount, inUnit } from './units.js';
import { compared } from './picture.js';
import { isCompared, model } from './model.js';

export let bySelf = false;  // whether colours show the change of self counts instead of totals

export function colourBySelf(self) {
	bySelf = self;
}

/** Return the difference of two numbers of samples, in standard deviations. `later` is the expected share of the second number, and `error`
 * is the relative error of the scale. */
export function deviationsOf(samples, later, error) {
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
	return shade === SHADE_NEUTRAL ? '' : signed(shade < SHADE_SHRANK || shade === SHADE_NEW ? 1 : -1, ' ');
}

/** Return whether counts before are scaled. */
export const isScaled = () => model.compared.scale !== 1;

/** Return the scale as text. */
export const scaleInWords = () => String(Number(model.compared.scale.toPrecision(3)));

/** Return a count as text; with `isBefore`, the scaled count of a count before. */
const countOf = (count, isBefore) => inUnit(isBefore && isScaled() ? Math.round(model.compared.scale * Number(count)) : count);

/** Return the scaled count before and the count after. */
export const countsInWords = (before, after) => [countOf(before, true) + (isScaled() ? ' scaled' : ''), countOf(after, false)];

/** Return the larger of a frame's scaled total before and its total after. */
export const largerTotal = (of = 0) => Math.max(model.compared.scale * Number(model.before.total[of]), Number(model.after.total[of]));

/** Return the scaled count before and the count after as shares of a frame's larger total, so that their difference is the change, and
 * no share exceeds 1. */
export const partsOfChange = (before, after, of) => [model.compared.scale * Number(before), after].map(count => share(count, largerTotal(of)));

/** Return the two shares of partsOfChange() as text, as parts of the root's total. */
export const sharesOfChange = (before, after) => partsOfChange(before, after).map(part => shownPercent(100 * part, 2));

/** Return a frame's shares before and after. */
export const sharesOf = i => ' | ' + sharesOfChange(model.before.total[i], model.after.total[i]).join(' → ') + ' of all';

/** Return counts and change in words. */
export function changeInWords(i, which) {
	const [before, after] = countsInWords(model.before[which][i], model.after[which][i]);
	return before + ' before, ' + after + ' after' + (i ? ', ' + wordsOf(changeOf(i, which)) : '');
}

/** Return the counts of the profiles with all digits, if the shown counts are scaled or rounded. */
export function exactlyInWords(i) {
	const [before, after] = [model.before, model.after].map(side => side.total[i]), exact = count => exactCount(count) || inUnit(count);
	return isScaled() || exactCount(before) || exactCount(after) ?
		(isScaled() ? '; counted ' : '; exactly ') + exact(before) + ' before, ' + exact(after) + ' after' : '';
}

/** Return a change in words, without the counts. */
export function wordsOf(change) {
	const part = (100 * Math.abs(change.amount) / change.scaled).toFixed(1) + '%';
	return change.none ? 'unchanged' : (!change.before ? 'new' : !change.after ? 'gone' : signed(change.amount, part)) +
		(change.noise ? ', within noise' : '');
}
