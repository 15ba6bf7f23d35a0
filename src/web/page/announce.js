/** Announce: reports in a live region what the keyboard moves to, and messages. Pointing says nothing. */
import { on } from '../viewer/events.js';
import { find } from '../viewer/picture.js';
import { focusedFrame } from '../viewer/view.js';
import { element } from './elements.js';

const region = element('p', { class: 'unseen', role: 'status' });

on('start', () => {
	document.body.append(region);
	document.addEventListener('focusin', () => {
		const el = focusedFrame();
		if (el && el.matches(':focus-visible')) {
			region.textContent = find('#details').textContent;
		}
	});
});
for (const event of ['told', 'said']) {
	on(event, text => {
		region.textContent = text;
	});
}
