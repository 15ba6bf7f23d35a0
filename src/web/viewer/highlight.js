/** Highlight: marks the frames that match a search. Matching frames get the search colour. In the
 * modern style, they get a line instead, and all other frames become pale. */
import { on } from './events.js';
import { labelOf, modern, rectOf, rowHeight, searchcolor } from './picture.js';
import { isDark } from './labels.js';
import { markFrames } from './marks.js';
import { view } from './view.js';
import { isMatch, pattern } from './search.js';

on('swap', highlightMatches);
on('search', highlightMatches);
on('moved', underline);

/** Highlight the frames that match, except for the callers of the view's root. */
function highlightMatches() {
	for (let at = view.callers; view.ids && at < view.ids.length; at++) {
		const lit = view.ids[at] >= 0 && isMatch(view.ids[at]);
		if (lit !== (view.lit[at] === 1)) {
			view.lit[at] = lit;
			highlight(view.els[at], lit, lit ? searchcolor : view.fills[at]);
		}
	}
	underline();
}

function highlight(el, lit, colour) {
	if (modern) {
		el.classList.toggle('hit', lit);
		return;
	}
	const label = labelOf(el);
	rectOf(el).setAttribute('fill', colour);
	if (label) {
		label.classList.toggle('w', isDark(colour));
	}
}

function underline() {
	const marks = modern && pattern !== null;
	view.el.classList.toggle('found', marks);
	markFrames('under', marks && view.lit && (at => view.lit[at]), rowHeight - 2, 2);
}
