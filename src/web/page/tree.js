/**
 * Tree: the frames as a list in which each can be opened, for screen readers, and for people who
 * prefer text. Items are made when their parent is opened. If a frame has only one callee, this callee is opened, too. The tree begins with
 * the root and shows callees, or it begins with the functions with self counts and shows callers. In the order of time, a function has many
 * frames, so the callees are merged, too.
 *
 * An item is { frame, node, level, indent, el, parts }. It shows a frame, or a node of merged callers or callees; `frame` is then one of the
 * node's frames. After the item was opened, `parts` has the { frame, node } of each child that has a count, the heaviest first. An
 * item with the frame -1 stands for all frames that have no item yet.
 */
import { on } from '../viewer/events.js';
import { grouped, share, shownPercent } from '../viewer/counts.js';
import { set, setText } from '../viewer/picture.js';
import { callersOf, model, nameOf } from '../viewer/model.js';
import { changeBetween, shadeOfChange } from '../viewer/compare.js';
import { change, keepWords, state } from '../viewer/state.js';
import { isMatch, isSearched } from '../viewer/search.js';
import { elementOf, view } from '../viewer/view.js';
import { scrollToFrame } from '../viewer/bars.js';
import { addSwatch } from './grid.js';
import { textsOfChange } from './kinds.js';
import { button, element } from './elements.js';
import { addView, isShown } from './layout.js';
import { hand, pointAt } from './hand.js';
import { select, selected } from './selection.js';
import { selfCounts } from './derive.js';
import { mergeNext, rootNode, selfNodes, sumOf } from './merge.js';

const ADDED = 100;         // callees that are added at a time
const MOST_INDENT = 30;
const STRAIGHT = 0.4;      // indentation of a single callee, as a share of the usual one
const treePanel = addView('tree', 'Tree', fillTree);
const treeBar = element('div', { class: 'bar' }, treePanel);
const treeWays = [['', 'From the root'], ['up', 'From the leaves']].map(([word, text]) =>
	({ word: word, el: button(text, () => change({ tree: word }), treeBar) }));
const treeColumns = element('span', { id: 'tree-columns' }, treeBar);
const treeBox = element('div', { role: 'tree', class: 'tree', 'aria-label': 'Frames', 'aria-describedby': 'tree-columns',
	click: onTreeClick, keydown: onTreeKey, mouseover: onTreeHover, mouseleave: () => pointAt('') }, treePanel);
let treeItems = new Map(); // by element
let treeModel = null;      // the model whose frames the tree shows
let ownColumn = null;
let matchesBefore = null;  // cached result of matchColumn()

on('select', markTree);
on('search', () => {
	matchesBefore = null;
	markTree();
});
on('match', i => isShown('tree') && revealInTree(i));
keepWords(['tree'], () => {
	treeModel = null;
	if (isShown('tree') && model) {
		fillTree();
	}
});

const isUp = () => state.tree === 'up';

/** Return whether an item shows a frame. */
const shows = ({ frame, node }, i) => node ? node.at.includes(i) : frame === i;

function fillTree() {
	if (treeModel !== model) {
		treeModel = model;
		treeItems = new Map();
		matchesBefore = null;
		treeBox.replaceChildren();
		ownColumn = selfCounts(model);
		treeWays.forEach(({ word, el }) => set(el, { 'aria-pressed': String(word === (state.tree || '')) }));
		setText(treeColumns, model.compared ? 'Columns: before, after, change, function' : isUp() ? 'Columns: self, function, and below it its callers' : 'Columns: total, self, function');
		const root = addItemOf({ frame: 0, node: model.wholeText && !isUp() ? rootNode() : null, level: 1, indent: 0, size: 1, place: 1 }, null);
		openItem(root);
		set(root.el, { tabindex: 0 });
		markTree();
	}
	revealInTree(hand.frame > 0 ? hand.frame : widestNamed(hand.name) || view.root);
}

/** Return the widest frame of a function, or 0. */
function widestNamed(name) {
	const id = name ? model.names.indexOf(name) : -1;
	let widest = 0;
	for (let i = 1; id >= 0 && i < model.n; i++) {
		widest = model.name[i] === id && (!widest || model.total[i] > model.total[widest]) ? i : widest;
	}
	return widest;
}

/** Open the callers of a frame, and scroll to it; in a tree of callers, scroll to its function. */
function revealInTree(frame) {
	const find = wanted => Array.from(treeItems.values()).find(wanted);
	for (const caller of frame && !isUp() ? callersOf(frame) : []) {
		openItem(find(item => shows(item, caller)));
	}
	const item = frame && find(isUp() ? other => other.node && other.level === 2 && nameOf(other.frame) === nameOf(frame) : other => shows(other, frame));
	if (item) {
		treeBox.querySelectorAll('[tabindex="0"]').forEach(el => set(el, { tabindex: -1 }));
		set(item.el, { tabindex: 0 });
		item.el.scrollIntoView({ block: 'center' });
	}
}

