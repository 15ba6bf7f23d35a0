/**
 * Sandwich: the selected function between its callers, above, and its callees, below, merged over
 * all of its frames. It replaces the picture. A click on a frame makes the frame as wide as the
 * function in its half.
 */
import { LEAST_DRAWN, SHADE_NEUTRAL } from '../viewer/constants.js';
import { on } from '../viewer/events.js';
import { shownPercent } from '../viewer/counts.js';
import { make, port, rowHeight, set, setText, svg } from '../viewer/picture.js';
import { model } from '../viewer/model.js';
import { changeBetween, classOf, shadeOfChange, sharesOfChange } from '../viewer/compare.js';
import { wordsFor } from '../viewer/titles.js';
import { fillOfDelta, otherColour, pathAround, placeFrame } from '../viewer/draw.js';
import { change, state } from '../viewer/state.js';
import { isMatch, pattern } from '../viewer/search.js';
import { button, element } from './elements.js';
import { addView, chooseView, isShown } from './layout.js';
import { baseline } from '../viewer/labels.js';
import { valueOf, withFirst } from './chain.js';
import { selected } from './selection.js';
import { functionsByName, functionsNow } from './functions.js';
import { hand, pointAt } from './hand.js';
import { mergeNext, nodeOf, sumOf } from './merge.js';
import { changeWithNoise } from './scalenoise.js';
import { pickNow } from './times.js';

const SIDE = 16, ABOVE = 4;      // px to the left and right of the frames, and above and below
const HALVES = [['up', 'callers', -1], ['down', 'callees', 1]];
const SIDES = { before: 'the first profile', after: 'the second profile' };  // by the word in the state
const stage = addView('callers', 'Callers and callees', openSandwich, element('section', { id: 'sandwich', class: 'view' }, port.parentNode));
const stageBar = element('div', { class: 'bar' }, stage);
const stageTitle = element('h2', {}, stageBar);
const stageView = element('div', { class: 'stack' }, stage);
const stageSvg = make('svg', { class: svg.getAttribute('class'), 'font-family': svg.getAttribute('font-family'),
	role: 'tree', 'aria-label': 'Callers above, callees below' }, stageView);
const missing = element('div', { class: 'nothing', role: 'status', hidden: '' }, stage);
const stageFrames = make('svg', { x: SIDE, y: ABOVE }, stageSvg);
const stageDetails = element('p', { class: 'details' }, stage);
let centre = null;               // the node of the function
let stageZooms = { up: null, down: null };  // the node that is as wide as the function, by half
let stageItems = [];                  // the drawn frames: { node, level, left, span, el, isPassed }

on('start', () => new ResizeObserver(() => isShown('callers') && model && drawSandwich()).observe(stageView));
on('select', () => isShown('callers') && openSandwich());
for (const event of ['search', 'swap']) {  // these events change the colours
	on(event, () => isShown('callers') && centre && drawSandwich());
}

/** Select a function, and show its callers and callees. */
export function showSandwich(name) {
	change({ fn: name, view: 'callers' });
	focusItem(stageItems.find(item => !item.level));
}

function closeSandwich() {
	chooseView('graph');
	port.focus();
}

/** Return the function to show: the selected function, or else the current function, or else the function with the largest self count. */
function centralFunction() {
	const { ids, self } = functionsNow(), named = name => name ? model.names.indexOf(name) : -1;
	const heaviest = ids.reduce((best, id) => best < 0 || self[id] > self[best] ? id : best, -1);
	return selected ? named(selected) : [named(hand.name), heaviest].find(id => id >= 0);
}

function openSandwich() {
	const id = centralFunction(), by = functionsByName();
	centre = id === undefined || id < 0 ? null : nodeOf(by[id]);
	stageZooms = { up: null, down: null };
	drawSandwich();
	const at = stageItems.find(item => !item.level);
	stageView.scrollTop = at ? at.top - stageView.clientHeight / 2 : 0;
}

// Drawing

