/** Scale noise: says whether a change is noise because of the counts, or because the scale of the counts before is not exact. */
import { model } from '../viewer/model.js';
import { deviationsOf, scaleInWords, wordsOf } from '../viewer/compare.js';

/** Return in words why a change is noise, or '' if it is none. */
export function noiseInWords({ before, after, scaled, amount, noise: isNoise }) {
	const { scale, error, noise, samples } = model.compared, ratio = scale * samples[0] / samples[1], later = ratio / (1 + ratio);
	const counts = [before / samples[0], after / samples[1]], chance = Math.sqrt((counts[0] + counts[1]) * later * (1 - later));
	if (!isNoise || deviationsOf(counts, later, 0) < noise) {
		return isNoise ? ', within noise' : '';
	}
	const most = Math.max(noise * Math.hypot(error, 1 / chance), Math.abs(amount) / scaled);
	return ', within the error of the scale: at most ' + (100 * most).toFixed(1) + '%';
}

/** Return by how much all counts before are multiplied, and where this scale comes from. */
export const multipliedInWords = () => 'multiplied by ' + scaleInWords() + (model.compared.reason && ' (' + model.compared.reason + ')');

/** Return a change in words. If it is noise, say why, and do not call it new or gone. */
export const changeWithNoise = by => by.noise && !by.none && !(by.before && by.after) ? noiseInWords(by).slice(', '.length) :
	wordsOf(by).replace(', within noise', noiseInWords(by));
