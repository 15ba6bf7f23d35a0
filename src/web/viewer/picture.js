/**
 * The picture in the file: its settings, its elements, and the sizes of its rows.
 *
 * The script runs while the browser still reads the picture: only the svg element and the settings before the script are
 * known then. readPicture() reads the rest when the picture is complete. A page can hold several pictures.
 */
import { LABEL_LEFT, MODERN_LABEL_LEFT, PAGE_ABOVE, PAGE_BELOW } from './constants.js';
import { number, readWhole, whole } from './counts.js';
import { subjectText, useUnit } from './units.js';

const script = document.currentScript;
/** The element of inferno's page that contains and scrolls the picture. The value is null in an SVG
 * file, and in a picture that is a part of another page. */
export const port = script && !script.ownerSVGElement && document.querySelector('#graph');
export const svg = port ? port.querySelector('svg') : script && script.ownerSVGElement || document.documentElement;
export const alone = port || svg === document.documentElement;  // whether the picture is not in another page, so that it may use the address, the history and all keys
export const {
	nametype, fontsize, fontwidth, xpad, inverted, searchcolor, fluiddrawing: fluid,
} = port ? readSettings(port.dataset) : window;
export const modern = svg.classList.contains('modern');  // --style=modern
export const compared = svg.classList.contains('compared');  // whether it shows two profiles
export const labelLeft = modern ? MODERN_LABEL_LEFT : LABEL_LEFT;

export let rootElement = null;  // the root's element in the file
export let rootTop = 0, rowHeight = 1, fileHeight = 0;  // in px; rootTop and fileHeight do not include the levels that only a zoom shows
export let fontNow = fontsize;  // px of labels
export let rootLabel = '';       // the root's name and count
export let fileLevels = 0;      // number of levels that the file has room for, without the level of the root
let titleEnd = null;            // matches the text after the name in a title

/** Return the settings that inferno's page has as attributes. */
function readSettings(texts) {
	const settings = {};
	for (const name of Object.keys(texts)) {
		const text = texts[name];
		settings[name] = /^(nametype|searchcolor)$/.test(name) ? text : /^(inverted|fluiddrawing)$/.test(name) ? text === '1' : Number(text);
	}
	return settings;
}

// Elements

export const find = selector => svg.querySelector(selector);

export function set(el, attributes) {
	for (const name of Object.keys(attributes)) {
		el.setAttribute(name, attributes[name]);
	}
	return el;
}

/** Make an SVG element and append it to `parent`, if that is given. `text` becomes text, never markup. */
export function make(name, attributes, parent, text) {
	const el = set(document.createElementNS(svg.namespaceURI, name), attributes);
	if (text) {
		el.textContent = text;
	}
	return parent ? parent.appendChild(el) : el;
}

// Marks that reverse the text after them.
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Return a text from the profile without marks that would reverse the text after it. */
export const harmless = text => text.replace(BIDI, '\ufffd');

export function setText(el, text) {
	const shown = harmless(String(text));
	if (el.textContent !== shown) {
		el.textContent = shown;
	}
}

/** Convert a point of the window to a position in the picture. */
export function pointAt(x, y) {
	const point = svg.createSVGPoint();
	point.x = x;
	point.y = y;
	return point.matrixTransform(svg.getScreenCTM().inverse());
}

/** Set the label of the root, when other frames are shown. */
export function setRootLabel(text) {
	rootLabel = text;
}

/** Return the label of a root with this title: the title without its share and its exact count. */
export const labelOfRoot = title => title.replace(/, 100(\.00)?%(; [\d,]+( [\wµ]+)?)?\)$|; (?:exactly|counted) [^;]*\)$/, ')');

// Elements of frames

// A frame that the script draws without a label is only a box, with its title as an attribute; any other frame has a title, a box and
// perhaps a label.
const isBox = el => el.localName === 'rect';
export const rectOf = el => isBox(el) ? el : el.firstElementChild.nextElementSibling;
export const labelOf = el => isBox(el) ? null : rectOf(el).nextElementSibling;
export const titleOf = el => el.firstElementChild ? el.firstElementChild.textContent : el.getAttribute('aria-label');
export const startOf = el => number(rectOf(el).getAttribute('fg:x'));
export const totalOf = el => number(rectOf(el).getAttribute('fg:w'));

