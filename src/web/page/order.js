/** Order: puts the heaviest callees first, or all frames in the order of the file, which is that of their names or of the input. */
import { on } from '../viewer/events.js';
import { compared, port } from '../viewer/picture.js';
import { flipped } from '../viewer/draw.js';
import { change, state } from '../viewer/state.js';
import { addKeys } from '../viewer/keys.js';
import { addChoice, addMenu } from './layout.js';
import { derive } from './derive.js';
import { addReshaper } from './chain.js';

const isHeavy = () => state.order === 'heavy';
const usualOrder = port && 'unsorted' in port.dataset ? 'As in the input' : 'Alphabetical (not in time)';
/** The menu of orders. */
export const orderMenu = addMenu('order', 'Order');
const showOrder = [
	addChoice(orderMenu, usualOrder, () => change({ order: '' }), () => !state.order),
	addChoice(orderMenu, 'Heaviest first', () => change({ order: 'heavy' }), isHeavy),
	addChoice(orderMenu, 'Root at the other end', () => change({ flip: flipped ? '' : '1' }), () => flipped),
];
on('state', () => showOrder.forEach(act => act()));
on('filter', () => showOrder.forEach(act => act()));
addReshaper(columns => isHeavy() ? derive(columns, null, { heavy: true }) : columns, 'order');
const orderKey = compared ? 'O' : 'o';  // in comparisons, the key `o` switches between colours by total and by self counts
addKeys(orderKey, orderKey, 'put the heaviest callees first, or frames in the usual order', () => change({ order: isHeavy() ? '' : 'heavy' }));
