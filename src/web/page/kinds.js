/** Kinds: sorts changes into five kinds: gone, less, more, new and unchanged. A legend has the colours and patterns of the kinds, as they
 * are drawn. Each entry is a button, with which the table shows only the functions of a kind. */
import { CHANGE_STEPS, SHADE_GONE, SHADE_GREW, SHADE_NEUTRAL, SHADE_NEW, SHADE_SHRANK } from '../viewer/constants.js';
import { grouped, share, shownPercent, signed } from '../viewer/counts.js';
import { find, make, set, setText } from '../viewer/picture.js';
import { classOf, largerTotal, sharesOfChange } from '../viewer/compare.js';
import { change, state } from '../viewer/state.js';
import { button, element } from './elements.js';

const SWATCH = 13;  // px
const STEP = 9;     // px of each of several swatches
const STEPS = ', from pale to dark: by up to ' + CHANGE_STEPS.concat(1).map(part => 100 * part + '%').join(', ') + ' of the larger count';
/** The kind of a function that has not changed, or by no more than noise. */
export const UNCHANGED = 'unchanged';
// Of each kind: its word, its first shade, the number of its shades, and its meaning.
const KINDS = [['gone', SHADE_GONE, 1, 'only before'], ['less', SHADE_SHRANK, 4, 'less than before' + STEPS],
	['more', SHADE_GREW, 4, 'more than before' + STEPS], ['new', SHADE_NEW, 1, 'only after'],
	[UNCHANGED, SHADE_NEUTRAL, 1, 'unchanged, or changed by no more than noise']];

/** Return the word of the kind of a change. */
export const kindOf = by => by.none || by.noise ? UNCHANGED : !by.before ? 'new' : !by.after ? 'gone' : by.amount > 0 ? 'more' : 'less';

/** Return the texts of a change: the share before, the share after, and their difference. If a count is 0 and this is the change, a word
 * stands for its share, because 0.00% might be rounded. */
export function textsOfChange(by) {
	const texts = sharesOfChange(by.before, by.after), kind = kindOf(by), place = ['new', 'gone'].indexOf(kind);
	if (place >= 0) {
		texts[place] = kind;
	}
	return [...texts, signed(by.amount, shownPercent(100 * Math.abs(share(by.amount, largerTotal())), 2))];
}

/** Return the kind that the table shows, or '' if it shows all. */
export const kindShown = () => KINDS.some(([word]) => word === state.kind) ? state.kind : '';

/** Add the legend to an element. Return a function that shows how many of the given kinds each kind has. */
export function addKinds(parent) {
	const entries = KINDS.map(([word, shade, shades, meaning]) => {
		const el = button('', () => change({ kind: kindShown() === word ? '' : word }, false), parent);
		const width = shades > 1 ? STEP : SWATCH;
		// If the picture has patterns, the swatches have them, too: the rules for pictures of two profiles need this nesting.
		const swatch = make('svg', { width: shades * width, height: SWATCH, class: find('#p' + shade) ? 'compared' : '', 'aria-hidden': 'true' }, el);
		const inner = make('svg', {}, swatch);
		for (let at = 0; at < shades; at++) {
			make('rect', { x: at * width, width: width, height: SWATCH, class: classOf(shade + at) }, inner);
		}
		element('span', {}, el, word);
		el.title = 'Only functions that are ' + meaning;
		return { word: word, el: el, count: element('small', {}, el) };
	});
	return kinds => entries.forEach(({ word, el, count }) => {
		setText(count, grouped(kinds.filter(each => each === word).length));
		set(el, { 'aria-pressed': String(word === kindShown()) });
	});
}
