/** Order: puts the heaviest callees first, or all frames in the order of the file. */
import { compared } from '../viewer/picture.js';
import { keepInAddress, save } from '../viewer/address.js';
import { addKeys } from '../viewer/keys.js';
import { addButton } from './layout.js';
import { derive } from './derive.js';
import { sameFrames, sortBy } from './chain.js';

let isHeavy = false;

const orderButton = addButton('Heaviest first', toggleOrder, undefined);
orderButton.id = 'order';
orderButton.setAttribute('aria-pressed', 'false');
keepInAddress(['order'], () => [isHeavy && 'order=heavy'], ({ order }) => setHeavy(order === 'heavy'));
const orderKey = compared ? 'O' : 'o';  // in comparisons `o` is about self counts
addKeys(orderKey, orderKey, 'put the heaviest callees first, or frames in the order of the file', toggleOrder);

function toggleOrder() {
	setHeavy(!isHeavy);
	save(false);
}

function setHeavy(heavy) {
	if (heavy !== isHeavy) {
		isHeavy = heavy;
		orderButton.setAttribute('aria-pressed', String(heavy));
		sortBy(heavy ? columns => derive(columns, sameFrames(columns), { heavy: true }) : null);
	}
}
