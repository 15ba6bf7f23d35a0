/**
 * Focus: the frame that receives keys. Tab reaches one frame of the picture; arrow keys move from
 * this frame to others.
 */
import { announce, on } from './events.js';
import { levelOf, modern, rootElement, rowHeight, set } from './picture.js';
import { model } from './model.js';
import { elementOf, focusedFrame, frameAt, home, idOf, view } from './view.js';
import { reportFrame, reportHovered } from './status.js';
import { markFrames } from './marks.js';
import { scrollToFrame } from './bars.js';

let tabStop = null;  // the element that Tab reaches

on('start', () => {
	for (const link of home.el.querySelectorAll('a')) {
		link.setAttribute('tabindex', -1);
	}
	set(home.el, { role: 'tree', 'aria-label': 'Frames: arrow keys move, Enter zooms, Escape resets, ? lists all keys' });
	setTabStop(rootElement);
	// Listen on the document: Chromium makes every SVG element focusable that listens for the focus.
	document.addEventListener('focusin', evt => onFocus(frameAt(evt.target)));
	document.addEventListener('focusout', () => {
		reportHovered();
		outlineNamesakes();
	});
});
on('moved', outlineNamesakes);
on('swap', (follow, had) => {
	const stop = view.root ? elementOf(view.root) : follow(tabStop);
	setTabStop(stop || elementOf(0) || rootElement);
	if (had >= 0) {
		focusFrame(elementOf(had) ? had : view.root);
	}
});

function onFocus(el) {
	if (el) {
		reportFrame(el);
		setTabStop(el);
		outlineNamesakes();
		announce('focus', el);
		if (el.matches(':focus-visible')) {
			scrollToFrame(focusedFrame);  // browsers scroll to different places after the Tab key
		}
	}
}

function setTabStop(el) {
	if (el && el !== tabStop) {
		if (tabStop) {
			tabStop.setAttribute('tabindex', -1);
		}
		const id = idOf(el);
		set(el, { tabindex: 0, role: 'treeitem', 'aria-level': 1 + (id < 0 ? levelOf(el) : model.depth[id]) });
		tabStop = el;
	}
}

/** If the current view has an element for a frame, focus the element and scroll to it. */
export function focusFrame(i) {
	const el = elementOf(i);
	if (el) {
		setTabStop(el);
		el.focus({ preventScroll: true });  // browsers differ in how they scroll
		scrollToFrame(focusedFrame);
	}
}

/** In the modern style, outline all other frames with the name of the focused one. */
function outlineNamesakes() {
	const at = modern && model ? view.els.indexOf(focusedFrame()) : -1, ids = view.ids, name = model && model.name;
	const isNamesake = other => other !== at && ids[other] > 0 && name[ids[other]] === name[ids[at]];
	markFrames('same', at >= 0 && ids[at] > 0 && isNamesake, 0, rowHeight - 1);
}
