/** Status: the two lines of text under the frames: the details of a frame, and the share that a search matched. */
import { announce, on } from './events.js';
import { harmless, nametype, find, port, setText, titleOf } from './picture.js';
import { addTitle, moreOf } from './titles.js';
import { widthOf } from './labels.js';
import { idOf, view, widthNow } from './view.js';

const NARROW = 500;      // px
let detailsLine = null, matchedLine = null;
let held = false;        // the details line has a text that must stay
export let told = null;  // the element whose details are shown
let hovered = null;      // the element under the pointer

on('start', () => {
	detailsLine = find('#details');
	matchedLine = find('#matched');
	for (const line of port ? [] : [detailsLine, matchedLine]) {
		line.setAttribute('role', 'status');  // a page shows more details, but fewer while the mouse is on a frame
	}
});
on('unreadable', why => tellText('Cannot read the embedded profile, only the frames drawn: ' + why));
on('swap', follow => {
	hovered = follow(hovered);
	told = follow(told);
});
on('zoom', () => reportFrame(told));
on('resize', makeWay);

/** Show the details of a frame's element; with null, show no details. */
export function reportFrame(el) {
	const id = idOf(el);
	told = el;
	addTitle(el, id);
	if (!held) {
		showDetails(el ? detailsOf(el, id) : ' ');
	}
	announce('report', el);
}

/** Return the details of a frame. In a narrow picture the numbers come first, since the end may have no room. */
function detailsOf(el, id) {
	const title = harmless(titleOf(el)), more = id < 0 ? '' : moreOf(id, view.root);
	const split = widthNow() < NARROW && /^([^]*) \((\d[^()]*)\)$/.exec(title);
	return split ? split[2] + more + ' | ' + split[1] : nametype + ' ' + title + more;
}

/** Show the details of the frame under the pointer. With `quietly`, only remember the frame. */
export function hover(el, quietly) {
	hovered = el;
	if (!quietly) {
		reportFrame(el);
	}
}

/** Show the details of the frame under the pointer again. */
export const reportHovered = () => reportFrame(hovered);

function showDetails(text) {
	setText(detailsLine, text);
	makeWay();
}

/** Show a message in the details line. */
export function tellText(text) {
	showDetails(text);
	announce('told', text);
}

/** Keep a text in the details line until releaseText(). Return the line. */
export function holdText(text) {
	held = true;
	tellText(text);
	return detailsLine;
}

export function releaseText() {
	held = false;
	reportFrame(told);
}

/** Show a text in the matched line. */
export function report(text) {
	setText(matchedLine, text);
	announce('said', text);
	makeWay();
}

const widthOfAll = text => Array.from(text).reduce((sum, c) => sum + widthOf(c), 0);

/** Dim the matched line while long details run into it, and hide the other texts of that line while they are in the way. */
function makeWay() {
	const room = widthNow() - widthOfAll(matchedLine.textContent.trim()), details = detailsLine.textContent;
	const shared = detailsLine.getAttribute('y') === matchedLine.getAttribute('y');
	matchedLine.classList.toggle('under', shared && room < widthOfAll(details));
	for (const line of [find('#leftout'), find('#legend')]) {
		if (line) {
			line.classList.toggle('hide', shared && details !== ' ' || room < line.getAttribute('width'));
		}
	}
}
