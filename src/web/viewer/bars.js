/** Bars: the texts above and below the frames. The bars stay visible while the picture scrolls. A frame that the user moves to is scrolled
 * into view. */
import { on } from './events.js';
import { alone, fileHeight, fileLevels, find, inverted, make, port, rectOf, rootElement, rootTop, rowHeight, set, svg } from './picture.js';
import { flipped } from './draw.js';

const LEAST_SEEN = 3;      // rows of frames that must fit between the bars; otherwise the bars scroll with the frames
export let captions = [];  // the texts of both bars
let bars = [];             // above and below the frames: { el, page, from, height }
let extra = 0;             // px by which the picture is taller than in the file
let isScrolling = false;   // a scroll is planned for the browser's next frame
let whenScrolled = null;   // the function to call with the browser's next frame
let keptPlace = 0;              // px from the root's end of the picture to the visible part, kept when sizes change
let keptView = 0;          // height of the visible area when the sizes were measured

on('start', () => {
	captions = Array.from(svg.querySelectorAll(':scope > text, #legend'));
	if (rootElement) {
		const start = inverted ? rootTop : rootTop - fileLevels * rowHeight, end = start + (fileLevels + 1) * rowHeight;
		bars = port ? [] : [addBar(0, start), addBar(end, fileHeight - end)];  // a page has its texts around the picture
		window.addEventListener('scroll', onScroll, { capture: true, passive: true });
		window.addEventListener('resize', pin);
		if (port) {
			keptView = viewHeight();
			// The size of `port` changes when rows above and below the picture appear
			// or disappear.
			new ResizeObserver(keepPlace).observe(port);
		}
	}
});

/** Put the captions of a part of the picture on a piece of the page that hides frames. */
function addBar(from, height) {
	const el = make('g', { class: 'bar' }, svg), piece = make('svg', { y: from, width: '100%', height: height }, el);
	const page = piece.appendChild(find(':scope > rect').cloneNode());
	el.append(...captions.filter(caption => caption.parentNode === svg && caption.getAttribute('y') < from + height));
	return { el: el, page: page, from: from, height: height };
}

/** Return the top and the bottom of the area that shows the picture, in px of the window. The area
 * is the window, or a part of inferno's page. */
export function edges() {
	const box = port && port.getBoundingClientRect();
	return port ? { top: box.top, bottom: box.top + port.clientHeight } : { top: 0, bottom: window.innerHeight };
}

const viewHeight = () => port ? port.clientHeight : window.innerHeight;
const scrolled = () => port ? port.scrollTop : window.scrollY;
const scrollBy = px => (port || window).scrollBy(0, px);

/** Convert a distance from the top into a distance from the root's end of the picture, or back. Both are in px. */
const fromRoot = px => inverted === flipped ? Math.max(fileHeight + extra - viewHeight(), 0) - px : px;

/** Remember the visible part. */
function rememberPlace() {
	keptPlace = fromRoot(scrolled());
	keptView = viewHeight();
}

/** Scroll so that the visible part is at the same distance from the root's end of the picture as
 * before. */
function keepPlace() {
	scrollBy(fromRoot(keptPlace) - scrolled());
	keptView = viewHeight();
}

/** Remember where the user has scrolled to; a browser also scrolls by itself, when a size has changed. */
function onScroll() {
	pin();
	if (!isScrolling && viewHeight() === keptView) {
		rememberPlace();
	}
}

/** Return the place of the picture in the window, in px of the window, and the size of a px of the picture in px of the window. */
function placeInWindow() {
	const { top, bottom, height } = svg.getBoundingClientRect(), scale = height / (fileHeight + extra) || 1, seen = edges();
	const above = Math.max(seen.top - top, 0), below = Math.max(bottom - seen.bottom, 0);
	const [low = 0, high = 0] = bars.map(bar => bar.height * scale);
	return { scale: scale, above: above, below: below, low: top + above + low, high: bottom - below - high };
}

/** Put the bars at the edges of the visible part of the picture, or with `atRest` of the whole picture. */
export function pin(atRest) {
	if (!bars.length) {
		return;
	}
	const { scale, above, below, low, high } = placeInWindow(), fits = atRest !== true && high - low >= LEAST_SEEN * rowHeight * scale;
	bars.forEach(({ el, page, from }, i) => {
		const y = (i ? extra : 0) + (fits ? (i ? -below : above) / scale : 0);
		el.setAttribute('transform', 'translate(0 ' + y + ')');
		set(page, { y: -from - y, height: fileHeight + extra });
	});
}

/** Make the picture taller than in the file by `px`. The visible part stays in place. Return whether the height has changed. */
export function stretchBy(px) {
	const isOther = px !== extra;
	if (isOther && alone) {
		scrollSoon();
	}
	extra = px;
	svg.setAttribute('height', fileHeight + extra);
	pin();
	return isOther;
}

/** Scroll to the mirror image of the visible part, after the picture was flipped. */
export function scrollToMirror() {
	if (alone) {
		scrollSoon();
	}
}

/**
 * Scroll until the element that `which()` returns is visible. If the element is not visible yet and `place` is given, move the element to
 * this place in the visible part: 0 is the top, and 1 is the bottom.
 */
export function scrollToFrame(which, place) {
	scrollSoon();
	whenScrolled = () => uncover(which(), place);
}

/** Scroll with the browser's next frame, because the browser knows a new height only then. */
function scrollSoon() {
	if (isScrolling) {
		return;
	}
	isScrolling = true;
	if (!port || viewHeight() === keptView) {
		rememberPlace();
	}
	requestAnimationFrame(() => {
		const last = whenScrolled;
		isScrolling = false;
		whenScrolled = null;
		if (alone) {
			keepPlace();
		}
		if (last) {
			last();
			rememberPlace();
		}
	});
}

/** Scroll as scrollToFrame() describes. Without `place`, scroll just far enough. */
function uncover(el, place) {
	if (!el || !rootElement) {
		return;
	}
	if (!alone) {
		el.scrollIntoView({ block: 'nearest' });
	}
	const { scale, low, high } = placeInWindow(), { top } = rectOf(el).getBoundingClientRect(), height = rowHeight * scale;
	const above = Math.min(top - low, 0), below = Math.max(top + height - high, 0);
	const there = place === undefined ? above || below : top - low - place * (high - low - height);
	scrollBy(above || below ? there : 0);
}