// Items

const shareOf = (part, all) => shownPercent(100 * share(part, all || 1), 2);

/** Return how the count of an item changed: the total of a frame, or the count of a node of merged callers. */
const changeOfItem = ({ frame: i, node }) => changeBetween(...[model.before, model.after].map(side => node ? sumOf(node, side.self) : Number(side.total[i])));

/**
 * Return the texts of an item's columns: for a frame or merged callees, the shares of the total and of the self count; for a node of merged
 * callers, the share of its count; in a comparison, the share before, the share after, and their difference.
 */
function textsOfItem(item) {
	const { frame: i, node } = item;
	return model.compared ? textsOfChange(changeOfItem(item)) :
		node ? [node.total, ...isUp() ? [] : [sumOf(node, ownColumn)]].map(count => shareOf(count, model.total[0])) :
		[shareOf(model.total[i], model.total[0]), shareOf(ownColumn[i], model.total[0])];
}

/** Put the element of an item after the element of another item; if the other item is null, into an empty tree. */
function addItemOf(item, after) {
	const { frame, level, indent, size, place } = item, isFrame = frame >= 0;
	const el = item.el = element('div', { role: 'treeitem', tabindex: -1, 'aria-level': level, 'aria-setsize': size, 'aria-posinset': place });
	const texts = isFrame ? textsOfItem(item) : [];
	for (let at = 0; at < (model.compared ? 3 : isUp() ? 1 : 2); at++) {
		element('span', { class: 'number' }, el, texts[at] || '');
	}
	element('span', { class: 'twist', 'aria-hidden': 'true' }, el).style.marginLeft = 14 * Math.min(indent, MOST_INDENT) + 'px';
	if (isFrame) {
		item.parts = partsOf(item);
		if (item.parts.length) {
			set(el, { 'aria-expanded': 'false' });
		}
	}
	if (isFrame && model.compared) {
		addSwatch(el, shadeOfChange(changeOfItem(item)));
	}
	element('span', { class: 'name' }, el, isFrame ? nameOf(frame) : grouped(size - place + 1) + ' more');
	treeItems.set(el, item);
	if (after) {
		after.el.after(el);
	} else {
		treeBox.append(el);
	}
	return item;
}

const itemsOf = nodes => nodes.map(each => ({ frame: each.at[0], node: each }));

/** Return the children of an item: the callees of a frame or a node, or the callers of a node. */
function partsOf({ frame, node }) {
	if (isUp()) {
		return itemsOf(node ? mergeNext(node, true, 0).nodes : selfNodes());
	}
	if (node) {
		return itemsOf(mergeNext(node, false, 0).nodes);
	}
	const { total, next } = model, callees = [];
	for (let callee = frame + 1; callee < next[frame]; callee = next[callee]) {
		if (total[callee] > 0) {
			callees.push({ frame: callee, node: null });
		}
	}
	return callees.sort((a, b) => Number(total[b.frame]) - Number(total[a.frame]) || a.frame - b.frame);
}

const isOpenItem = item => item.el.getAttribute('aria-expanded') === 'true';

/** Add the children of an item; open a single child in the same way. */
function openItem(item) {
	while (item && item.parts.length && !isOpenItem(item)) {
		set(item.el, { 'aria-expanded': 'true' });
		const single = addItemsOf(item, 0, item);
		item = item.parts.length === 1 ? single : null;
	}
}

/** Add at most ADDED children of an item, beginning with number `from`, after another item. If there are more, add an item that stands for
 * them. Return the item of the last child. */
function addItemsOf(item, from, after) {
	const { parts, level, indent } = item, many = parts.length;
	const below = { level: level + 1, indent: indent + (many > 1 || !item.frame ? 1 : STRAIGHT), size: many, above: item };
	for (let at = from; at < Math.min(from + ADDED, many); at++) {
		after = addItemOf({ ...below, ...parts[at], place: at + 1 }, after);
	}
	if (from + ADDED < many) {
		addItemOf({ ...below, frame: -1, node: null, place: from + ADDED + 1, parts: [] }, after);
	}
	markTree();
	return after;
}

function closeItem(item) {
	set(item.el, { 'aria-expanded': 'false' });
	for (let el = item.el.nextElementSibling; el && treeItems.get(el).level > item.level; el = item.el.nextElementSibling) {
		treeItems.delete(el);
		el.remove();
	}
	markTree();
}