function drawSandwich() {
	const width = Math.max(stageView.clientWidth - 2 * SIDE, 1);
	stageFrames.replaceChildren();
	stageItems = [];
	setText(stageTitle, centre ? model.names[centre.id] : selected);
	const isMissing = !centre || !centre.total;
	setText(stageDetails, isMissing ? '' : describe(centre));
	set(stageSvg, { 'aria-hidden': String(isMissing), display: isMissing ? 'none' : 'block' });
	missing.hidden = !isMissing;
	if (isMissing) {
		explainMissing(centre ? model.names[centre.id] : selected);
		return;
	}
	const strips = [], first = addItem(centre, 0, 0, 1, null), gap = rowHeight;
	for (const [half] of HALVES) {
		placeHalf(half === 'up', stageZooms[half] || centre, width, first, strips);
	}
	const top = stageItems.reduce((least, { level }) => Math.min(least, level), 0);
	const bottom = stageItems.reduce((most, { level }) => Math.max(most, level), 0);
	const topOf = level => (level - top) * rowHeight + gap * (Math.sign(level) + 1);
	set(stageSvg, { 'font-size': svg.getAttribute('font-size'), width: width + 2 * SIDE, height: topOf(bottom) + (bottom ? 1 : 2) * rowHeight + 2 * ABOVE });
	set(stageFrames, { width: width, class: pattern ? 'found' : '' });
	const paths = strips.map(([level, left, span]) => pathAround(left * width, topOf(level), span * width, rowHeight - 1));
	make('path', { class: 'narrow', d: paths.join('') }, stageFrames);
	for (const item of stageItems) {
		item.top = topOf(item.level);
		drawItem(item, width);
	}
	for (const [, word, by] of HALVES) {
		const has = stageItems.some(({ level }) => Math.sign(level) === by) || strips.some(([level]) => Math.sign(level) === by);
		make('text', { class: 'half', x: 0, y: baseline(first.top + by * rowHeight) }, stageFrames, has ? word : 'no ' + word);
	}
	set(first.el, { tabindex: 0 });
}

/** Say why the function is not drawn, and offer to undo each reason. */
function explainMissing(name) {
	const { span, thread } = pickNow(), times = valueOf('time'), others = withFirst('time', '');
	const where = state.u ? 'in what is compared' : [span && 'in this span of time', thread >= 0 && 'in this thread'].filter(Boolean).join(', ');
	const reasons = [
		[model.compared && SIDES[state.side], 'in ' + SIDES[state.side], 'Show both profiles', { side: '' }],
		[times, where, span && !state.u ? 'Show the whole time' : 'Show all threads and times', { f: others, u: '' }],
		[others, 'with these filters', 'Remove the filters', { f: times && withFirst('time', times).split(',')[0] }],
	].filter(([applies]) => applies);
	missing.replaceChildren();
	element('p', {}, missing, (name ? name + ' does not occur ' : 'No function is left ') + reasons.map(([, words]) => words).join(', '));
	for (const [, , text, words] of reasons) {
		button(text, () => change(words), missing);
	}
}

function addItem(node, level, left, span, near, isPassed) {
	stageItems.push({ node: node, level: level, left: left, span: span, near: near, isPassed: isPassed });
	return stageItems[stageItems.length - 1];
}

/** Place the frames of a half. Frames between the root and the zoomed frame are as wide as the zoomed frame. After them come the visible
 * descendants of the zoomed frame. */
function placeHalf(isUp, zoomed, width, first, strips) {
	const by = isUp ? -1 : 1, passed = [];
	for (let node = zoomed; node !== centre; node = node.above) {
		passed.unshift(node);
	}
	let near = first;
	for (const node of passed) {
		near = addItem(node, near.level + by, 0, 1, near, node !== zoomed);
	}
	const least = LEAST_DRAWN / width * zoomed.total, rest = [near];
	while (rest.length) {
		const item = rest.pop(), { nodes, rest: narrow } = mergeNext(item.node, isUp, least);
		let left = item.left;
		for (const node of nodes) {
			const span = node.total / zoomed.total;
			rest.push(addItem(node, item.level + by, left, span, item));
			left += span;
		}
		if (narrow >= least && narrow > 0) {
			strips.push([item.level + by, left, narrow / zoomed.total]);
		}
	}
}

const shadeOfNode = node => shadeOfChange(changeOfNode(node));

function fillOfNode(node) {
	if (model.compared && !model.compared.byName) {
		return shadeOfNode(node);
	}
	if (model.changed && !model.diffusion) {
		const delta = node.of.reduce((sum, i) => sum + (model.changed[i] === 2 ? -1 : 1) * Number(model.delta[i]), 0);
		return fillOfDelta(Math.min(Math.abs(delta), Number(model.largest)), delta < 0 !== model.negate);
	}
	return otherColour(node.at[0]) || (model.colours ? model.colours[node.id] : classOf(SHADE_NEUTRAL));
}

