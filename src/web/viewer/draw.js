/** Draw: makes the view of a zoom from the frames that are wide enough to be seen. */
import {
	BOX_GAP, BOX_GAP_FULL, BOX_GAP_STARTS, DELTA_LARGEST, DELTA_NONE, DELTA_RANGE, DELTA_STEPS, LEAST_DRAWN, ROUND,
	ROUND_FROM, SHADE_GREW, SHADE_NEUTRAL, SHADE_SHRANK,
} from './constants.js';
import { number, percent, share } from './counts.js';
import { fileLevels, inverted, labelLeft, labelOf, make, modern, rectOf, rootLabel, rootTop, rowHeight, set } from './picture.js';
import { callerAt, callersOf, lastBefore, model, nameOf } from './model.js';
import { classOf, shadeOf, signOf, stepOf } from './compare.js';
import { addName, addTitle } from './titles.js';
import { addLabel, hasRoom, labelFor } from './labels.js';
import { home, view, widthNow } from './view.js';

const SPACES = { 'xlink:': 'http://www.w3.org/1999/xlink', 'fg:': 'http://github.com/jonhoo/inferno' };
const UNNAMED = 200;  // ms until boxes get their names
const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** Whether the root is at the other end of the picture than in the file. */
export let flipped = false;

/** Put the root at the other end in all views that are drawn from now on. */
export function turnOver() {
	flipped = !flipped;
}

/** Return the place of a row when the root is at the other end. */
export const mirrored = y => 2 * rootTop + (inverted ? fileLevels : -fileLevels) * rowHeight - y;

function topOf(level) {
	const y = inverted ? rootTop + level * rowHeight : rootTop - level * rowHeight;
	return flipped ? mirrored(y) : y;
}

// Fills

let colourOfName = null;
let colourOf = null;  // function that colours frames differently from the file; null: as in the file

/** Colour all frames by a function, which returns the fill for the number of a name; null: as in the file. */
export function colourBy(fill) {
	colourOfName = fill;
	colourOf = fill && (i => i ? fill(model.name[i]) : classOf(SHADE_NEUTRAL));
}

/** Return the fill of a frame that is coloured differently from the file, or null. */
export const otherColour = i => colourOf && colourOf(i);

/** Return the fill for the number of a name, if frames are coloured differently from the file. */
export const otherColourOfName = id => colourOfName && colourOfName(id);

/** Return the fill of a frame that matches no search: from the file, by its change, or by its name.
 */
function fillOf(i) {
	if (model.compared && !model.compared.byName) {
		return shadeOf(i);
	}
	if (colourOf) {
		return colourOf(i);
	}
	const at = home.at.get(i);
	if (at !== undefined) {
		return home.fills[at];
	}
	const separates = !modern && /^--?$/.test(nameOf(i));
	const byName = !model.changed || !model.changed[i] || model.diffusion || separates;
	return byName ? model.colours[model.name[i]] : fillOfDelta(model.delta[i], model.changed[i] === 2 !== model.negate);
}

/** Return the fill of a frame whose count differs by `delta`, which is positive. */
export function fillOfDelta(delta, less) {
	if (modern) {
		return classOf(delta ? (less ? SHADE_SHRANK : SHADE_GREW) + stepOf(delta / model.largest, DELTA_STEPS) : SHADE_NEUTRAL);
	}
	const rest = DELTA_LARGEST + Math.floor(DELTA_RANGE * (model.largest - delta) / model.largest);
	const [r, g, b] = !delta ? [DELTA_NONE, DELTA_NONE, DELTA_NONE] : less ? [rest, rest, 255] : [255, rest, rest];
	return 'rgb(' + r + ',' + g + ',' + b + ')';
}

// Elements

const blank = make('rect', {});  // cloning an element is faster than making one

/** Return an element for a frame of `px`, without its place, width and fill. */
function elementFor(i, px) {
	if (model.self && !hasRoom(px) && !model.functions.get(model.name[i])) {
		return blank.cloneNode();
	}
	const el = home.els[home.at.get(i)];
	return el && el !== rectOf(el) ? copyOf(el) : newElement(i);
}

function copyOf(el) {
	const copied = el.cloneNode(true), label = labelOf(copied);
	if (label) {
		label.remove();
	}
	if (copied.hasAttribute('tabindex')) {
		copied.setAttribute('tabindex', -1);
	}
	if (modern) {
		rectOf(copied).removeAttribute('rx');
		copied.classList.remove('hit');
	}
	return copied;
}

function newElement(i) {
	const given = model.functions.get(model.name[i]);
	const el = make(given && given.link ? 'a' : 'g', given && given.link ? { tabindex: -1 } : {});
	if (given) {
		setGiven(el, given.attributes);
	}
	const box = blank.cloneNode();
	addTitle(el, i, box);
	el.append(box);
	return el;
}

/** Set attributes from their XML text. */
function setGiven(el, text) {
	for (const [, name, value] of text.matchAll(/([^\s=]+)="([^"]*)"/g)) {
		el.setAttributeNS(SPACES[name.replace(/[^:]*$/, '')] || null, name, value.replace(/&(#\d+|\w+);/g, (entity, word) =>
			word[0] === '#' ? String.fromCodePoint(word.slice(1)) : ENTITIES[word] || entity));
	}
}

/** Give a box its fill: a colour, or the class of a shade. */
export function paint(rect, fill) {
	if (!/^c\d/.test(fill)) {
		rect.setAttribute('fill', fill);
		rect.removeAttribute('class');
	} else if (rect.getAttribute('class') !== fill) {
		// The style sheet has the colour of the shade. If style sheets are blocked, take the colour from a frame of the file with
		// the same shade, if there is one.
		set(rect, { class: fill + (rect.classList.contains('hit') ? ' hit' : ''), fill: home.colours.get(fill) || 'silver' });
	}
}

