/** Facts: the name of the program, the total, the duration, and the number of threads. */
import { on } from '../viewer/events.js';
import { compared, find } from '../viewer/picture.js';
import { fileModel } from '../viewer/model.js';
import { withUnit } from '../viewer/units.js';
import { activity, inWords } from './activity.js';
import { showFacts } from './layout.js';

const USUAL = /^(Flame Graph|Icicle Graph|Flame Chart|Differential Flame Graph)$/;

on('load', () => {
	const { total, next, n, names, name } = fileModel, title = find('#title'), given = title.getAttribute('data-text') || title.textContent;
	const isOne = n > 1 && next[1] === n, subtitle = find('#subtitle'), more = [];
	if (!compared) {
		more.push(withUnit(total[0]).replace(' of CPU', ' CPU'));
	}
	if (activity) {
		const threads = activity.threads.length - (activity.others ? 1 : 0) + activity.others;
		more.push(inWords(activity.buckets), threads + (threads === 1 ? ' thread' : ' threads'));
	}
	if (subtitle) {
		more.push(subtitle.getAttribute('data-text') || subtitle.textContent);
	}
	showFacts(USUAL.test(given) && isOne ? names[name[1]] : given, more.join(' · '));
});
