/** Filters: the kinds of steps that name functions, and the menu that adds them. */
import { model } from '../viewer/model.js';
import { addKeys } from '../viewer/keys.js';
import { element } from './elements.js';
import { derive } from './derive.js';
import { addChoice, addMenu, closeMenus } from './layout.js';
import { addFilter, filterBy, only } from './chain.js';

const PATTERNS = { only: 'only', without: 'hide stacks with', hide: 'hide frames of', from: 'from' };
const LABELS = { only: 'Only stacks with', without: 'Hide stacks with', hide: 'Hide frames of', from: 'Start stacks at' };

/** Return for each frame `yes` if the frame or one of its callers was found, or else the opposite of `yes`. */
function through({ n, caller, name }, found, yes) {
	const has = new Uint8Array(n).fill(1 - yes, 0, 1);
	for (let i = 1; i < n; i++) {
		has[i] = found[name[i]] ? yes : has[caller[i]];
	}
	return has;
}

addFilter('only', PATTERNS.only, (columns, found) => only(columns, through(columns, found, 1)), true);
addFilter('without', PATTERNS.without, (columns, found) => only(columns, through(columns, found, 0)), true);
addFilter('hide', PATTERNS.hide,
	(columns, found) => derive(columns, (i, caller, add) => found[columns.name[i]] ? caller : add(caller, columns.name[i])), true);
addFilter('from', PATTERNS.from, (columns, found) => derive(columns, (i, caller, add) =>
	caller > 0 || found[columns.name[i]] ? add(Math.max(caller, 0), columns.name[i]) : -1), true);
addFilter('recursion', 'fold recursion', columns => {
	const name = new Int32Array(columns.n + 1).fill(-1);  // by derived frame
	return derive(columns, (i, caller, add) => {
		const to = name[caller] === columns.name[i] ? caller : add(caller, columns.name[i]);
		name[to] = columns.name[i];
		return to;
	});
});
addFilter('module', 'fold module', foldModule);

/** Return the module of a function that its name shows: a library, a package, a crate or a namespace. Return '' if the name shows no
 * module. */
export function moduleOf(name) {
	const found = /^([^`]+)`/.exec(name) || /^((?:[\w$-]+\/)+)[\w$-]+[.:]/.exec(name) || /^<?&?([\w$]+(?:\.[\w$]+)*)::/.exec(name) ||
		/^([\w$]+(?:\.[a-z][\w$]*)*)\.[\w$(*]/.exec(name) || /(\[[^\]]+\])$/.exec(name);
	return found ? found[1].replace(/\/$/, '') : '';
}

/** Merge consecutive frames of a stack that belong to one module. */
function foldModule(columns, found, module) {
	const names = columns.names.concat('[' + module + ']'), id = names.length - 1;
	const isOf = columns.names.map(name => moduleOf(name) === module), isFolded = new Uint8Array(columns.n + 1);
	const colours = columns.colours && columns.colours.concat(columns.colours[isOf.indexOf(true)] || columns.colours[0]);
	return derive(columns, (i, caller, add) => {
		if (!isOf[columns.name[i]]) {
			return add(caller, columns.name[i]);
		}
		const to = isFolded[caller] ? caller : add(caller, id);
		isFolded[to] = 1;
		return to;
	}, { names: names, colours: colours });
}

/** Return a pattern that matches only this name. */
export const exactly = name => '^' + name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') + '$';

addKeys('r', 'r', 'fold recursion: a function that calls itself becomes one frame', () => filterBy('recursion', ''), () => model);

// The menu.
export const filterMenu = addMenu('filter', 'Filter');
const filterForm = element('form', { class: 'filter', 'aria-label': 'Add a filter', submit: evt => {
	evt.preventDefault();
	if (patternInput.value) {
		filterBy(kindChoice.value, patternInput.value);
		patternInput.value = '';
		closeMenus();
	}
} }, filterMenu);
const kindChoice = element('select', { 'aria-label': 'What to do with functions' }, filterForm);
for (const kind of Object.keys(PATTERNS)) {
	element('option', { value: kind }, kindChoice, LABELS[kind]);
}
const patternInput = element('input', { type: 'text', spellcheck: 'false', autocomplete: 'off', placeholder: 'regular expression',
	'aria-label': 'Functions, as a regular expression' }, filterForm);
element('button', { type: 'submit' }, filterForm, 'Add filter');
addChoice(filterMenu, 'Fold recursion', () => filterBy('recursion', ''));
