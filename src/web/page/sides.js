/** Sides: in a comparison, switches the widths of frames between their counts before, both, and their counts after. */
import { countColumn } from '../viewer/counts.js';
import { compared, set } from '../viewer/picture.js';
import { change, state } from '../viewer/state.js';
import { element } from './elements.js';
import { addButton } from './layout.js';
import { addReshaper } from './chain.js';

const SIDES = { before: 'Before', '': 'Change', after: 'After' };  // by what the address says
const sideButtons = new Map();
const sideNow = () => sideButtons.has(state.side) ? state.side : '';

if (compared) {
	for (const side of Object.keys(SIDES)) {
		sideButtons.set(side, addButton(SIDES[side], () => change({ side: side }), SIDES[side] + ': frames as wide as ' + (side ? 'their counts ' + side : 'the larger of both counts')));
	}
	const group = element('span', { role: 'group', class: 'switch', 'aria-label': 'Widths of frames' });
	sideButtons.get('before').before(group);
	group.append(...sideButtons.values());
	pressSide();
	addReshaper(columns => {
		pressSide();
		return sideNow() ? widened(columns, sideNow()) : columns;
	}, 'side');
}

function pressSide() {
	for (const [side, el] of sideButtons) {
		set(el, { 'aria-pressed': String(side === sideNow()) });
	}
}

/** Return columns in which frames are as wide as their counts of a side, if it has any. */
function widened(columns, side) {
	const { n } = columns, { self } = columns[side], again = which => ({ self: columns[which].self, total: countColumn(n) });
	const isEmpty = self.every(count => !count);
	return { ...columns, before: again('before'), after: again('after'), self: isEmpty ? columns.self : self, total: null, start: null,
		gaps: null, hidden: isEmpty ? columns.hidden : null };
}
