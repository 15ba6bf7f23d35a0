/** Steps: goes from match to match. */
import { announce } from './events.js';
import { model } from './model.js';
import { view, wholeView, widthNow } from './view.js';
import { addKeys } from './keys.js';
import { record } from './state.js';
import { nameOfPath } from './paths.js';
import { focusFrame } from './focus.js';
import { showFrame } from './zoom.js';
import { hasMatches, nextMatch, scope } from './search.js';

addKeys('n N', 'n, N', 'go to the next, previous match', (el, name) => focusFrame(showMatch(name === 'N' ? -1 : 1)), hasMatches);

/** Show the next match (1) or the previous match (-1), and return its frame. */
export function showMatch(by) {
	const to = nextMatch(by);
	reveal(to);
	announce('match', to);
	return to;
}

/** A match may be too narrow to be seen in the view that was searched: zoom in just far enough to see it. */
function reveal(i) {
	const isSeen = root => model.total[i] >= 2 / widthNow() * Number(model.total[root]) && (root || wholeView().at.has(i));
	const path = [];
	for (let at = i; at !== scope; at = model.caller[at]) {
		path.push(at);
	}
	let root = scope;
	while (path.length && !isSeen(root)) {
		root = path.pop();
	}
	if (root !== view.root) {
		showFrame(root, true);
		record({ z: root ? nameOfPath(root) : '', p: '' }, false);
	}
}
