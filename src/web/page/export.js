/** Export: saves the view as a picture in a separate file, or its stacks as folded text. */
import { number } from '../viewer/counts.js';
import { make, set, svg, xpad } from '../viewer/picture.js';
import { load, model } from '../viewer/model.js';
import { view } from '../viewer/view.js';
import { tellText } from '../viewer/status.js';
import { addKeys } from '../viewer/keys.js';
import { pin } from '../viewer/bars.js';
import { element } from './elements.js';
import { addChoice, addMenu, openMenu } from './layout.js';

const SCALE = 2;               // px of a PNG for each px of the picture
const MOST_SIDE = 16384;       // px of a canvas
const PIECE = 1 << 20;         // characters of text that are put together at a time
const NOT_STATIC = 'script, #profile, #field, #help, #search, #ignorecase, #own, #unzoom, .same, .hide';
const SPACE = 'http://www.w3.org/2000/svg';

const exportMenu = addMenu('export', 'Export');
for (const [text, act] of [['SVG', saveSvg], ['PNG', savePng], ['Folded stacks', saveFolded]]) {
	addChoice(exportMenu, text, () => {
		load();
		act();
	});
}
addKeys('e', 'e', 'save what is shown as SVG, PNG or folded stacks', () => openMenu('export'));

/** Let the browser save a file whose name is the title of the page. */
function download(blob, suffix) {
	const name = document.title.replace(/[^\p{L}\p{N}.]+/gu, '-').replace(/^[-.]+|-+$/g, '') || 'flamegraph';
	const url = URL.createObjectURL(blob), link = element('a', { href: url, download: name + suffix }, document.body);
	link.click();
	link.remove();
	tellText('Saved: ' + link.download);
	setTimeout(() => URL.revokeObjectURL(url), 60000);
}

// Pictures

const CAPTIONS = 44;           // px above the frames for the title and the description of the shown part

const sizeNow = () => ({ width: svg.clientWidth, height: Number(svg.getAttribute('height')) + CAPTIONS });

/** Return a description of the shown part: the zoom, the span of time and the filters. */
const whatIsShown = () => Array.from(document.querySelectorAll('#trail:not([hidden]) li, #trail:not([hidden]) .chip'), el =>
	el.textContent.replace(/×$/, '')).join(' › ');

/** Return the picture as the text of an SVG file, with the style rules for the picture and without a script. */
function svgNow() {
	const { width, height } = sizeNow();
	pin(true);
	const picture = svg.cloneNode(true);
	pin();
	picture.querySelectorAll(NOT_STATIC).forEach(el => el.remove());
	for (const el of [picture, ...picture.querySelectorAll('*')]) {
		for (const { name } of Array.from(el.attributes)) {
			if (/:|^on|^tabindex$|^role$|^aria-/.test(name)) {
				el.removeAttribute(name);
			}
		}
	}
	picture.querySelectorAll(':scope > text').forEach(el => el.remove());
	for (const [text, y] of [[document.querySelector('h1').textContent + ' · ' + document.querySelector('.facts').textContent, 20], [whatIsShown(), 38]]) {
		make('text', { x: xpad, y: y - CAPTIONS }, picture, text);
	}
	set(picture.querySelector(':scope > rect'), { y: -CAPTIONS, height: height });
	set(picture, { xmlns: SPACE, width: width, height: height, viewBox: '0 ' + -CAPTIONS + ' ' + width + ' ' + height });
	// Write the style as text, because the policy of the page forbids making a style element.
	const xml = new XMLSerializer().serializeToString(picture), style = '<style>' + xmlOf(rulesFor(xml)) + '</style>';
	return xml.replace('>', () => '>' + style).replace(/[^\t\n\r -\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd');
}

const xmlOf = text => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

/** Return the style rules of the page that apply to a picture in the current mode, light or dark. */
function rulesFor(xml) {
	const doc = new DOMParser().parseFromString(xml, 'image/svg+xml'), kept = [];
	const applies = selector => {
		try {
			return doc.querySelector(selector) !== null;
		} catch (e) {
			return false;
		}
	};
	const keep = rules => {
		for (const rule of rules) {
			if (rule.media && !/forced/.test(rule.media.mediaText) && window.matchMedia(rule.media.mediaText).matches) {
				keep(rule.cssRules);
			} else if (rule.selectorText && !/^:root|^html/.test(rule.selectorText) && applies(rule.selectorText)) {
				kept.push(rule.cssText);
			}
		}
	};
	[...document.styleSheets].forEach(sheet => keep(sheet.cssRules));
	return kept.join('\n');
}

function saveSvg() {
	download(new Blob([svgNow()], { type: 'image/svg+xml' }), '.svg');
}

function savePng() {
	const { width, height } = sizeNow(), scale = Math.min(SCALE, MOST_SIDE / width, MOST_SIDE / height);
	const canvas = element('canvas', { width: Math.round(width * scale), height: Math.round(height * scale) });
	const url = URL.createObjectURL(new Blob([svgNow()], { type: 'image/svg+xml' })), image = new Image();
	const giveUp = () => tellText('Cannot make a PNG of a picture of this size');
	image.onerror = giveUp;
	image.onload = () => {
		canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
		URL.revokeObjectURL(url);
		canvas.toBlob(blob => blob ? download(blob, '.png') : giveUp());
	};
	image.src = url;
}

// Stacks

/** Return the name of a frame as it is written in folded text. */
const foldedName = id => model.names[id] + (model.marks && model.marks[id] ? '_[' + model.marks[id] + ']' : '');

/** Return the self count of a frame; in a comparison, the self counts of both profiles. */
function countsHere(i) {
	if (model.compared) {
		return [model.before.self[i], model.after.self[i]];
	}
	if (model.self) {
		return [model.self[i] + (model.hidden ? model.hidden[i] : number(0))];
	}
	let self = model.total[i];
	for (let callee = i + 1; callee < model.next[i]; callee = model.next[callee]) {
		self -= model.total[callee];
	}
	return [self];
}

/** Save the stacks, after all filters, that contain the frame that is as wide as the picture. */
function saveFolded() {
	const { depth, name, next } = model, stack = [], pieces = [], root = view.root;
	let piece = '';
	for (let i = root; i; i = model.caller[i]) {
		stack[depth[i] - 1] = foldedName(name[i]);
	}
	for (let i = Math.max(root, 1); i < next[root]; i++) {
		stack.length = depth[i];
		stack[depth[i] - 1] = foldedName(name[i]);
		const counts = countsHere(i);
		if (counts.some(count => count > 0)) {
			piece += stack.join(';') + ' ' + counts.join(' ') + '\n';
		}
		if (piece.length > PIECE) {
			pieces.push(piece);
			piece = '';
		}
	}
	download(new Blob([...pieces, piece], { type: 'text/plain' }), '.folded');
}
