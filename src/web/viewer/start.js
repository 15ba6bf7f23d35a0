/** Start: starts the modules when the picture has been read. */
import { announce } from './events.js';
import { alone, find, port, readPicture, set, svg } from './picture.js';
import { load } from './model.js';
import { restoreView } from './state.js';
import { scrollToRoot } from './zoom.js';
import { fitHeadings } from './headings.js';

const later = window.requestIdleCallback || setTimeout;
const PRESSED = 50;   // ms between two checks whether a button is still down
let started = false;
let isPressed = false;

function startViewer() {
	if (started || !readPicture()) {
		return;
	}
	started = true;
	announce('read');
	keepStyle();
	set(svg, { role: 'group' });  // assistive software cannot enter an image
	announce('start');
	fitHeadings();
	restoreView();
	if (alone && (port ? port.scrollTop : window.scrollY) === 0) {
		scrollToRoot();
	}
	// Work that takes time waits until the picture is on the screen.
	requestAnimationFrame(() => requestAnimationFrame(() => later(prepare)));
	for (const type of ['pointerdown', 'pointerup', 'pointercancel']) {
		window.addEventListener(type, () => {
			isPressed = type === 'pointerdown';
		}, true);
	}
}

/** Do slow work before it is needed. Do not load the model while a button is pressed: loading may
 * replace the elements of frames, and the click would be lost. */
function prepare() {
	if (isPressed) {
		setTimeout(prepare, PRESSED);
		return;
	}
	load();
	// Let a waiting click be handled first, because the click may make this work needless.
	later(() => announce('idle'));
}

/** Keep the style sheet from changing the page around the picture, in browsers that can do that. */
function keepStyle() {
	const style = find('style');
	if (!alone && style && window.CSSScopeRule) {
		style.textContent = '@scope {' + style.textContent + '}';
	}
}

if (port) {
	// The page is complete, but the modules after this one must run first.
	queueMicrotask(startViewer);
}
svg.startViewer = startViewer;
window.init = function (evt) {
	(evt && evt.currentTarget && evt.currentTarget.startViewer || startViewer)();
};
