/** Order: puts the heaviest callees first, or all frames in the order of the file. */
import { compared } from '../viewer/picture.js';
import { change, state } from '../viewer/state.js';
import { addKeys } from '../viewer/keys.js';
import { addButton } from './layout.js';
import { derive } from './derive.js';
import { addReshaper, sameFrames } from './chain.js';

const orderButton = addButton('Heaviest first', toggleOrder, undefined);
orderButton.id = 'order';
orderButton.setAttribute('aria-pressed', 'false');
addReshaper(columns => {
	const isHeavy = state.order === 'heavy';
	orderButton.setAttribute('aria-pressed', String(isHeavy));
	return isHeavy ? derive(columns, sameFrames(columns), { heavy: true }) : columns;
}, 'order');
const orderKey = compared ? 'O' : 'o';  // in comparisons `o` is about self counts
addKeys(orderKey, orderKey, 'put the heaviest callees first, or frames in the order of the file', toggleOrder);

function toggleOrder() {
	change({ order: state.order === 'heavy' ? '' : 'heavy' });
}
