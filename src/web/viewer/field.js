/** Field: the input for a pattern. The search runs while the user types. */
import { on } from './events.js';
import { find, fontsize, make, modern, rootElement, set, setText, xpad } from './picture.js';
import { load } from './model.js';
import { widthNow } from './view.js';
import { addControl } from './controls.js';
import { addKeys, addMode } from './keys.js';
import { soon } from './soon.js';
import { keepSearch, pattern, resetSearch, sayMatched, search, searchOr, term, toggleCase } from './search.js';

const XHTML = 'http://www.w3.org/1999/xhtml';
let field = null;  // while the field is open: { box, input, output }, and { term, focused } from before it was opened

on('start', () => addControl('#search', 'Search', toggleSearch));
on('said', text => field && setText(field.output, text));
addKeys('/', '/', 'search for a regular expression', openField);
addKeys('Ctrl-f F3', 'Ctrl-F, F3', 'search, or reset the search', toggleSearch, () => rootElement);
addMode(onFieldKey);

function toggleSearch() {
	if (pattern) {
		resetSearch();
	} else {
		openField();
	}
}

/** Open the field to the left of the controls. */
function openField() {
	if (field) {
		field.input.focus();
		return;
	}
	load();
	const box = make('foreignObject', placeOfField(), find('#search').parentNode);
	const row = box.appendChild(document.createElementNS(XHTML, 'div'));
	const [input, output] = ['input', 'output'].map(name => row.appendChild(document.createElementNS(XHTML, name)));
	set(input, { type: 'text', spellcheck: 'false', autocomplete: 'off', placeholder: 'regular expression, such as ^main$',
		'aria-label': 'Search for functions by regular expression' });
	field = { box: box, input: input, output: output, term: pattern ? term : '', focused: document.activeElement };
	input.value = term;
	input.addEventListener('input', soon(tryTyped));
	input.addEventListener('blur', () => {
		if (document.activeElement !== input) {
			leaveField();
		}
	});
	input.focus({ preventScroll: true });
	input.select();
	sayMatched();
}

function placeOfField() {
	const xOf = selector => Number(find(selector).getAttribute('x'));
	const right = modern ? xOf('#search') - 10 * fontsize : xOf('#ignorecase') - 3 * fontsize, fits = right > 260;
	const x = fits ? Math.max(right - 420, xpad) : xpad;
	const y = find('#search').getAttribute('y') - 1.3 * fontsize;
	return { id: 'field', x: x, y: y, width: (fits ? right : widthNow() + xpad) - x, height: 2 * fontsize };
}

/** Search for the typed text. If the text is not a valid pattern, search for the last valid pattern and return false. */
const tryTyped = () => !field || searchOr(field.input.value, field.term);

/** Close the field, and keep the search if the typed text is a pattern. */
function leaveField() {
	if (field) {
		tryTyped();
		endField();
	}
}

function endField() {
	closeField();
	keepSearch();
}

/** Close the field, and go back to the search before it was opened. */
function dropSearch() {
	search(field.term);
	closeField();
}

function closeField() {
	const { box, input, focused } = field, hadFocus = document.activeElement === input;
	field = null;
	box.remove();
	if (hadFocus && focused && focused.isConnected && focused.focus) {
		focused.focus({ preventScroll: true });
	}
}

/** Handle a key in the field, and return whether the field has the focus. A second Ctrl-F closes the field and opens the browser's
 * search. */
function onFieldKey(evt, name) {
	if (!field || evt.target !== field.input) {
		return false;
	}
	const acts = { Escape: dropSearch, 'Ctrl-i': toggleCase, Enter: () => tryTyped() && endField(), 'Ctrl-f': dropSearch };
	if (acts[name] && !evt.isComposing) {
		acts[name]();
		if (name !== 'Ctrl-f') {
			evt.preventDefault();
		}
	}
	return true;
}
