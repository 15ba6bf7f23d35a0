/** Facts: the name of the program, the total, the duration, and the number of threads; of two
 * profiles, both totals and their change. */
import { on } from '../viewer/events.js';
import { shownPercent, signed } from '../viewer/counts.js';
import { compared, find } from '../viewer/picture.js';
import { fileModel } from '../viewer/model.js';
import { changeBetween, isScaled, scaleInWords } from '../viewer/compare.js';
import { inUnit, withUnit } from '../viewer/units.js';
import { activity, endOf, inWords } from './activity.js';
import { threadsInWords } from './times.js';
import { showFacts } from './layout.js';

const USUAL = /^(Flame Graph|Icicle Graph|Flame Chart|Differential Flame Graph)$/;

on('load', () => {
	const { total } = fileModel, title = find('#title'), given = title.getAttribute('data-text') || title.textContent;
	const subtitle = find('#subtitle'), more = [];
	more.push((compared ? totalsInWords() : withUnit(total[0])).replace(' of CPU', ' CPU'));
	if (activity) {
		more.push((compared ? [endOf(true), endOf(false)] : [activity.buckets]).map(end => inWords(end)).join(' → '), threadsInWords());
	}
	if (subtitle) {
		more.push(subtitle.getAttribute('data-text') || subtitle.textContent);
	}
	showFacts(USUAL.test(given) && programs() || given, more.join(' · '));
});

/** Return the totals of two profiles, the scale of counts before, and by how much the totals differ after scaling. */
function totalsInWords() {
	const { none, before, after, scaled, amount } = changeBetween(...[fileModel.before, fileModel.after].map(side => Number(side.total[0])));
	return inUnit(before) + (isScaled() ? ' × ' + scaleInWords() : '') + ' → ' + withUnit(after).trim() +
		(before ? ' (' + (none ? 'unchanged' : signed(amount, shownPercent(100 * Math.abs(amount) / scaled, 1))) + ')' : '');
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
