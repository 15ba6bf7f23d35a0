/** Size: fits the picture to the window's width, and makes it taller if a zoom shows more levels than the file. */
import { announce, on } from './events.js';
import { percent, share, whole } from './counts.js';
import {
	alone, fileHeight, fileLevels, fluid, inverted, labelLeft, nameIn, rectOf, rootElement, rootTop, rowHeight, set, svg, xpad,
} from './picture.js';
import { signOf } from './compare.js';
import { addLabel, labelFor } from './labels.js';
import { focusedFrame, home, sheet, swap, widthNow } from './sheet.js';
import { draw, flipped } from './draw.js';

let captions = [];     // texts around the frames
let fromRight = null;  // by caption: px from its end to the right margin
let extra = 0;         // px by which the picture is taller than in the file
let scrollTo = null;   // where to scroll with the next picture on the screen

on('start', () => {
	captions = Array.from(svg.querySelectorAll(':scope > text'));
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
		if (alone) {
			svg.removeAttribute('width');
		} else {
			svg.setAttribute('width', '100%');  // the browser's default for a picture alone, but not in a page
		}
		fitToWindow();
		window.addEventListener('resize', fitToWindow);
	}
});
on('swap', () => {
	if (sheet === home && home.width !== widthNow()) {
		refit();
	}
	stretch();
});

function fitToWindow() {
	const width = svg.clientWidth || window.innerWidth;
	sheet.el.setAttribute('width', Math.max(width - 2 * xpad, 1));
	for (const [caption, px] of fromRight) {
		caption.setAttribute('x', width - xpad - px);
	}
	if (sheet.root) {
		swap(draw(sheet.root));
	} else {
		refit();
	}
	announce('resize');
}

/** Fit the labels of the file to the width. Measure all before changing any, so that the browser lays them out once. */
export function refit() {
	const width = widthNow(), scale = width / Number(whole), moved = width !== home.width;
	const labels = [];
	home.width = width;
	for (const el of home.els) {
		const rect = rectOf(el), text = rect.nextElementSibling;
		const label = labelFor(rect.getAttribute('fg:w') * scale,
			() => el === rootElement ? 'all' : signOf(rect.getAttribute('class')) + nameIn(el));
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
	const before = extra, upright = inverted === flipped;
	extra = Math.max(sheet.deepest - fileLevels, 0) * rowHeight;
	set(sheet.el, upright && extra ? { y: extra, overflow: 'visible' } : { y: 0 });
	if (extra === before) {
		return;
	}
	if (alone && upright) {
		scrollAlong(extra - before);
	}
	svg.setAttribute('height', fileHeight + extra);
	if (!fluid) {
		svg.setAttribute('viewBox', '0 0 ' + svg.getAttribute('width') + ' ' + (fileHeight + extra));
	}
	for (const caption of captions) {
		const y = Number(caption.getAttribute('y'));
		if (y > rootTop) {
			caption.setAttribute('y', y + extra - before);
		}
	}
	if (fluid && svg.clientWidth && svg.clientWidth !== widthNow() + 2 * xpad) {
		fitToWindow();  // a scroll bar appeared or disappeared
	}
}

/** Scroll by the px that were added above what is seen, so that it stays in place. */
function scrollAlong(px) {
	if (scrollTo === null) {
		// Only after the browser knows the new height; earlier it would scroll to the top.
		requestAnimationFrame(() => {
			window.scrollTo(0, scrollTo);
			scrollTo = null;
			const el = focusedFrame();
			if (el) {
				el.scrollIntoView({ block: 'nearest' });
			}
		});
	}
	scrollTo = (scrollTo === null ? window.scrollY : scrollTo) + px;
}