/** Return the drawn width of a box of `px`: --style=modern leaves a gap to the right of wide boxes. */
function drawnWidth(px) {
	const part = (px - BOX_GAP_STARTS) / (BOX_GAP_FULL - BOX_GAP_STARTS);
	return modern ? px - BOX_GAP * Math.min(Math.max(part, 0), 1) : px;
}

/**
 * Give a frame's element its place, its fill and its label. `left` and `span` are shares of `width` px; `change` is the shade of a change
 * that the fill does not show; `name()` returns the frame's name.
 */
export function placeFrame(el, { left, span, width, y, fill, change, name }) {
	const px = span * width, rect = set(rectOf(el), { x: percent(left), y: y, width: percent(drawnWidth(px) / width) });
	paint(rect, fill);
	if (modern && px > ROUND_FROM) {
		rect.setAttribute('rx', ROUND);
	}
	if (change) {
		rect.setAttribute('data-change', change);
	}
	const label = labelFor(px, name, signOf(rect));
	if (label) {
		addLabel(el, percent(left + labelLeft / width), y, label, fill);
	}
}

/** Add a frame to a view; `from` and `to` are shares of the view's width. Parts outside of the view are cut. */
function addFrame(drawn, i, from, to) {
	const left = Math.max(from, 0), span = Math.min(to, 1) - left, el = elementFor(i, span * drawn.width), fill = fillOf(i);
	placeFrame(el, { left: left, span: span, width: drawn.width, y: topOf(model.depth[i]), fill: fill,
		change: model.compared && model.compared.byName && shadeOf(i), name: () => i ? nameOf(i) : rootLabel });
	drawn.el.appendChild(el);
	drawn.els.push(el);
	drawn.ids.push(i);
	drawn.fills.push(fill);
	drawn.deepest = Math.max(drawn.deepest, model.depth[i]);
	return el;
}

// Sheets

/**
 * Draw `root` as wide as the picture, with its callers, and with its direct and indirect callees. Return the view. `range` is null or a
 * pair of shares of the width of `root`: the view shows the part of `root` that begins at range[0] and is range[1] wide.
 */
export function draw(root, range = null) {
	const drawn = { el: view.el.cloneNode(false), els: [], ids: [], fills: [], root: root, range: range, callers: model.depth[root], deepest: 0,
		flipped: flipped, width: widthNow() };
	set(blank, { height: rowHeight - 1 });
	for (const caller of callersOf(root)) {
		addFrame(drawn, caller, 0, 1).classList.add('parent');
	}
	const strips = addCallees(drawn);
	const path = strips.map((some, level) => some.map(strip => stripPath(drawn, strip, level)).join('')).join('');
	if (path) {
		drawn.el.insertBefore(make('path', { class: 'narrow', d: path }), drawn.el.firstChild);
	}
	drawn.ids = Int32Array.from(drawn.ids);
	drawn.deepest = Math.max(drawn.deepest, strips.length - 1);
	drawn.lit = new Uint8Array(drawn.ids.length);
	setTimeout(() => view === drawn && drawn.els.forEach((el, at) => addName(el, drawn.ids[at])), UNNAMED);
	return drawn;
}

/** Return the position of a count as a share of the view's width. */
function placeOn({ root, range }, count) {
	const place = share(count - model.start[root], model.total[root]);
	return range ? (place - range[0]) / range[1] : place;
}


/** Add the root of a view and its callees. Return strips of frames too narrow to be seen: by level, [from, to] in counts. */
function addCallees(drawn) {
	const { start, total, next, caller, depth } = model, root = drawn.root;
	const part = drawn.range ? drawn.range[1] : 1, least = LEAST_DRAWN / drawn.width * part * Number(total[root]), step = number(Math.max(Math.ceil(least), 1));
	const strips = [];
	for (let i = root; i < next[root];) {
		const from = placeOn(drawn, start[i]), to = from + share(total[i], total[root]) / part;
		if (drawn.range && (to <= 0 || from >= 1)) {
			i = next[i];
			continue;
		}
		if (total[i] >= least) {
			addFrame(drawn, i, from, to);
			i++;
			continue;
		}
		// The last frame in the next half px may be wide enough; the frames before it become one strip.
		const last = callerAt(Math.min(lastBefore(start[i] + step), next[caller[i]] - 1), depth[i]);
		const wide = total[last] >= least;
		addStrip(strips, depth[i], start[i], start[last] + (wide ? number(0) : total[last]));
		i = wide ? last : next[last];
	}
	return strips;
}

/** Add a strip to those of its level, or make the last one longer if they touch. */
function addStrip(strips, level, from, to) {
	const some = strips[level] = strips[level] || [], last = some[some.length - 1];
	if (last && from <= last[1]) {
		last[1] = to;
	} else {
		some.push([from, to]);
	}
}

function stripPath(drawn, strip, level) {
	const [left, right] = strip.map(count => Math.min(Math.max(placeOn(drawn, count), 0), 1) * drawn.width);
	return strip[1] > strip[0] ? pathAround(left, topOf(level), right - left, rowHeight - 1) : '';
}

/** Return a length with two decimals at most. This is faster than toFixed(). */
const hundredths = px => Math.round(100 * px) / 100;

/** Return the part of a path that goes around a rectangle. */
export function pathAround(x, y, width, height) {
	const left = hundredths(x);
	return 'M' + left + ' ' + y + 'h' + hundredths(width) + 'v' + height + 'H' + left + 'z';
}
