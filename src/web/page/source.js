/** Source: the link from a function to its source, if its name ends in a file and a line. */
import { port } from '../viewer/picture.js';

const SAFE = /^(https?|vscode):$/;
const FILE_AND_LINE = [
	/\((?:at )?([^()]*[^():]):(\d+)(?::\d+)?\)$/,           // main (app.py:12), main(Main.java:12), main   (at /src/main.nim:12)
	/^((?:[A-Za-z]:)?[^:;]+\.\w+):(\d+):[^\d]/,             // app.py:12:main
	/:(\/[^:]+):(\d+)$/,                                    // main:/src/main file.c:12
	/(?:^|[\s:])([^\s:]*\.[\w+]+):(\d+)(?::\d+)?$/,         // main.c:12, main main.c:12, main:main.c:12
];

/**
 * Return the text and the address of the link for a function. Text and address are '' if the
 * function has no link.
 */
export function linkToSource(name) {
	const source = sourceOf(name), href = source ? linkTo(source) : '';
	return { href: href, text: href && source.file.split('/').pop() + ':' + source.line };
}

/** Return the file and the line at the end of a name; or null if the name does not end in a file and a line. */
function sourceOf(name) {
	const found = FILE_AND_LINE.map(form => form.exec(name)).find(Boolean);
	return found && { file: found[1].replace(/\\/g, '/'), line: found[2] };
}

/**
 * Return the link to a file and a line, from the template of --source-url; or '' if there is no
 * template. Names come from outside, so each part of the path is encoded, and a part `..` is
 * refused.
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
