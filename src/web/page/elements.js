/** Elements of the page around the picture. */
import { setText } from '../viewer/picture.js';

/**
 * Make an element and append it to `parent`, if `parent` is given. Attributes whose value is a function are listeners, as in { click: act
 * }. Attributes that are false or undefined are left out. `text` becomes text, never markup.
 */
export function element(name, attributes, parent, text) {
	const el = document.createElement(name);
	for (const key of Object.keys(attributes)) {
		const value = attributes[key];
		if (typeof value === 'function') {
			el.addEventListener(key, value);
		} else if (value !== false && value !== undefined) {
			el.setAttribute(key, value);
		}
	}
	if (text !== undefined) {
		setText(el, text);
	}
	return parent ? parent.appendChild(el) : el;
}

/** Make a button. `label` is for screen readers, if the text alone is not clear enough. */
export const button = (text, act, parent, label) => element('button', { type: 'button', click: act, 'aria-label': label }, parent, text);
