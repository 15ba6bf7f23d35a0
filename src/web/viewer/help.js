/** Help: the list of keys, as a dialog over the picture. */
import { on } from './events.js';
import { find, fontsize, make, pointAt, set, svg } from './picture.js';
import { measure } from './labels.js';
import { addKeys, addMode, keys } from './keys.js';
import { edges } from './bars.js';

let dialog = null, focusedBefore = null;

on('start', () => svg.addEventListener('click', evt => {
	if (dialog) {
		// The click reaches pointer.js later, which ignores prevented clicks.
		evt.preventDefault();
		closeHelp();
	}
}, true));
on('resize', () => {
	if (dialog) {
		closeHelp();
		openHelp();
	}
});
addKeys('?', '?', 'show this list; Esc closes it', openHelp);
addMode((evt, name) => {
	const taken = dialog !== null;
	if (taken && (name === 'Escape' || name === '?')) {
		evt.preventDefault();
		closeHelp();
	} else if (taken && name === 'Tab') {
		evt.preventDefault();  // the focus stays in the dialog
	}
	return taken;
});

/** Return the part of the picture that the window shows, in px of the window. */
function seenPart() {
	const box = svg.getBoundingClientRect(), seen = edges();
	const left = Math.max(box.left, 0), top = Math.max(box.top, seen.top);
	return { left: left, top: top, width: Math.min(box.right, window.innerWidth) - left,
		height: Math.min(box.bottom, seen.bottom) - top };
}

/** Arrange the list in columns. Use the smallest number of columns with which the letters are largest. */
function arrangeKeys(seen) {
	const line = 1.5 * fontsize, gap = 2 * fontsize, legend = find('#legend');
	const widest = column => Math.max(...keys.map(row => measure(row[column]))) + gap;
	const purposeX = widest(1), columnWidth = purposeX + widest(2);
	let best = { scale: 0 };
	for (let columns = 1; columns < 5 && best.scale < 1; columns++) {
		const rows = Math.ceil(keys.length / columns), legendY = gap + rows * line;
		const width = Math.max(columns * columnWidth + gap, legend ? Number(legend.getAttribute('width')) + 2 * gap : 0);
		const height = rows * line + gap + (legend ? 1.5 * line : 0);
		const place = i => ({ x: gap + Math.floor(i / rows) * columnWidth, y: gap + i % rows * line });
		const scale = Math.min(1, seen.width / width, seen.height / height);
		if (scale > best.scale) {
			best = { width: width, height: height, legend: legend, legendY: legendY, scale: scale, purposeX: purposeX, place: place };
		}
	}
	return best;
}

/** Show the list over the visible part of the picture, and focus it so that screen readers read it out. */
function openHelp() {
	const seen = seenPart(), { width, height, legend, legendY, scale, purposeX, place } = arrangeKeys(seen);
	focusedBefore = document.activeElement;
	dialog = make('g', { id: 'help', role: 'dialog', 'aria-modal': 'true', 'aria-label': 'Keys', tabindex: -1 }, svg);
	make('rect', { width: width, height: height, rx: 4 }, dialog);
	keys.forEach(([, written, purpose], i) => {
		const { x, y } = place(i);
		make('text', { x: x, y: y }, dialog, written);
		make('text', { x: x + purposeX, y: y }, dialog, purpose);
	});
	if (legend) {
		const copied = dialog.appendChild(set(legend.cloneNode(true), { class: 'legend', x: 2 * fontsize, y: legendY - fontsize / 2 }));
		copied.removeAttribute('id');
		copied.removeAttribute('visibility');
	}
	const at = pointAt(seen.left + (seen.width - scale * width) / 2, seen.top + (seen.height - scale * height) / 2);
	dialog.setAttribute('transform', 'translate(' + at.x + ' ' + at.y + ') scale(' + scale + ')');
	dialog.focus();
}

function closeHelp() {
	dialog.remove();
	dialog = null;
	if (focusedBefore && focusedBefore.focus) {
		focusedBefore.focus();
	}
}
