/** Search: finds the frames whose names match a regular expression, whether they are drawn or not,
 * and shows the share that they cover. */
import { announce, on } from './events.js';
import { number, share, shownPercent } from './counts.js';
import { find, setText } from './picture.js';
import { load, model } from './model.js';
import { partsOfChange } from './compare.js';
import { view } from './view.js';
import { addControl, showPressed } from './controls.js';
import { addKeys } from './keys.js';
import { change, keepWords, record, state } from './state.js';
import { report } from './status.js';
import { endSearch, findTexts } from './match.js';

export let pattern = null;  // the current pattern; null: there is no search
export let term = '';       // the text of the current pattern, or of the last one
export let scope = 0;       // the frame within which matches are counted
let ignoresCase = false;
let matching = null;        // by name: 1 if the name matches
let matches = [];           // the frames in the scope that match, and are not inside of another match
let inner = [];             // the matches that are inside of another match
let isSorted = false;       // whether all matches are in `matches`, in the order in which they are visited
let covered = '';           // share of the count that the matches cover, in per cent
let current = -1;           // index of the last visited match
let searcher = null, caser = null;

on('start', () => {
	searcher = find('#search');
	caser = find('#ignorecase');
	setText(caser, 'Aa');
	addControl('#ignorecase', 'Ignore case when searching', toggleCase);
});
addKeys('Ctrl-i', 'Ctrl-I', 'ignore case when searching', toggleCase);
on('model', searchAgain);
on('zoom', passing => {
	if (!passing) {
		scope = view.root;
		countMatches();
	}
});
keepWords(['s', 'ic'], () => {
	ignoreCase(state.ic === '1');
	searchOr(state.s || '', '');
});

/** Return a text as a regular expression; or null if it is not valid, and show the fault in the
 * matched line. */
function compile(text) {
	try {
		return new RegExp(text, ignoresCase ? 'i' : '');
	} catch (e) {
		report('Bad pattern: ' + e.message.split(': ').pop());
		return null;
	}
}

/**
 * Search for a pattern. An empty pattern ends the search. Return whether the pattern is valid. If
 * the pattern is not valid, change nothing. If the search takes too long, search for `otherwise`,
 * if this pattern is given.
 */
export function search(text, otherwise) {
	const compiled = text ? compile(text) : null;
	if (text && !compiled) {
		return false;
	}
	load();
	endSearch();
	if (!compiled || String(compiled) === String(pattern)) {
		show(text, compiled, compiled && matching);
		return true;
	}
	let isDone = false, isLate = false;
	const keepLate = () => isLate && !find('#field') && keepSearch();
	findTexts(compiled, model.names, found => {
		isDone = true;
		if (!found) {
			if (otherwise !== undefined && otherwise !== text) {
				search(otherwise);
			}
			report('Stopped: this pattern takes too long');
			keepLate();
			return;
		}
		show(text, compiled, found);
		keepLate();
	});
	isLate = !isDone;
	if (isLate) {
		report('Searching ...');
	}
	return true;
}

/** Search for the same pattern in other names. */
function searchAgain() {
	if (pattern) {
		matching = null;
		findTexts(pattern, model.names, found => show(term, pattern, found));
	}
}

/** Show the matches of a search. */
function show(text, compiled, found) {
	term = text || term;
	pattern = compiled;
	matching = found;
	if (found) {
		found[model.name[0]] = 0;  // the root has no name
	}
	announce('search');
	countMatches();
}

/**
 * Search for a pattern. If the typed pattern is invalid, search for the other pattern, but keep the
 * error in the matched line. Return as search() does.
 */
export function searchOr(text, other) {
	const good = search(text, other);
	if (!good) {
		search(other);
		compile(text);
	}
	return good;
}

/** Return whether there is a search. */
export const isSearched = () => matching !== null;
export const isNameMatch = id => matching !== null && matching[id] === 1;
export const isMatch = i => matching !== null && matching[model.name[i]] === 1;

export const resetSearch = () => change({ s: '' });

/** Add the current search to the steps of the history. */
export const keepSearch = () => record({ s: pattern ? term : '' });

export function toggleCase() {
	keepSearch();
	change({ ic: ignoresCase ? '' : '1' });
}

function ignoreCase(ignored) {
	ignoresCase = ignored;
	showPressed(caser, ignored);
}

// Counting

function countMatches() {
	matches = [];
	inner = [];
	isSorted = false;
	current = -1;
	covered = pattern && model.n ? coverage() : '';
	searcher.classList.toggle('show', pattern !== null);
	setText(searcher, pattern ? 'Reset Search' : 'Search');
	searcher.setAttribute('aria-label', pattern ? 'Reset search' : 'Search');
	sayMatched();
}

/** Find the matches in the scope. Return the share that the matches cover, as text. A match inside of another match adds nothing. */
function coverage() {
	const missed = findMatches(), covers = totals => matches.reduce((sum, i) => sum + totals[i], number(0));
	if (model.compared) {
		return partsOfChange(covers(model.before.total), covers(model.after.total), scope)
			.map((part, at) => inPercent(part) + (at ? ' after' : ' before')).join(', ');
	}
	const [low, high] = boundsOf(Number(covers(model.total)), missed).map(part => inPercent(share(part, model.total[scope])));
	return low === high ? low : low.replace('%', '–') + high;
}

const inPercent = part => part === 1 ? '100%' : shownPercent(100 * part, 1);

/** Find the matches in the scope. Return the sum of the counts of frames that are neither in the
 * file nor below a match. */
function findMatches() {
	const { total, next, hidden } = model, end = next[scope];
	let past = 0, missed = 0;
	for (let i = scope; i < end; i++) {
		const matched = isMatch(i) && total[i] > 0;
		if (matched) {
			(i < past ? inner : matches).push(i);
		}
		if (i >= past) {
			if (matched) {
				past = next[i];
			} else if (hidden) {
				missed += Number(hidden[i]);
			}
		}
	}
	return missed;
}

/**
 * Return the least and the greatest coverage. Matches in the file cover `seen`; `missed` is the
 * count that is neither in the file nor below a match. `unseen` has, by name, the count of frames
 * outside the file.
 */
function boundsOf(seen, missed) {
	if (!missed || !model.unseen) {
		return [seen, seen];
	}
	const unseen = model.unseen.filter((count, name) => matching[name] === 1);
	const most = Math.min(unseen.reduce((sum, count) => sum + Number(count), seen), seen + missed);
	return [unseen.length === 1 && !scope ? most : seen, most];
}

export function sayMatched() {
	const n = matches.length + inner.length;
	const frames = (current < 0 ? '' : current + 1 + ' of ') + n + (n === 1 ? ' frame' : ' frames');
	const some = n || /[1-9]/.test(covered);
	report(!pattern ? ' ' : 'Matched: ' + (some ? covered + ' (' + frames + ')' : '0% (no match)'));
}

// --- Going from match to match

export const hasMatches = () => pattern !== null && matches.length > 0;

/** Put the matches into the order in which they are visited: the heaviest first, and matches inside of another match last. */
function sortMatches() {
	if (!isSorted) {
		const { total } = model, byWeight = (a, b) => total[a] < total[b] ? 1 : total[a] > total[b] ? -1 : a - b;
		matches = matches.sort(byWeight).concat(inner.sort(byWeight));
		inner = [];
		isSorted = true;
	}
}

/** Make the next match (1) or the previous match (-1) current, and return it. After the last match comes the first. */
export function nextMatch(by) {
	sortMatches();
	const n = matches.length;
	current = current < 0 ? (by < 0 ? n - 1 : 0) : (current + by + n) % n;
	sayMatched();
	return matches[current];
}
