/** Titles: the texts about a frame, apart from its label. */
import { share, shownPercent, whole } from './counts.js';
import { exactCount, inUnit, withUnit } from './units.js';
import { changeInWords, exactlyInWords, sharesOf } from './compare.js';
import { isCompared, isInside, model, nameOf } from './model.js';
import { make, set } from './picture.js';

const furtherTexts = [];

/** Return a count as it is shown: multiplied by --factor. */
export function shownCount(count) {
	const product = model.factor === 1 || !model.factor ? count : Math.round(Number(count) * model.factor);
	if (product < 9007199254740992 || typeof BigInt !== 'function') {
		return product;
	}
	return product < 18446744073709551616 ? BigInt(product) : BigInt('18446744073709551615');
}

export const percentOfAll = count => 100 * share(shownCount(count), Number(whole) * (model.factor || 1));

/** Return the title of a frame that is not drawn in the file. */
export function titleFor(i) {
	const given = model.functions.get(model.name[i]);
	if (given && given.title !== null) {
		return given.title;
	}
	if (model.compared) {
		return nameOf(i) + ' (' + changeInWords(i, 'total') + (i ? '; self ' + changeInWords(i, 'self') : '') + exactlyInWords(i) + ')';
	}
	return nameOf(i) + wordsFor(model.total[i], deltaFor(i));
}

/** Return the part of a title after the name: a count, its share of the root's count, `text`, and
 * the exact count. */
export function wordsFor(count, text) {
	const product = shownCount(count), exact = exactCount(product);
	return ' (' + withUnit(product) + ', ' + percentOfAll(count).toFixed(2) + '%' + text + (exact && '; ' + exact) + ')';
}

/** Give a frame's element its title, and its box the counts, as in the file, unless the element has a title. This takes time, so boxes
 * without labels get their titles only when they are needed. */
export function addTitle(el, i, box = el) {
	if (i >= 0 && !el.firstElementChild) {
		box.removeAttribute('aria-label');
		make('title', {}, el, titleFor(i));
		set(box, countsIn(i));
	}
}

/** Give a box without a title its counts, and a role and a name for screen readers; an element without a role may not have a name.
 * Such a box gets a title only when the mouse is on it: a title inherits the colour of its box, and if there are titles of hundreds of
 * colours, Chromium computes the styles of all titles slowly. */
export const addName = (box, i) => box.firstElementChild || set(box, { role: 'treeitem', 'aria-label': titleFor(i), ...countsIn(i) });

const countsIn = i => ({ 'fg:x': model.start[i], 'fg:w': model.total[i] });

function deltaFor(i) {
	const change = model.changed ? model.changed[i] : 0;
	const sign = !model.delta || !model.delta[i] ? '' : change === 2 !== model.negate ? '-' : '+';
	return change ? '; ' + sign + (100 * share(model.delta[i], whole)).toFixed(2) + '%' : '';
}

/** Add a function that returns further text on a frame, for the details line. */
export const addDetails = textOf => furtherTexts.push(textOf);

/** Return the text that the details line adds to a frame's title; `root` is the frame that is as wide as the picture. */
export const moreOf = (i, root) => countsOf(i, root) + furtherTexts.map(textOf => textOf(i) || '').join('');

function countsOf(i, root) {
	if (isCompared()) {
		return model.compared && i ? sharesOf(i) : '';
	}
	const self = model.self && i ? model.self[i] : null;
	return (root && isInside(i, root) ? ' | ' + shownPercent(100 * share(model.total[i], model.total[root]), 2) + ' of view' : '') +
		(self === null ? '' : ' | self ' + inUnit(shownCount(self)) + ', ' + shownPercent(percentOfAll(self), 2));
}
