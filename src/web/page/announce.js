/** Announce: writes messages, and the targets of moves by keyboard, into a live region for screen readers. Moves of the mouse are not
 * announced. */
import { on } from '../viewer/events.js';
import { find } from '../viewer/picture.js';
import { element } from './elements.js';

const region = element('p', { class: 'unseen', role: 'status' });

on('start', () => {
	document.body.append(region);
});
on('focus', el => {
	if (el.matches(':focus-visible')) {
		region.textContent = find('#details').textContent;
	}
});
for (const event of ['told', 'said']) {
	on(event, text => {
		region.textContent = text;
	});
}
