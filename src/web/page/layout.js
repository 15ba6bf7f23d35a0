/**
 * Layout: the parts of the page. From the top: a bar with the program, the views, the search and
 * menus; the time; the trail, which is hidden when it is empty; the shown view, and beside it the
 * table of functions; the details of a frame.
 */
import { announce, on } from '../viewer/events.js';
import { compared, find, port, set, setText } from '../viewer/picture.js';
import { model } from '../viewer/model.js';
import { change, keepWords, state } from '../viewer/state.js';
import { button, element } from './elements.js';

// The order in which the views are shown. It does not depend on the order in which modules add the views.
const VIEWS = ['graph', 'callers', 'tree', 'heat', 'lines', 'notes'];
const MENUS = ['filter', 'colour', 'order', 'export'];
const WIDE = 1000;           // px from which the table is shown at first
const SHEET = window.matchMedia('(max-width: 700px)');  // if it matches, the style sheet lets the table cover the graph
const LEAST_ASIDE = 240;

const body = document.body;
const header = body.querySelector('header'), footer = body.querySelector('footer'), stage = body.querySelector('#stage');
const heading = header.querySelector('h1');
const facts = element('span', { class: compared ? 'facts compared' : 'facts' }, header);
const tabs = element('div', { role: 'tablist', class: 'segments', 'aria-label': 'Views', keydown: onTabKey }, header);
const searchPlace = element('div', { role: 'search', class: 'search' }, header);
const menus = element('div', { role: 'toolbar', class: 'menus', 'aria-label': 'Settings', keydown: onMenuKey }, header);
const tableButton = button('Table', turnTable, menus);
tableButton.className = 'tool';
const timeRow = element('section', { id: 'tracks', 'aria-label': 'Activity over time', hidden: '' });
const trail = element('section', { id: 'trail', 'aria-label': 'Zoom and filters', hidden: '' });
const divider = element('div', { id: 'divider', role: 'separator', tabindex: 0, 'aria-label': 'Width of the table', 'aria-orientation': 'vertical', 'aria-valuenow': 0, 'aria-valuemin': LEAST_ASIDE, 'aria-valuemax': 9999 });
const aside = element('aside', { 'aria-label': 'Functions', hidden: '', keydown: onAsideKey });
const sheetButton = button('\u2304 Close the table', closeSheet, aside);
sheetButton.className = 'close';
const views = new Map();   // by name: { tab, el, open }
const menuParts = new Map();
const tools = [tableButton];

addView('graph', 'Flame graph', null, port);
on('start', () => {
	const main = stage.parentNode;
	// The style sheet shows these parts above the graph, but Tab reaches the graph first.
	main.after(timeRow, trail);
	main.append(divider, aside);
	set(find('#title'), { 'aria-hidden': 'true' });
	showTable();
	showView();
	window.addEventListener('resize', showTable);
});
on('load', openView);
on('model', openView);
keepWords(['view'], showView);
keepWords(['table'], showTable);

/** Return the element of a part of the page: 'search', 'time', 'trail', 'aside' or 'details'. */
export const placeOf = part => ({ search: searchPlace, time: timeRow, trail: trail, aside: aside, details: footer })[part];

/** Show the name of the program and a line of facts, which `explained` explains. */
export function showFacts(name, text, explained) {
	setText(heading, name);
	heading.title = name;
	setText(facts, text);
	facts.title = explained || text;
}

// Views

/**
 * Add a view with a tab, and return its element. If `open()` is given, it is called when the view is shown, and when the frames change
 * while the view is shown. It is never called before the model is made.
 */
export function addView(name, label, open, el = element('section', { class: 'view' }, stage)) {
	const tab = element('button', { type: 'button', role: 'tab', id: 'tab-' + name, 'aria-controls': el.id || 'view-' + name,
		click: () => chooseView(name) }, null, label.split(' and ')[0]);
	// On a phone, the style sheet hides this part.
	label.includes(' and ') && element('span', {}, tab, label.slice(label.indexOf(' and ')));
	set(el, { id: el.id || 'view-' + name });
	if (el !== port) {
		set(el, { role: 'tabpanel', 'aria-labelledby': 'tab-' + name, hidden: '' });
	}
	views.set(name, { tab: tab, el: el, open: open });
	tabs.replaceChildren(...VIEWS.filter(each => views.has(each)).map(each => views.get(each).tab));
	return el;
}

const viewNow = () => views.has(state.view) ? state.view : 'graph';

/** Return whether a view is shown. */
export const isShown = name => viewNow() === name;

export const wordOfView = name => name === 'graph' ? '' : name;
export const chooseView = name => change({ view: wordOfView(name) });

/** Show or hide the tab of a view that is not always useful. */
export function offerView(name, isOffered) {
	views.get(name).tab.hidden = !isOffered;
}

function showView() {
	for (const [name, { tab, el }] of views) {
		const isNow = isShown(name);
		set(tab, { 'aria-selected': String(isNow), tabindex: isNow ? 0 : -1 });
		el.hidden = el !== port && !isNow;
	}
	port.inert = !isShown('graph');
	openView();
	announce('view');
}

function openView() {
	const { open } = views.get(viewNow());
	if (open && model) {
		open();
	}
}

