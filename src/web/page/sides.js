/** Sides: in a comparison, switches the widths of frames between their counts before, both, and their counts after. */
import { on } from '../viewer/events.js';
import { countColumn } from '../viewer/counts.js';
import { compared } from '../viewer/picture.js';
import { change, state } from '../viewer/state.js';
import { addChoice } from './layout.js';
import { addReshaper } from './chain.js';
import { colourMenu } from './colours.js';

const SIDES = { before: 'As wide as before', '': 'As wide as the larger count', after: 'As wide as after' };  // by the word in the state

/** Return the profile whose counts are the widths, or '' if the larger counts are. */
export const sideNow = () => SIDES[state.side] ? state.side : '';

if (compared) {
	const showSides = Object.keys(SIDES).map(side =>
		addChoice(colourMenu, SIDES[side], () => change({ side: side }), () => side === sideNow()));
	addReshaper(columns => sideNow() ? widened(columns, sideNow()) : columns, 'side');
	for (const event of ['state', 'filter']) {
		on(event, () => showSides.forEach(act => act()));
	}
}

/** Return columns in which the width of a frame is its count in the profile `side`, if this profile
 * has counts. */
function widened(columns, side) {
	const { n } = columns, { self } = columns[side], again = which => ({ self: columns[which].self, total: countColumn(n) });
	const isEmpty = self.every(count => !count);
	return { ...columns, before: again('before'), after: again('after'), self: isEmpty ? columns.self : self, total: null, start: null,
		gaps: null, hidden: isEmpty ? columns.hidden : null };
}
