/** Print: fits the whole picture on one page. */
import { on } from './events.js';
import { alone, fluid, set, svg } from './picture.js';
import { pin } from './bars.js';

on('start', () => {
	if (alone) {
		window.addEventListener('beforeprint', () => {
			set(svg, { viewBox: '0 0 ' + svg.clientWidth + ' ' + svg.getAttribute('height') });
			pin(true);
		});
		window.addEventListener('afterprint', () => {
			if (fluid) {
				svg.removeAttribute('viewBox');
			}
			pin();
		});
	}
});
