/** Marks: lines and outlines that are drawn over frames. */
import { make, rectOf } from './picture.js';
import { pathAround } from './draw.js';
import { view, widthNow } from './view.js';

/**
 * Draw one path around all boxes of the view for whose index `wanted(at)` is true. The path
 * replaces the last path of the same class. In each box, the path is a rectangle as wide as the box,
 * `height` px high, that begins `down` px below the top of the box. Without `wanted`, only remove the last path.
 */
export function markFrames(name, wanted, down, height) {
	const old = view.el.querySelector('path.' + name);
	if (old) {
		old.remove();
	}
	const marked = wanted ? view.els.filter((el, at) => wanted(at)) : [];
	if (marked.length) {
		make('path', { class: name, d: marked.map(el => boxPath(rectOf(el), down, height)).join('') }, view.el);
	}
}

function boxPath(rect, down, height) {
	const px = name => parseFloat(rect.getAttribute(name)) * widthNow() / 100;
	return pathAround(px('x'), Number(rect.getAttribute('y')) + down, px('width'), height);
}
