/**
 * Notes: texts about functions. The address stores the notes of the user, and the page contains the notes of --note. A mark shows which
 * frames have a note, and a panel lists all notes.
 */
import { on } from '../viewer/events.js';
import { make, rectOf } from '../viewer/picture.js';
import { load, model, nameOf } from '../viewer/model.js';
import { view, widthNow } from '../viewer/view.js';
import { tellText } from '../viewer/status.js';
import { change, keepWords, state } from '../viewer/state.js';
import { focusFrame } from '../viewer/focus.js';
import { subject } from '../viewer/copy.js';
import { findHere } from '../viewer/match.js';
import { addDetails } from '../viewer/titles.js';
import { button, element } from './elements.js';
import { addView, offerView, placeOf } from './layout.js';
import { exactly } from './filters.js';

const EAR = 7;         // px of the mark in the corner of a box
const LEAST_BOX = 10;  // narrower boxes get no mark
const ownNotes = new Map();  // by name of the function
let givenNotes = [];   // of --note: { regex, text, names, found }; `found` has a 1 for each name that matches

const noteList = addView('notes', 'Notes', listNotes);
const noteForm = element('form', { class: 'note', hidden: '', submit: evt => {
	evt.preventDefault();
	setNote(noteFor, noteInput.value.trim());
	closeForm();
}, keydown: evt => evt.key === 'Escape' && closeForm() });
const noteInput = element('input', { type: 'text', autocomplete: 'off', maxlength: 500 }, noteForm);
let focusedFrom = -1;
let noteFor = '';  // the function of the form
element('button', { type: 'submit' }, noteForm, 'Save note');
button('Cancel', closeForm, noteForm);

on('start', () => {
	const given = document.querySelector('#notes');
	if (given) {
		givenNotes = Array.from(given.children, el => ({ regex: el.dataset.pattern, text: el.dataset.text }));
		given.remove();
	}
});
for (const event of ['load', 'swap', 'moved', 'zoom']) {
	on(event, markNoted);
}
on('model', () => {
	if (!noteList.hidden) {
		listNotes();
	}
});
keepWords(['notes'], () => readNotes(state.notes || '[]'));
addDetails(i => i && notesOn(i).map(text => ' | note: ' + text).join(''));
on('hand', closeForm);
on('start', () => {
	placeOf('details').append(noteForm);
	offerView('notes', givenNotes.length > 0);
});

function readNotes(text) {
	ownNotes.clear();
	try {
		for (const [name, note] of JSON.parse(text)) {
			if (typeof name === 'string' && typeof note === 'string') {
				ownNotes.set(name, note);
			}
		}
	} catch (e) {
		// This page did not write the address.
	}
	showNotes();
}

/** Store a note on a function. An empty text removes the note. */
function setNote(name, text) {
	const kept = Array.from(ownNotes).filter(([other]) => other !== name);
	change({ notes: text || kept.length ? JSON.stringify(text ? [...kept, [name, text]] : kept) : '' }, false);
}

function showNotes() {
	offerView('notes', ownNotes.size + givenNotes.length > 0);
	markNoted();
	if (!noteList.hidden) {
		listNotes();
	}
}

// The form

/** Open the form for a note on a function. */
export function openNote(name) {
	focusedFrom = subject();
	noteFor = name;
	noteForm.hidden = false;
	noteInput.setAttribute('aria-label', 'Note on ' + name);
	noteInput.value = ownNotes.get(name) || '';
	noteInput.focus();
}

function closeForm() {
	const had = noteForm.contains(document.activeElement);
	noteForm.hidden = true;
	if (had && focusedFrom > 0) {
		focusFrame(focusedFrom);
	}
}

// --- The functions that have notes

/** Return, for each name of the model, whether a note of --note matches the name. A pattern that is invalid or too slow matches nothing. */
function foundBy(note) {
	if (note.names !== model.names) {
		note.names = model.names;
		try {
			note.found = findHere(new RegExp(note.regex), model.names);
			note.why = note.found ? '' : 'this pattern takes too long';
		} catch (e) {
			note.found = null;
			note.why = e.message;
		}
	}
	return note.found || [];
}

/** Return the notes on the function of a frame. */
function notesOn(i) {
	const own = ownNotes.get(nameOf(i));
	return (own ? [own] : []).concat(givenNotes.filter(note => foundBy(note)[model.name[i]]).map(note => note.text));
}

/** Return, for each name of the model, whether there is a note on the name. */
function noted() {
	const has = Uint8Array.from(model.names, name => ownNotes.has(name));
	givenNotes.forEach(note => foundBy(note).forEach((is, at) => {
		has[at] |= is;
	}));
	has[model.name[0]] = 0;
	return has;
}

/** Draw a corner on the boxes of functions with notes. */
function markNoted() {
	const old = view.el.querySelector('path.noted');
	if (old) {
		old.remove();
	}
	if (!model || !view.ids || !ownNotes.size && !givenNotes.length) {
		return;
	}
	const has = noted(), width = widthNow();
	const corners = view.els.map((el, at) => view.ids[at] > 0 && has[model.name[view.ids[at]]] ? cornerOf(rectOf(el), width) : '').join('');
	if (corners) {
		make('path', { class: 'noted', d: corners }, view.el);
	}
}

function cornerOf(rect, width) {
	const px = name => parseFloat(rect.getAttribute(name)) * width / 100, right = px('x') + px('width');
	return px('width') < LEAST_BOX ? '' : 'M' + (right - EAR).toFixed(2) + ' ' + rect.getAttribute('y') + 'h' + EAR + 'v' + EAR + 'z';
}

// The list

function listNotes() {
	load();
	noteList.replaceChildren();
	if (!ownNotes.size && !givenNotes.length) {
		element('p', {}, noteList, 'No notes. Choose a frame and press m to write one; it is kept in the address of the page.');
		return;
	}
	const list = element('ul', {}, noteList);
	for (const [name, text] of ownNotes) {
		const entry = addNote(list, name, exactly(name), text);
		button('×', () => setNote(name, ''), entry, 'Remove the note on ' + name);
	}
	for (const note of givenNotes) {
		foundBy(note);
		const entry = addNote(list, note.regex, note.regex, note.text);
		if (note.why) {
			element('small', {}, entry, 'Bad pattern: ' + note.why);
		}
	}
}

/** Add a note to the list, with a button that searches for its functions. */
function addNote(list, label, regex, text) {
	const entry = element('li', {}, list);
	button(label, () => {
		change({ s: regex });
		tellText(text);
	}, entry, 'Search for ' + label);
	element('span', {}, entry, text);
	return entry;
}
