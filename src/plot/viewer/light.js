/** Light: marks the frames that match. They get the search colour; in the modern style a line, and other frames become pale. */
import { on } from './events.js';
import { modern, rectOf, rowHeight, searchcolor } from './picture.js';
import { isDark } from './labels.js';
import { markFrames } from './marks.js';
import { sheet } from './sheet.js';
import { isMatch, pattern } from './search.js';

on('swap', lightMatches);
on('search', lightMatches);
on('moved', underline);

/** Light the frames that match, except for the callers of the sheet's root. */
function lightMatches() {
	for (let at = sheet.callers; sheet.ids && at < sheet.ids.length; at++) {
		const lit = sheet.ids[at] >= 0 && isMatch(sheet.ids[at]);
		if (lit !== (sheet.lit[at] === 1)) {
			sheet.lit[at] = lit;
			light(sheet.els[at], lit, lit ? searchcolor : sheet.fills[at]);
		}
	}
	underline();
}

function light(el, lit, colour) {
	if (modern) {
		el.classList.toggle('hit', lit);
		return;
	}
	const rect = rectOf(el), label = rect.nextElementSibling;
	rect.setAttribute('fill', colour);
	if (label) {
		label.classList.toggle('w', isDark(colour));
	}
}

function underline() {
	const marks = modern && pattern !== null;
	sheet.el.classList.toggle('found', marks);
	markFrames('under', marks && sheet.lit && (at => sheet.lit[at]), rowHeight - 2, 2);
}