const changeOfNode = node => changeBetween(sumOf(node, model.before.total), sumOf(node, model.after.total));

/** Return the title of a frame: its name and count, and its shares of all and of the function; in a comparison, its name and change. */
function describe(node, level = 0) {
	if (model.compared) {
		const grown = changeOfNode(node);
		return model.names[node.id] + ' (' + sharesOfChange(grown.before, grown.after).join(' → ') + ' of all, ' + changeWithNoise(grown) + ')' +
			(level < 0 ? ' | only its calls of ' + model.names[centre.id] : '');
	}
	return model.names[node.id] + wordsFor(node.total, '') +
		(node === centre ? '' : ' | ' + shownPercent(100 * node.total / centre.total, 2) + ' of ' + model.names[centre.id]);
}

function drawItem(item, width) {
	const { node, left, span, top } = item;
	const el = item.el = make('g', { tabindex: -1, role: 'treeitem', 'aria-level': 1 + Math.abs(item.level) }, stageFrames);
	make('title', {}, el, describe(node, item.level));
	make('rect', { height: rowHeight - 1 }, el);
	placeFrame(el, { left: left, span: span, width: width, y: top, fill: fillOfNode(node),
		change: model.compared && model.compared.byName && shadeOfNode(node), name: () => model.names[node.id] });
	el.classList.toggle('parent', Boolean(item.isPassed));
	el.classList.toggle('centre', !item.level);
	el.classList.toggle('hit', isMatch(node.at[0]));
}

// --- Input of the user

const itemOf = el => stageItems.find(item => item.el === el || item.el.contains(el));

stageFrames.addEventListener('mouseover', evt => tellItem(itemOf(evt.target)));
stageFrames.addEventListener('mouseleave', () => tellItem(itemOf(document.activeElement)));
stageFrames.addEventListener('focusin', evt => tellItem(itemOf(evt.target)));
stageFrames.addEventListener('click', evt => zoomItem(itemOf(evt.target)));
stageFrames.addEventListener('dblclick', evt => selectItem(itemOf(evt.target)));
document.addEventListener('keydown', evt => {
	if (isShown('callers') && (stage.contains(evt.target) || evt.target === document.body)) {
		onStageKey(evt);
	}
});

function tellItem(item) {
	pointAt(item ? model.names[item.node.id] : '');
	setText(stageDetails, item ? describe(item.node, item.level) : centre ? describe(centre) : '');
}

/** Make a frame as wide as the function. For the frame of the function itself, undo this in both
 * halves. */
function zoomItem(item) {
	if (item) {
		if (item.level) {
			stageZooms[item.level < 0 ? 'up' : 'down'] = item.node;
		} else {
			stageZooms = { up: null, down: null };
		}
		drawSandwich();
		focusItem(stageItems.find(({ node }) => node === item.node));
	}
}

function selectItem(item) {
	if (item) {
		showSandwich(model.names[item.node.id]);
	}
}

function focusItem(item) {
	if (item) {
		for (const { el } of stageItems) {
			el.setAttribute('tabindex', el === item.el ? 0 : -1);
		}
		item.el.focus({ preventScroll: true });
		item.el.scrollIntoView({ block: 'nearest' });
	}
}

/** Return the next frame in a direction, if a frame is there. */
function neighbour(item, key) {
	const by = { ArrowUp: -1, ArrowDown: 1 }[key];
	if (!by) {
		const beside = stageItems.filter(other => other.near === item.near && other.level === item.level), at = beside.indexOf(item);
		return beside[at + (key === 'ArrowLeft' ? -1 : 1)];
	}
	return by * item.level < 0 ? item.near : stageItems.find(other => other.near === item && other.level === item.level + by);
}

function onStageKey(evt) {
	const item = itemOf(evt.target), { key } = evt;
	if (evt.ctrlKey || evt.altKey || evt.metaKey || key !== 'Escape' && !item) {
		return;
	}
	if (/^Arrow/.test(key)) {
		focusItem(neighbour(item, key));
	} else if (key === 'Enter' || key === ' ') {
		zoomItem(item);
	} else if (key === 's') {
		selectItem(item);
	} else if (key === 'Escape' && (stageZooms.up || stageZooms.down)) {
		zoomItem(stageItems.find(({ level }) => !level));
	} else if (key === 'Escape') {
		closeSandwich();
	} else {
		return;
	}
	evt.preventDefault();
}
