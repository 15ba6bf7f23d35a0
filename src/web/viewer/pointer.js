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
let held = null;         // where the mouse button is down: { act, x, y }; act(evt) does what a click there does
const NEAR = 5;          // px that the mouse may move in a click

const pressables = [pressableInPicture];

/** Add a function that returns, for an element, the function that does what a click on the element does, or null if it does nothing. */
export const addPressable = find => pressables.push(find);

const actAt = el => pressables.map(find => find(el)).find(Boolean);

// Only the svg element has listeners, because a picture can have tens of thousands of frames.
on('start', () => {
	svg.addEventListener('mouseover', onMouseOver);
	svg.addEventListener('mouseleave', () => hover(null));
	svg.addEventListener('click', onClick);
	window.addEventListener('pointerdown', evt => {
		touching = evt.pointerType === 'touch';
		const act = !touching && !evt.button && actAt(evt.target);
		held = act ? { act: act, x: evt.clientX, y: evt.clientY } : null;
	});
	window.addEventListener('click', evt => {
		held = actAt(evt.target) ? null : held;
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

function pressableInPicture(target) {
	const el = frameAt(target), id = idOf(el), of = model;
	return controlAt(target) || el && el.localName !== 'a' && (() => {
		if (of === model || !of) {
			load();
			zoom(id < 0 ? idOf(el) : id);
		}
	});
}

/** If an element is redrawn or moves while the button is down, browsers send it no click, so do what a click does. */
function onRelease(evt) {
	const last = held;
	setTimeout(() => {
		if (last && last === held && Math.hypot(evt.clientX - last.x, evt.clientY - last.y) < NEAR) {
			last.act(evt);
		}
		held = null;
	});
}

function zoomTo(el) {
	load();
	zoom(idOf(el));
}
