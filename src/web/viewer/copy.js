/** Copy: puts the name of a frame, or its stack, on the clipboard. */
import { on } from './events.js';
import { svg } from './picture.js';
import { callersOf, load, nameOf } from './model.js';
import { focusedFrame, idOf } from './view.js';
import { holdText, releaseText, tellText, told } from './status.js';
import { addKeys } from './keys.js';

let offering = false;  // whether a text is shown for the user to copy

on('start', () => {
	svg.addEventListener('pointerdown', endOffer);
	document.addEventListener('copy', () => setTimeout(endOffer));
});
on('key', name => name !== 'Ctrl-c' && endOffer());
addKeys('c', 'c', 'copy the name of the frame', () => copy(nameOf(subject())), () => subject() >= 0);
addKeys('C', 'C', 'copy the stack of the frame, as folded text', () => copyStack(subject()), () => subject() > 0);

/** Return the frame whose details are shown, or else the frame with the focus; or -1. */
export function subject() {
	const el = told || focusedFrame();
	if (el) {
		load();
	}
	return idOf(el);
}

const stackOf = i => callersOf(i).slice(1).concat(i).map(nameOf).join(';');

export const copyStack = i => copy(stackOf(i));

export function copy(text) {
	const written = navigator.clipboard ? navigator.clipboard.writeText(text) : Promise.reject();
	written.then(() => tellText('Copied: ' + text), () => offer(text));
}

/**
 * Show the text, selected, until the user has copied it or takes another action. Some browsers do
 * not allow scripts to copy.
 */
function offer(text) {
	const lead = 'Press Ctrl-C to copy: ', node = holdText(lead + text).firstChild;
	document.getSelection().setBaseAndExtent(node, lead.length, node, node.length);
	offering = true;
}

function endOffer() {
	if (offering) {
		offering = false;
		document.getSelection().removeAllRanges();
		releaseText();
	}
}
