/**
 * Layout: the parts of the page around the picture. Above it are rows, such as the path of a zoom. Beside it, or below it in a
 * narrow window, is one of several panels, which tabs choose. The address keeps which one.
 */
import { announce, on } from '../viewer/events.js';
import { find, port, set } from '../viewer/picture.js';
import { model } from '../viewer/model.js';
import { change, keepWords, state } from '../viewer/state.js';
import { button, element } from './elements.js';

const header = element('header', {});
const toolbar = element('div', { role: 'toolbar', 'aria-label': 'View' }, header);
const tabs = element('div', { role: 'tablist', 'aria-label': 'Panels' }, toolbar);
const aside = element('aside', { hidden: '' });
const panels = new Map();   // by name: { tab, el, open }
const WIDE = 1100;          // px from which the picture and a panel are side by side
let shown = null;           // the name of the panel that is shown, null if none
let shownFirst = null;      // name of the panel that a wide window shows if the address names none

on('start', () => {
	const main = port.parentNode;
	main.before(header);
	main.append(aside);
	showPanel(usualPanel());
	set(find('#title'), { role: 'heading', 'aria-level': 1 });
});
on('load', openPanel);
keepWords(['panel'], () => showPanel(panels.has(state.panel) ? state.panel : state.panel ? null : usualPanel()));

const usualPanel = () => window.innerWidth < WIDE ? null : shownFirst;

/** Add a row above the picture, and return it. */
export const addRow = (name, attributes) => element(name, attributes, header);

/** Add a button to the first row, and return it. */
export const addButton = (text, act, label) => button(text, act, toolbar, label);

/** Return the first row, for controls other than buttons. */
export const addControls = () => toolbar;

/**
 * Add a panel with a tab, and return the panel's element. `open()`, if given, is called each time that it is shown, when the
 * model has been made.
 */
export function addPanel(name, label, open) {
	const tab = element('button', { type: 'button', role: 'tab', id: 'tab-' + name, 'aria-controls': 'panel-' + name,
		'aria-selected': 'false', click: () => toggle(name) }, tabs, label);
	const el = element('section', { role: 'tabpanel', id: 'panel-' + name, 'aria-labelledby': 'tab-' + name, hidden: '' }, aside);
	panels.set(name, { tab: tab, el: el, open: open });
	return el;
}

/** Show a panel from the start where it has room beside the picture. */
export function openAtFirst(name) {
	shownFirst = name;
}

/** Return whether a panel is shown. */
export const isShown = name => shown === name;

const toggle = name => choosePanel(isShown(name) ? null : name);

/** Show a panel beside the picture; null shows none. */
export const choosePanel = name => change({ panel: name === usualPanel() ? '' : name || 'none' });

function showPanel(name) {
	shown = name;
	aside.hidden = !name;
	for (const [other, { tab, el }] of panels) {
		tab.setAttribute('aria-selected', String(other === name));
		el.hidden = other !== name;
	}
	openPanel();
	announce('panel', name);
}

/** Let the panel that is shown fill itself, as soon as there is a model. */
function openPanel() {
	const { open } = shown ? panels.get(shown) : {};
	if (open && model) {
		open();
	}
}
