/** Sides: in a comparison, switches the widths of frames between their counts before, both, and their counts after. */
import { countColumn } from '../viewer/counts.js';
import { compared, set } from '../viewer/picture.js';
import { keepInAddress, save } from '../viewer/address.js';
import { load } from '../viewer/model.js';
import { element } from './elements.js';
import { addButton } from './layout.js';
import { reshapeBy } from './chain.js';

const SIDES = { before: 'Before', '': 'Change', after: 'After' };  // by what the address says
const sideButtons = new Map();
let shownSide = '';

if (compared) {
	for (const side of Object.keys(SIDES)) {
		sideButtons.set(side, addButton(SIDES[side], () => {
			load();
			showSide(side);
			save(false);
		}, SIDES[side] + ': frames as wide as ' + (side ? 'their counts ' + side : 'the larger of both counts')));
	}
	const group = element('span', { role: 'group', class: 'switch', 'aria-label': 'Widths of frames' });
	sideButtons.get('before').before(group);
	group.append(...sideButtons.values());
	pressSide();
	keepInAddress(['side'], () => [shownSide && 'side=' + shownSide], ({ side }) => showSide(sideButtons.has(side) ? side : ''));
}

function pressSide() {
	for (const [side, el] of sideButtons) {
		set(el, { 'aria-pressed': String(side === shownSide) });
	}
}

function showSide(side) {
	if (side !== shownSide) {
		shownSide = side;
		pressSide();
		reshapeBy(side ? columns => widened(columns, side) : null);
	}
}

/** Return columns in which frames are as wide as their counts of a side, if it has any. */
function widened(columns, side) {
	const { n } = columns, { self } = columns[side], again = which => ({ self: columns[which].self, total: countColumn(n) });
	const isEmpty = self.every(count => !count);
	return { ...columns, before: again('before'), after: again('after'), self: isEmpty ? columns.self : self, total: null, start: null,
		gaps: null, hidden: isEmpty ? columns.hidden : null };
}