/** Let arrow keys move between the controls of a group. */
function moveIn(evt, all) {
	const by = { ArrowLeft: -1, ArrowRight: 1 }[evt.key], at = all.indexOf(document.activeElement);
	if (by && at >= 0) {
		evt.preventDefault();
		evt.stopPropagation();
		all[(at + by + all.length) % all.length].focus();
	}
}

function onTabKey(evt) {
	moveIn(evt, Array.from(tabs.children).filter(tab => !tab.hidden));
}

// Menus

/** Add a menu to the bar, and return the element of its choices. */
export function addMenu(name, label) {
	const menu = element('details', { class: 'menu', id: 'menu-' + name, toggle: () => menu.open && onMenuOpen(menu) });
	element('summary', { tabindex: -1 }, menu, label);
	menuParts.set(name, menu);
	menus.replaceChildren(...MENUS.filter(each => menuParts.has(each)).map(each => menuParts.get(each)), ...tools);
	menus.querySelectorAll('summary').forEach((el, i) => set(el, { tabindex: i ? -1 : 0 }));
	tools.forEach(tool => {
		tool.tabIndex = -1;
	});
	return element('div', {}, menu);
}

/** Add a button after the menus. */
export function addTool(text, act, label) {
	tools.push(button(text, act, menus, label));
	tools[tools.length - 1].tabIndex = -1;
}

/** Add a choice to a menu. `isOn()`, if given, returns whether the choice is active. Return a
 * function that updates its mark. */
export function addChoice(menu, text, act, isOn) {
	const el = button(text, () => {
		act();
		closeMenus();
	}, menu);
	const showChoice = () => isOn && set(el, { 'aria-pressed': String(isOn()) });
	showChoice();
	return showChoice;
}

/** Close the other menus, and focus the menu's field, if it has one. */
function onMenuOpen(menu) {
	const field = menu.querySelector('input');
	closeMenus(menu);
	if (field && !menu.lastChild.contains(document.activeElement)) {
		field.focus();
	}
}

export function closeMenus(except) {
	for (const menu of menuParts.values()) {
		menu.open = menu === except;
	}
}

function onMenuKey(evt) {
	const menu = evt.target.closest('details');
	if (evt.key === 'Escape' && menu && menu.open) {
		closeMenus();
		menu.firstChild.focus();
		evt.stopPropagation();
	} else if (!evt.target.matches('input, select')) {
		moveIn(evt, [...menus.querySelectorAll('summary'), ...tools]);
	}
}

document.addEventListener('pointerdown', evt => !evt.target.closest('.menu') && closeMenus());

/** Open a menu, and focus its first choice. */
export function openMenu(name) {
	const menu = menuParts.get(name);
	menu.open = true;
	menu.lastChild.querySelector('button, input, select').focus();
}

// The table

export const isTableShown = () => state.table ? state.table === 'on' : window.innerWidth >= WIDE;

function showTable() {
	aside.hidden = divider.hidden = !isTableShown();
	aside.style.top = SHEET.matches && isTableShown() ? header.offsetHeight + 'px' : '';  // the bar stays above the sheet
	set(divider, { 'aria-valuenow': Math.round(aside.clientWidth) });
	set(tableButton, { 'aria-pressed': String(isTableShown()) });
	announce('table');
}

function turnTable() {
	change({ table: isTableShown() ? 'off' : 'on' });
	if (SHEET.matches && isTableShown()) {
		sheetButton.focus();
	}
}

/** Close the table if it covers the graph. */
export function closeSheet() {
	if (SHEET.matches && isTableShown()) {
		change({ table: '' });
		port.focus({ preventScroll: true });
	}
}

function onAsideKey(evt) {
	if (evt.key === 'Escape' && SHEET.matches) {
		closeSheet();
		evt.stopPropagation();
	}
}

function widen(px) {
	aside.style.width = Math.max(Math.min(px, stage.parentNode.clientWidth - LEAST_ASIDE), LEAST_ASIDE) + 'px';
	set(divider, { 'aria-valuenow': Math.round(aside.clientWidth) });
}

divider.addEventListener('pointerdown', evt => {
	divider.setPointerCapture(evt.pointerId);
	evt.preventDefault();
});
divider.addEventListener('pointermove', evt => divider.hasPointerCapture(evt.pointerId) &&
	widen(aside.getBoundingClientRect().right - evt.clientX));
divider.addEventListener('dblclick', () => {
	aside.style.width = '';
});
divider.addEventListener('keydown', evt => {
	const by = { ArrowLeft: 20, ArrowRight: -20 }[evt.key];
	if (by) {
		widen(aside.clientWidth + by);
		evt.preventDefault();
		evt.stopPropagation();
	}
});

// The trail

let trailParts = [];  // by module: its element, and whether it has any content

/** Show or hide an element in the trail, at a place from 0 to 2, counted from the left. An empty trail is not shown. */
export function showInTrail(el, place, isUsed) {
	trailParts = trailParts.filter(part => part.el !== el).concat({ el: el, place: place, isUsed: isUsed })
		.sort((a, b) => a.place - b.place);
	trail.replaceChildren(...trailParts.map(part => part.el));
	trail.hidden = !trailParts.some(part => part.isUsed);
}
