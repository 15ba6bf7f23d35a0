/**
 * About: a line below the picture on the function that was clicked, focused or selected, with a link to its source. The line is always
 * there, and always as high: what a press of the button moves gets no click.
 */
import { on } from '../viewer/events.js';
import { nameIn, port, rootElement, svg } from '../viewer/picture.js';
import { nameOf } from '../viewer/model.js';
import { frameAt, idOf } from '../viewer/view.js';
import { element } from './elements.js';
import { selected } from './selection.js';

const SAFE = /^(https?|vscode):$/;
const FILE_AND_LINE = [
	/\((?:at )?([^()]*[^():]):(\d+)(?::\d+)?\)$/,           // main (app.py:12), main(Main.java:12), main   (at /src/main.nim:12)
	/^((?:[A-Za-z]:)?[^:;]+\.\w+):(\d+):[^\d]/,             // app.py:12:main
	/:(\/[^:]+):(\d+)$/,                                    // main:/src/main file.c:12
	/(?:^|[\s:])([^\s:]*\.[\w+]+):(\d+)(?::\d+)?$/,         // main.c:12, main main.c:12, main:main.c:12
];

export let inHand = '';  // the name of the function, '' if none
const aboutParts = [];        // functions that show something about it

const aboutLine = element('footer', { class: 'empty' });
element('em', {}, aboutLine, 'Click a frame to zoom to it; ? lists all keys');
const nameText = element('strong', {}, aboutLine);
const sourceLink = element('a', { hidden: '', target: '_blank', rel: 'noreferrer' }, aboutLine);

on('start', () => {
	port.parentNode.after(aboutLine);
	svg.addEventListener('pointerdown', evt => showFrameOf(evt.target));
	document.addEventListener('focusin', evt => showFrameOf(evt.target));
});
on('select', () => showAbout(selected));

/** Add an element to the line, and return it. `render(name)` is called with each function. */
export function addAbout(render) {
	aboutParts.push(render);
	return element('span', {}, aboutLine);
}

/** Show the function of a frame. Do not load: the frame that is pressed must still be there when the button goes up. */
function showFrameOf(el) {
	const frame = frameAt(el), i = idOf(frame);
	if (i > 0) {
		showAbout(nameOf(i));
	} else if (frame && i < 0 && frame !== rootElement) {
		showAbout(nameIn(frame));
	}
}

/** Show the line for a function; '' empties it. */
export function showAbout(name) {
	inHand = name;
	aboutLine.classList.toggle('empty', !name);
	nameText.textContent = name;
	const source = sourceOf(name), link = source && linkTo(source);
	sourceLink.hidden = !link;
	if (link) {
		sourceLink.href = link;
		sourceLink.textContent = source.file.split('/').pop() + ':' + source.line;
	}
	aboutParts.forEach(render => render(name));
}

/** Return the file and the line that a name ends in; null if it has none. */
function sourceOf(name) {
	const found = FILE_AND_LINE.map(form => form.exec(name)).find(Boolean);
	return found && { file: found[1].replace(/\\/g, '/'), line: found[2] };
}

/**
 * Return the link to a file and a line, from the template of --source-url; '' without one. A name
 * may come from anywhere: each part of its path is encoded, and none leads up.
 */
function linkTo(source) {
	const template = port.dataset.sourceUrl || '';
	const path = source.file.split('/').filter(part => part && part !== '.' && part !== '..').map(encodePart).join('/');
	try {
		const link = template && path && template.replace(/\{(file|line)\}/g, (all, word) => word === 'file' ? path : source.line);
		return link && SAFE.test(new URL(link).protocol) ? link : '';
	} catch (e) {
		return '';
	}
}

const encodePart = part => encodeURIComponent(part).replace(/['()*!]/g, c => '%' + c.charCodeAt(0).toString(16));
