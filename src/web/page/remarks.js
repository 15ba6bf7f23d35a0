/** Remarks: shows two lines of the remarks on the data, which are at the foot of the page. A button shows all of them. */
import { on } from '../viewer/events.js';
import { set, setText } from '../viewer/picture.js';
import { button, element } from './elements.js';
import { placeOf } from './layout.js';

const line = document.querySelector('#remarks');

on('start', () => {
	if (line) {
		const text = element('span', {}), turn = button('', () => {
			line.classList.toggle('whole');
			show(text, turn);
		});
		text.append(...line.childNodes);
		line.append(text, turn);
		placeOf('details').before(line);  // Tab reaches the graph first
		new ResizeObserver(() => show(text, turn)).observe(text);
	}
});

function show(text, turn) {
	const isWhole = line.classList.contains('whole');
	turn.hidden = !isWhole && text.scrollHeight <= text.clientHeight;
	setText(turn, isWhole ? 'Less' : 'More');
	set(turn, { 'aria-expanded': String(isWhole), 'aria-label': (isWhole ? 'Less' : 'More') + ' on the quality of the data' });
}