/** Replace the item that stands for further children by items for these children. */
function addMore(item) {
	const last = treeItems.get(item.el.previousElementSibling);
	addItemsOf(item.above, item.place - 1, last);
	focusInTree(last.el.nextElementSibling === item.el ? item.el.nextElementSibling : last.el.nextElementSibling);
	treeItems.delete(item.el);
	item.el.remove();
}

/** Return a column from which matchesUnder() counts; null if there is no search. It has, for each frame, the number of matches before it in
 * the order of the model; in a tree of callers, the number of matches among its callers. */
function matchColumn() {
	if (!matchesBefore && isSearched()) {
		const { n, caller, total } = model;
		matchesBefore = new Uint32Array(n + 1);
		for (let i = 1; i <= n; i++) {
			const last = isUp() ? caller[i] || 0 : i - 1;
			matchesBefore[i] = matchesBefore[last] + (last > 0 && isMatch(last) && total[last] > 0 ? 1 : 0);
		}
	}
	return matchesBefore;
}

/** Return the number of matches below an item; in a tree of callers, the number of its frames that have a caller that matches. */
function matchesUnder({ frame, node }, before) {
	const under = i => isUp() ? before[i] ? 1 : 0 : before[model.next[i]] - before[i + 1];
	return node ? node.at.reduce((sum, i) => sum + under(i), 0) : isUp() || frame < 0 ? 0 : under(frame);
}

/** Show how many matches a closed item hides. */
function markBelow(item) {
	const before = matchColumn(), isHiding = before && item.parts.length && !isOpenItem(item);
	if (isHiding && item.before !== before) {
		item.before = before;
		item.under = matchesUnder(item, before);
	}
	const old = item.el.querySelector('.below'), under = isHiding ? item.under : 0;
	if (old) {
		old.remove();
	}
	if (under) {
		element('span', { class: 'below' }, item.el, isUp() ? 'matches below' : grouped(under) + (under === 1 ? ' match below' : ' matches below'));
	}
}

function markTree() {
	treeBox.classList.toggle('found', isSearched());
	for (const [el, item] of isShown('tree') ? treeItems : []) {
		const { frame } = item;
		set(el, { 'aria-selected': String(frame > 0 && nameOf(frame) === selected) });
		el.classList.toggle('hit', frame > 0 && isMatch(frame));
		markBelow(item);
	}
}

// --- Input of the user

function focusInTree(el) {
	if (el) {
		for (const other of treeBox.querySelectorAll('[tabindex="0"]')) {
			set(other, { tabindex: -1 });
		}
		set(el, { tabindex: 0 });
		el.focus();
	}
}

function pickItem(item) {
	if (item.frame < 0) {
		addMore(item);
	} else if (item.frame) {
		select(nameOf(item.frame));
		scrollToFrame(() => elementOf(item.frame));
	}
}

function turnItem(item) {
	if (isOpenItem(item)) {
		closeItem(item);
	} else {
		openItem(item);
	}
}

function onTreeClick(evt) {
	const item = treeItems.get(evt.target.closest('[role=treeitem]'));
	if (item) {
		focusInTree(item.el);
		if (evt.target.matches('.twist')) {
			turnItem(item);
		} else {
			pickItem(item);
		}
	}
}

function onTreeHover(evt) {
	const item = treeItems.get(evt.target.closest('[role=treeitem]'));
	pointAt(item && item.frame > 0 ? nameOf(item.frame) : '');
}

/** Return the next item whose name begins with a letter. */
function typedAhead(from, letter) {
	const all = Array.from(treeBox.children), at = all.indexOf(from);
	return all.slice(at + 1).concat(all.slice(0, at)).find(el => el.querySelector('.name').textContent.toLowerCase().startsWith(letter));
}

function onTreeKey(evt) {
	const item = treeItems.get(evt.target), { key } = evt;
	if (!item || evt.ctrlKey || evt.altKey || evt.metaKey) {
		return;
	}
	const { el } = item, isOpen = isOpenItem(item), after = el.nextElementSibling;
	const to = { ArrowDown: after, ArrowUp: el.previousElementSibling, Home: treeBox.firstElementChild, End: treeBox.lastElementChild };
	if (key in to) {
		focusInTree(to[key]);
	} else if (key === 'ArrowRight' && isOpen) {
		focusInTree(after);
	} else if (key === 'ArrowLeft' && !isOpen) {
		focusInTree(item.above && item.above.el);
	} else if (key === 'ArrowRight' || key === 'ArrowLeft') {
		turnItem(item);
	} else if (key === 'Enter' || key === ' ') {
		pickItem(item);
	} else if (key.length === 1 && !/[/?]/.test(key)) {
		focusInTree(typedAhead(el, key.toLowerCase()));
	} else {
		return;
	}
	evt.preventDefault();
}