/** Return the level of a frame of the file; the root's is 0. */
export function levelOf(el) {
	return Math.round(Math.abs(rectOf(el).getAttribute('y') - rootTop) / rowHeight);
}

/** Return the name of a frame of the file. */
export function nameIn(el) {
	const given = el.getAttribute('data-name');
	return given !== null ? given : titleOf(el).replace(titleEnd, '');
}

// Reading

/** Read the picture; return false if it has no frames. Only the last frames are read, since there may be very many. */
export function readPicture() {
	const frames = find('#frames');
	if (frames) {
		readWhole(frames.getAttribute('total_samples') || '0');
		fileHeight = Number(svg.getAttribute('height'));
		readRoot(frames);
		readTitleEnd(frames.getAttribute('data-unit'));
	}
	return frames !== null;
}

/**
 * Find the root's element. Frames are in the order in which they end, but the root need not be the
 * last one: frames with a count of 0 that were called last end in the same place. The root is the
 * lowest of these frames, or the highest in an inverted picture.
 */
function readRoot(frames) {
	const low = el => (inverted ? -1 : 1) * rectOf(el).getAttribute('y');
	const ends = el => startOf(el) + totalOf(el) === whole;
	for (let el = frames.lastElementChild; el && ends(el); el = el.previousElementSibling) {
		rootElement = rootElement && low(rootElement) > low(el) ? rootElement : el;
	}
	if (rootElement) {
		const rect = rectOf(rootElement);
		rootLabel = labelOfRoot(titleOf(rootElement));
		rootTop = Number(rect.getAttribute('y'));
		rowHeight = Number(rect.getAttribute('height')) + 1;
		fileLevels = Math.round(roomForLevels() / rowHeight);
	}
}

/** In inferno's page, make rows `height` px high, with labels of `font` px. `some` are elements of
 * frames that are placed already. */
export function resizeRows(height, font, some) {
	const [top, row] = [rootTop, rowHeight], extra = inverted ? rootTop : fileHeight - rootTop - rowHeight;
	rowHeight = height;
	fontNow = font;
	rootTop = inverted ? rootTop : PAGE_ABOVE + 1 + fileLevels * height;
	fileHeight = inverted ? extra + (fileLevels + 1) * height + PAGE_BELOW : rootTop + height + extra;
	set(svg, { height: fileHeight, 'font-size': font });
	for (const el of some) {
		const rect = rectOf(el), y = Math.round(rootTop + (rect.getAttribute('y') - top) / row * height);
		set(rect, { y: y, height: height - 1 });
	}
}

function roomForLevels() {
	if (port) {
		return inverted ? fileHeight - PAGE_BELOW - rootTop - rowHeight : rootTop - 1 - PAGE_ABOVE;
	}
	const line = Math.ceil(fontsize);
	const above = modern ? Number(find('#search').getAttribute('y')) + line : (find('#subtitle') ? 5 : 3) * line;
	const below = modern ? 2 * line + 16 : line + 10;
	return inverted ? fileHeight - below - rootTop - rowHeight : rootTop - 1 - above;
}

/** Determine the form of titles. The root's title is `all (N COUNTNAME, 100%)`, if counts are not
 * in a known unit. */
function readTitleEnd(unit) {
	const said = rootElement && /^all \([\d,]+ ([^]*), 100%\)$/.exec(titleOf(rootElement)), quoted = /[\\^$.*+?()[\]{}|]/g;
	useUnit(unit !== null ? unit : said ? said[1] : '', unit === null);
	const count = unit !== null ? '[\\d.,]+( [\\wµ]+)?' : '[\\d,]+', ofWhat = unit === null && !said ? ' [^]*' : subjectText().replace(quoted, '\\$&');
	titleEnd = compared ? / \([\d.,]+( [\wµ]+)? before, [\d.,]+( [\wµ]+)? after[^()]*\)$/ :
		new RegExp(' \\(' + count + ofWhat + ', [\\d.]+%(; [-+]?[\\d.]+%)?(; [\\d,]+( [\\wµ]+)?)?\\)$');
}
