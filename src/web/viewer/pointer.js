/** Pointer: actions of mouse, pen and finger. Enter and Space do the same as a click. */
import { on } from './events.js';
import { svg } from './picture.js';
import { load, model } from './model.js';
import { focusedFrame, frameAt, idOf, view } from './view.js';
import { hover, reportFrame } from './status.js';
import { controlAt, controlNear } from './controls.js';
import { addKeys } from './keys.js';
import { zoom } from './zoom.js';

let spot = '';           // where the mouse was last, on the screen
let touching = false;
let tapped = null;       // the element of a frame that was tapped once
let held = null;         // the frame or control on which the mouse button is down: { el, id, of, act, x, y }
const NEAR = 5;          // px that the mouse may move in a click

/** Return whether the mouse is where it was when the button went down. */
export const isNear = (evt, last) => Math.hypot(evt.clientX - last.x, evt.clientY - last.y) < NEAR;

// Only the svg element has listeners, because a picture can have tens of thousands of frames.
on('start', () => {
	svg.addEventListener('mouseover', onMouseOver);
	svg.addEventListener('mouseleave', () => hover(null));
	svg.addEventListener('click', onClick);
	svg.addEventListener('pointerdown', evt => {
		const el = frameAt(evt.target), act = controlAt(evt.target);
		touching = evt.pointerType === 'touch';
		held = (act || el && el.localName !== 'a') && !touching && !evt.button ? { el: el, id: idOf(el), of: model, act: act, x: evt.clientX, y: evt.clientY } : null;
	});
	window.addEventListener('click', evt => {
		held = frameAt(evt.target) || controlAt(evt.target) ? null : held;
	}, true);
	window.addEventListener('pointerup', onRelease);
});
on('swap', follow => {
	tapped = follow(tapped);
});
addKeys('Enter Space Ctrl-Enter Ctrl-Space', 'Enter, Space', 'zoom to the frame, press the control',
	(el, name, target) => (controlAt(target) || zoomTo)(el),
	// Enter on a link is left to the browser.
	(el, name, target) => controlAt(target) || el && (el.localName !== 'a' || name !== 'Enter'));

/** Show the details of the frame under the mouse. If only the picture moved, and a frame has the focus, do nothing. */
function onMouseOver(evt) {
	const at = evt.screenX + ' ' + evt.screenY, rests = at === spot && focusedFrame() !== null;
	spot = at;
	hover(frameAt(evt.target), rests);
}

function onClick(evt) {
	const el = frameAt(evt.target), act = controlAt(evt.target) || !el && touching && controlNear(evt.clientX, evt.clientY);
	if (evt.defaultPrevented) {
		return;
	}
	if (act) {
		act();
	} else if (el && touching && el !== tapped) {
		// A finger cannot hover, so the first tap on a frame shows its details, and the
		// second tap zooms.
		evt.preventDefault();
		reportFrame(el);
	} else if (el && (evt.ctrlKey || evt.metaKey || el.localName !== 'a')) {
		evt.preventDefault();
		zoomTo(el);
	}
	tapped = view.el.contains(el) ? el : null;
}

/** If a frame is redrawn, or a frame or a control moves, while the button is down, browsers send no click, so send a click. */
function onRelease(evt) {
	const last = held;
	setTimeout(() => {
		const isClick = last && last === held && isNear(evt, last);
		if (isClick && last.act) {
			last.act();
		} else if (isClick && (last.of === model || !last.of)) {
			load();
			zoom(last.id < 0 ? idOf(last.el) : last.id);
		}
		held = null;
	});
}

function zoomTo(el) {
	load();
	zoom(idOf(el));
}
