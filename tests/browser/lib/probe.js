/**
 * Probe: lets a test call functions of the page's script, to compare their results with
 * tests/vectors.
 */
import { inUnit, exactCount, subjectText, useUnit } from '../viewer/units.js';
import { readPicture } from '../viewer/picture.js';
import { load, model } from '../viewer/model.js';
import { changeBetween, shadeOfChange, wordsOf } from '../viewer/compare.js';
import { shorten } from '../viewer/shorten.js';
import { functionsNow } from './functions.js';
import { mergeNext, nodeOf, sumOf } from './merge.js';

const byName = (a, b) => model.names[a.id] < model.names[b.id] ? -1 : 1;
const countsOf = node => model.compared ? [sumOf(node, model.before.total), sumOf(node, model.after.total)] : [node.total];

/** Return lines of fields: each function with its counts, its callers and its callees. */
function probeFunctions() {
	const sums = functionsNow(), sides = model.compared ? [sums.before, sums.after] : [sums], lines = [];
	for (const node of Array.from(sums.ids, nodeOf).sort(byName)) {
		const { id } = node, name = model.names[id];
		lines.push(['function', name, ...sides.map(side => side.self[id]), ...sides.map(side => side.total[id])]);
		for (const isUp of [true, false]) {
			const around = mergeNext(node, isUp, 0).nodes.sort(byName);
			lines.push(...around.map(next => [isUp ? 'caller' : 'callee', name, model.names[next.id], ...countsOf(next)]));
		}
	}
	return lines.map(line => line.join('\t'));
}

/**
 * Return the amount, the words and the shade of a change. The first argument has the fields before
 * the counts on a line of tests/vectors.
 */
function probeChange([scale, error, first, second, noise], before, after) {
	model.compared = { scale: scale, error: error, noise: noise, samples: [first, second] };
	const change = changeBetween(before, after);
	return [change.amount.toFixed(3).replace(/^-(0\.0*)$/, '$1'), wordsOf(change), shadeOfChange(change).slice(1)];
}

/** Return a count in a readable unit, what the unit counts, and the exact count. */
function probeUnit(name, count) {
	useUnit(name, false);
	return [inUnit(count), subjectText().trim(), exactCount(count)];
}

readPicture();
load();
window.probe = { functions: probeFunctions, change: probeChange, unit: probeUnit, shorten: shorten };
