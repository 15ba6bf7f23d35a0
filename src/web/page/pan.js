/** Pan: the wheel with Ctrl, a pinch and + - zoom into the picture where the mouse is; a drag, and the wheel with Shift, move it. */
import { on } from '../viewer/events.js';
import { port, svg } from '../viewer/picture.js';
import { load } from '../viewer/model.js';
import { draw } from '../viewer/draw.js';
import { swap, view, wholeView } from '../viewer/view.js';
import { addKeys } from '../viewer/keys.js';
import { record } from '../viewer/state.js';

const WHEEL = 0.004, KEY = 1.6;   // zoom for a px of the wheel, and for a key
const STARTS = 5;                 // px of movement that make a press a drag
const LEAST_PART = 1e-7;
const QUIET = 250;                // ms without a movement after which it has stopped
let pulling = null;               // { x, y, range, top, isOn }
let wanted;                       // the range to draw with the browser's next frame
let drawing = 0;                  // the id of that frame
let stopping = 0;                 // during a movement: the timer of its end

const rangeNow = () => view.range || [0, 1];

on('start', () => {
	port.addEventListener('wheel', onWheel, { passive: false });
	svg.addEventListener('pointerdown', onDown);
	svg.addEventListener('pointermove', onMove);
	for (const type of ['pointerup', 'pointercancel']) {
		svg.addEventListener(type, onUp);
	}
	svg.addEventListener('dragstart', evt => evt.preventDefault());
	port.addEventListener('click', evt => {
		if (pulling && pulling.isOn) {
			evt.preventDefault();
			evt.stopPropagation();
		}
		pulling = null;
	}, true);
});
on('act', stop);
on('zoom', () => {  // a zoom ends a movement that is not drawn yet
	cancelAnimationFrame(drawing);
	wanted = undefined;
});
addKeys('+ =', '+', 'zoom in, without a frame', () => closer(1 / KEY, 0.5));
addKeys('-', '-', 'zoom out', () => closer(KEY, 0.5), () => view.range);
addKeys('<', '<', 'move to the left', () => shift(-0.25), () => view.range);
addKeys('>', '>', 'move to the right', () => shift(0.25), () => view.range);

const wordOf = range => range ? range.map(share => Number(share.toPrecision(7))).join('-') : '';

/** Show a part of the frame that is as wide as the picture, with the browser's next frame. The
 * address is changed after the movement stops. */
function look([from, part]) {
	const size = Math.max(Math.min(part, 1), LEAST_PART), isWaiting = wanted !== undefined;
	wanted = size > 0.9999 ? null : [Math.min(Math.max(from, 0), 1 - size), size];
	if (!isWaiting) {
		drawing = requestAnimationFrame(() => {
			swap(view.root || wanted ? draw(view.root, wanted) : wholeView());
			wanted = undefined;
		});
	}
	clearTimeout(stopping);
	stopping = setTimeout(stop, QUIET);
}

/** Put the part that is shown into the state, once for each movement. */
function stop() {
	if (stopping) {
		clearTimeout(stopping);
		stopping = 0;
		record({ p: wordOf(wanted === undefined ? view.range : wanted) });
	}
}

/** Zoom by a factor. The position at the share `place` of the width does not move. */
function closer(factor, place) {
	const [from, part] = wanted || rangeNow(), to = Math.max(Math.min(part * factor, 1), LEAST_PART);
	load();
	look([from + (part - to) * place, to]);
}

function shift(by) {
	const [from, part] = wanted || rangeNow();
	look([from + by * part, part]);
}

function onWheel(evt) {
	const box = view.el.getBoundingClientRect(), along = evt.shiftKey ? evt.deltaX || evt.deltaY : evt.deltaX;
	if (evt.ctrlKey || evt.metaKey) {
		evt.preventDefault();
		closer(Math.exp(WHEEL * evt.deltaY), Math.min(Math.max((evt.clientX - box.x) / box.width, 0), 1));
	} else if (view.range && Math.abs(along) > (evt.shiftKey ? 0 : Math.abs(evt.deltaY))) {
		evt.preventDefault();
		shift(along / box.width);
	}
}

function onDown(evt) {
	pulling = evt.button === 0 && evt.pointerType !== 'touch' ?
		{ x: evt.clientX, y: evt.clientY, range: rangeNow(), top: port.scrollTop, isOn: false } : null;
}

function onMove(evt) {
	if (!pulling || !evt.buttons) {
		return;
	}
	const x = evt.clientX - pulling.x, y = evt.clientY - pulling.y;
	if (!pulling.isOn && Math.hypot(x, y) >= STARTS && (view.range || port.scrollHeight > port.clientHeight)) {
		pulling.isOn = true;
		svg.setPointerCapture(evt.pointerId);
	}
	if (pulling.isOn) {
		const [from, part] = pulling.range;
		port.scrollTop = pulling.top - y;
		if (part < 1) {
			look([from - x / view.el.getBoundingClientRect().width * part, part]);
		}
	}
}

/** A press that moved is not a click, so the click event that follows it is suppressed. */
function onUp() {
	if (pulling && pulling.isOn) {
		setTimeout(() => {
			pulling = null;
		});
	} else {
		pulling = null;
	}
}
