/** Size: fits the picture to the window's width, and makes it taller if a zoom shows more levels than the file. */
import { announce, on } from './events.js';
import { percent, share, whole } from './counts.js';
import {
	alone, fileHeight, fileLevels, fluid, inverted, labelLeft, labelOf, nameIn, port, rectOf, rootElement, rootLabel, rowHeight, set, svg, xpad,
} from './picture.js';
import { signOf } from './compare.js';
import { nameOf } from './model.js';
import { addLabel, labelFor } from './labels.js';
import { home, view, swap, widthNow } from './view.js';
import { captions, pin, stretchBy } from './bars.js';
import { draw, flipped } from './draw.js';

let fitted = 0;        // width in px for which the frames were last drawn
let fromRight = null;  // by caption: px from its end to the right margin

on('start', () => {
	const right = widthNow() + xpad;
	fromRight = new Map();
	for (const caption of captions) {
		const x = caption.getAttribute('x');
		if (caption.getAttribute('text-anchor') === 'end' && !/%/.test(x)) {
			fromRight.set(caption, right - x);
		}
	}
	if (fluid) {
		svg.removeAttribute('viewBox');
		if (alone && !port) {
			// With this element, phones use the width of their screen. The element is added by the script, because in the file
			// it would end the picture inside an HTML page.
			set(svg.appendChild(document.createElementNS('http://www.w3.org/1999/xhtml', 'meta')),
				{ name: 'viewport', content: 'width=device-width' });
			svg.removeAttribute('width');
		} else {
			svg.setAttribute('width', '100%');  // the browser's default for a picture without a page, but not in a page
		}
		fitToWindow();
		window.addEventListener('resize', fitToWindow);
		if (port) {
			new ResizeObserver(fitToWindow).observe(port);  // its size changes when panels beside it open or close
		}
	}
});
on('swap', () => {
	if (view === home && home.width !== widthNow()) {
		refit();
	}
	stretch();
});

function fitToWindow() {
	const width = svg.clientWidth || window.innerWidth;
	// Only the height has changed, because a row above the graph appeared or disappeared.
	if (width === fitted) {
		pin();
		return;
	}
	fitted = width;
	view.el.setAttribute('width', Math.max(width - 2 * xpad, 1));
	for (const [caption, px] of fromRight) {
		caption.setAttribute('x', width - xpad - px);
	}
	if (view.root || view.range) {
		swap(draw(view.root, view.range));
	} else {
		refit();
	}
	pin();
	announce('resize');
}

/** Fit the labels of the file to the width. Measure all before changing any, so that the browser lays them out once. */
export function refit() {
	const width = widthNow(), scale = width / Number(whole), moved = width !== home.width;
	const labels = [];
	home.width = width;
	for (const [at, el] of home.els.entries()) {
		const id = home.ids ? home.ids[at] : el === rootElement ? 0 : -1;
		const rect = rectOf(el), text = labelOf(el);
		const label = el !== rect && labelFor(rect.getAttribute('fg:w') * scale,
			() => id === 0 ? rootLabel : id > 0 ? nameOf(id) : nameIn(el), signOf(rect));
		if (label || text && text.textContent) {
			labels.push([el, rect, text, label]);
		}
	}
	for (const [el, rect, text, label] of labels) {
		const x = percent(share(rect.getAttribute('fg:x'), whole) + labelLeft / width);
		if (!text) {
			addLabel(el, x, Number(rect.getAttribute('y')), label, rect.getAttribute('fill'));
		} else if (moved || label !== text.textContent) {
			set(text, { x: x }).textContent = label;
		}
	}
	announce('moved');
}

/** Make the picture tall enough for its levels. */
export function stretch() {
	const more = Math.max(view.deepest - fileLevels, 0) * rowHeight, upright = inverted === flipped;
	set(view.el, upright && more ? { y: more, overflow: 'visible' } : { y: 0 });
	if (!stretchBy(more)) {
		return;
	}
	if (!fluid) {
		svg.setAttribute('viewBox', '0 0 ' + svg.getAttribute('width') + ' ' + (fileHeight + more));
	}
	if (fluid && svg.clientWidth && svg.clientWidth !== widthNow() + 2 * xpad) {
		fitToWindow();  // a scroll bar appeared or disappeared
	}
}
