/** Context menu: the actions on a frame or a function, on a right click, a long press, and the menu key. */
import { on } from '../viewer/events.js';
import { load, model, nameOf } from '../viewer/model.js';
import { frameAt, idOf } from '../viewer/view.js';
import { button, element } from './elements.js';
import { actionsFor } from './actions.js';
import { hand, take } from './hand.js';

const LONG = 500, NEAR = 10;  // ms and px of a long press
const frameMenu = element('div', { role: 'menu', id: 'menu', hidden: '', keydown: onMenuKey });
const finders = [];           // functions that return the function or frame that an element of the page stands for
let pressing = 0;             // timer of a long press
let cameFrom = null;

/** Add a function that returns { name, frame } for an element, or null. */
export function addMenuFor(find) {
	finders.push(find);
}

on('start', () => {
	document.querySelector('main').append(frameMenu);
	document.addEventListener('contextmenu', onContextMenu);
	document.addEventListener('pointerdown', onDown);
	for (const type of ['pointerup', 'pointercancel', 'scroll']) {
		document.addEventListener(type, () => clearTimeout(pressing), true);
	}
	document.addEventListener('pointermove', evt => pressedAt && Math.hypot(evt.clientX - pressedAt.x, evt.clientY - pressedAt.y) > NEAR &&
		clearTimeout(pressing));
	window.addEventListener('blur', closeMenu);
});

let pressedAt = null;

function onDown(evt) {
	clearTimeout(pressing);
	if (!frameMenu.contains(evt.target)) {
		closeMenu();
	}
	if (evt.pointerType === 'touch') {
		const { target, clientX: x, clientY: y } = evt;
		pressedAt = { x: x, y: y };
		pressing = setTimeout(() => openMenuFor(target, x, y), LONG);
	}
}

/** Return the frame or function of an element: a frame of the picture, or the function that a part of the page names. */
function subjectOf(el) {
	const frame = frameAt(el);
	if (frame) {
		load();
		const i = idOf(frame);
		return i > 0 ? { name: nameOf(i), frame: i } : null;
	}
	return model && finders.map(find => find(el)).find(Boolean);
}

function onContextMenu(evt) {
	const box = evt.target.getBoundingClientRect(), isKey = evt.button !== 2 && !evt.clientX && !evt.clientY;
	if (openMenuFor(evt.target, isKey ? box.x + 10 : evt.clientX, isKey ? box.y + 10 : evt.clientY)) {
		evt.preventDefault();
	}
}

/** Open the menu for an element. Return whether the element has a menu. */
function openMenuFor(el, x, y) {
	const found = subjectOf(el);
	if (!found) {
		return false;
	}
	clearTimeout(pressing);
	cameFrom = document.activeElement;
	take(found.name, found.frame);
	frameMenu.replaceChildren();
	element('strong', { title: found.name }, frameMenu, found.name);
	for (const { text, key, act } of actionsFor(hand.name, hand.frame)) {
		const item = button(text, () => {
			closeMenu();
			act(found.name, found.frame);
		}, frameMenu);
		item.setAttribute('role', 'menuitem');
		item.tabIndex = -1;
		if (key) {
			element('kbd', {}, item, key);
		}
	}
	frameMenu.hidden = false;
	frameMenu.style.left = Math.max(Math.min(x, window.innerWidth - frameMenu.offsetWidth - 4), 0) + 'px';
	frameMenu.style.top = Math.max(Math.min(y, window.innerHeight - frameMenu.offsetHeight - 4), 0) + 'px';
	frameMenu.querySelector('button').focus();
	return true;
}

function closeMenu() {
	if (!frameMenu.hidden) {
		const had = frameMenu.contains(document.activeElement);
		frameMenu.hidden = true;
		if (had && cameFrom && cameFrom.isConnected) {
			cameFrom.focus({ preventScroll: true });
		}
	}
}

function onMenuKey(evt) {
	const all = Array.from(frameMenu.querySelectorAll('button')), at = all.indexOf(document.activeElement);
	const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[evt.key];
	evt.stopPropagation();
	if (to !== undefined) {
		all[(to + all.length) % all.length].focus();
		evt.preventDefault();
	} else if (evt.key === 'Escape' || evt.key === 'Tab') {
		closeMenu();
		evt.preventDefault();
	}
}
