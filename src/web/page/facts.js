/** Facts: the name of the program, the total, the duration, and the number of threads; of two
 * profiles, both totals and their change. */
import { on } from '../viewer/events.js';
import { grouped, shownPercent, signed } from '../viewer/counts.js';
import { compared, find } from '../viewer/picture.js';
import { fileModel } from '../viewer/model.js';
import { changeBetween, isScaled, scaleInWords } from '../viewer/compare.js';
import { exactCount, inUnit, subjectText, unitOf, withUnit } from '../viewer/units.js';
import { activity, endOf, inWords } from './activity.js';
import { multipliedInWords } from './scalenoise.js';
import { threadsInWords } from './times.js';
import { showFacts } from './layout.js';

const USUAL = /^(Flame Graph|Icicle Graph|Flame Chart|Differential Flame Graph)$/;

on('load', () => {
	const { total } = fileModel, title = find('#title'), given = title.getAttribute('data-text') || title.textContent;
	const subtitle = find('#subtitle'), names = compared ? ['before', 'after'].map(side => find('#profile').getAttribute('data-' + side)) : [];
	const isNamed = names[0] === null || given === names.join(' → ');
	const [totals, explained] = compared ? totalsInWords(names, isNamed) : [withUnit(total[0]), ''], more = [totals.replace(' of CPU', ' CPU')];
	if (activity) {
		more.push((compared ? [endOf(true), endOf(false)] : [activity.buckets]).map(end => inWords(end)).join(' → '), threadsInWords());
	}
	if (subtitle && !names[0]) {
		more.push(subtitle.getAttribute('data-text') || subtitle.textContent);
	}
	showFacts(USUAL.test(given) && programs() || given, more.join(' · '), explained);
});

/** Return a count with three digits, also if it has no unit. */
function shortly(count) {
	const text = inUnit(count);
	return text === grouped(count) ? inUnit(count, unitOf('events')) : text;
}

/** Return the totals of two profiles, with their change as counted and, if counts before are scaled, after scaling; and a text with the
 * exact totals and the reason for the scale. */
function totalsInWords(names, isNamed) {
	const counts = [fileModel.before, fileModel.after].map(side => Number(side.total[0])), { none, scaled, amount } = changeBetween(...counts);
	const [before, after] = counts, labels = names.map((name, at) => name || ['before', 'after'][at]);
	const inWordsOf = (by, of) => by ? signed(by, shownPercent(100 * Math.abs(by) / of, 1)) : 'unchanged';
	const texts = counts.map((count, at) => (isNamed ? '' : labels[at] + ' ') + shortly(count)), rest = isScaled() ?
		'; scaled by ' + scaleInWords() + ': ' + inWordsOf(none ? 0 : amount, scaled) : '';
	return [texts.join(' → ') + subjectText().trimEnd() + (before ? ' (' + inWordsOf(after - before, before) + rest + ')' : ''),
		counts.map((count, at) => labels[at] + ': ' + (exactCount(count) || grouped(count))).join(', ') + ', as counted.' + (isScaled() ?
			' One profile may have more samples than the other. So before the comparison, all counts before are ' + multipliedInWords() +
			'. All other counts, shares and changes on this page are after that.' : '')];
}

/** Return the name of the root's callee with the largest total, and the number of the root's other callees. */
function programs() {
	const { n, next, total, names, name } = fileModel;
	let most = 0, others = -1;
	for (let i = 1; i < n; i = next[i]) {
		most = !most || total[i] > total[most] ? i : most;
		others++;
	}
	return most && names[name[most]] + (others ? ' and ' + others + (others === 1 ? ' other' : ' others') : '');
}
