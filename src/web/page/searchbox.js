/** Search box: a field in the bar for the pattern of the search, with the share that the matches cover. */
import { on } from '../viewer/events.js';
import { make, port, setText } from '../viewer/picture.js';
import { load } from '../viewer/model.js';
import { addKeys } from '../viewer/keys.js';
import { hasMatches, keepSearch, pattern, resetSearch, searchOr, term, toggleCase } from '../viewer/search.js';
import { showMatch } from '../viewer/steps.js';
import { soon } from '../viewer/soon.js';
import { button, element } from './elements.js';
import { placeOf } from './layout.js';

const box = placeOf('search');
const input = element('input', { type: 'text', id: 'find', spellcheck: 'false', autocomplete: 'off', placeholder: 'Search functions',
	title: 'a regular expression, such as ^main$; Enter goes to the next match', 'aria-label': 'Search for functions by regular expression',
	input: soon(tryTyped), focus: () => { before = searched(); }, blur: leave, keydown: onKey }, box);
const share = element('output', {}, box);
const clear = button('\u00d7', () => {
	input.value = '';
	resetSearch();
	input.focus();
}, box, 'Clear the search');
clear.hidden = true;
clear.tabIndex = -1;  // Tab skips this button on the way to the graph, because Escape does the same
const lens = box.appendChild(make('svg', { class: 'lens', width: 16, height: 16, 'aria-hidden': 'true' }));
make('path', { d: 'M11 11l4 4M12 7a5 5 0 1 1-10 0a5 5 0 1 1 10 0' }, lens);
const keyHint = element('kbd', { 'aria-hidden': 'true' }, box, '/');
const searched = () => pattern ? term : '';
let before = '';  // the search before the user began to type

const focusBox = () => {
	input.focus();
	input.select();
};

addKeys('/ Ctrl-f F3', '/, Ctrl-F, F3', 'search for a regular expression', focusBox);
on('said', showShare);
on('search', () => {
	if (document.activeElement !== input) {
		input.value = searched();
	}
});

function showShare(text) {
	const found = /^Matched: (.*) \((.*)\)$/.exec(text);
	setText(share, found && found[2] !== 'no match' ? found[2] + ', ' + found[1] : text.trim().replace(/^Matched: 0% \(no match\)$/, 'no match'));
	share.title = text.trim();
	clear.hidden = !pattern;
	keyHint.hidden = Boolean(pattern) || text.trim() !== '';
}

/**
 * Search for the typed pattern, unless it is the current one. Return whether the pattern is valid.
 */
function tryTyped() {
	if (input.value === searched()) {
		return true;
	}
	load();
	return searchOr(input.value, before);
}

function leave() {
	tryTyped();
	keepSearch();
}

/** Enter keeps the typed pattern, and goes from match to match. Escape restores the previous search,
 * and pressed again ends it. */
function onKey(evt) {
	const { key } = evt, isControl = evt.ctrlKey || evt.metaKey;
	if (evt.isComposing) {
		return;
	}
	if (key === 'Enter') {
		if (tryTyped()) {
			keepSearch();
			before = searched();
			if (hasMatches()) {
				showMatch(evt.shiftKey ? -1 : 1);
			}
		}
	} else if (key === 'Escape') {
		if (before && input.value !== before) {
			input.value = before;
			tryTyped();
		} else {
			input.value = '';
			leave();  // resetSearch() ends only a search that was kept
			input.blur();
			port.focus({ preventScroll: true });
		}
	} else if (isControl && key.toLowerCase() === 'i') {
		toggleCase();
	} else {
		return;
	}
	evt.preventDefault();
	evt.stopPropagation();
}
