/** Headings: keeps title and subtitle from overlapping controls. If a heading has too little room, its middle is cut out. */
import { on } from './events.js';
import { find, fontsize, modern, port, setText, xpad } from './picture.js';
import { widthNow } from './view.js';
import { lengthOf, measure } from './labels.js';
import { endOf, shownControls } from './controls.js';

const wholeTexts = new Map();  // by heading: its whole text

on('start', () => {
	for (const heading of [find('#title'), find('#subtitle')]) {
		if (heading) {
			wholeTexts.set(heading, heading.getAttribute('data-text') || heading.textContent);
		}
	}
});
on('resize', fitHeadings);
on('zoom', fitHeadings);

/** Return the left and right end, in px, of the room that controls leave in a heading's line. */
function roomBeside(heading) {
	let left = xpad, right = widthNow() + xpad;
	for (const el of shownControls()) {
		if (el.getAttribute('y') === heading.getAttribute('y')) {
			const room = measure(el.id === 'search' ? 'Reset Search' : el.textContent) + fontsize;
			if (el.hasAttribute('text-anchor')) {
				right = Math.min(right, endOf(el, widthNow() + 2 * xpad) - room);
			} else {
				left = Math.max(left, xpad + room);
			}
		}
	}
	return [left, right];
}

/** Make the headings fit beside the controls. inferno's page does not show them, and measuring them takes time. */
export function fitHeadings() {
	for (const [heading, text] of port ? [] : wholeTexts) {
		const [left, right] = roomBeside(heading), middle = widthNow() / 2 + xpad;
		setText(heading, text);
		let length = lengthOf(heading);
		for (let kept = text.length; length > right - left && kept > 4;) {
			kept = Math.min(kept - 1, Math.floor(kept * (right - left) / length));
			setText(heading, text.slice(0, Math.ceil(kept / 2)).trim() + '…' + text.slice(text.length - Math.floor(kept / 2)).trim());
			length = lengthOf(heading);
		}
		heading.setAttribute('aria-label', text);
		if (!modern) {
			const clear = middle - length / 2 >= left && middle + length / 2 <= right;
			heading.setAttribute('x', clear ? '50%' : (left + right) / 2);
		}
	}
}
