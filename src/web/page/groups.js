/**
 * Groups: a list of the first frames of stacks, which are threads or processes in some profiles. The user chooses a group to show only its
 * stacks.
 */
import { on } from '../viewer/events.js';
import { share, shownPercent, number, whole } from '../viewer/counts.js';
import { fileModel } from '../viewer/model.js';
import { element } from './elements.js';
import { filterMenu } from './filters.js';
import { change } from '../viewer/state.js';
import { addFilter, only, valueOf, withFirst } from './chain.js';

const MOST_GROUPS = 200;  // if a profile has more first frames than this, they are not threads
const THREAD = /^(.*-[\d?]+)\/\d+$/, PROCESS = /-\d+$/;  // as `collapse perf` writes them with --tid and --pid

let groupChoice = null;

on('load', addGroups);
on('filter', () => {
	if (groupChoice) {
		groupChoice.value = valueOf('group');
	}
});
addFilter('group', 'group', (columns, found, value) => {
	const isOf = columns.names.map(name => name === value || isThreadOf(name, value)), keep = new Uint8Array(columns.n);
	for (let i = 1; i < columns.n; i++) {
		keep[i] = columns.caller[i] ? keep[columns.caller[i]] : isOf[columns.name[i]];
	}
	return only(columns, keep);
});

/** Return whether a name is that of a thread of a process. */
function isThreadOf(name, process) {
	const thread = THREAD.exec(name);
	return thread !== null && thread[1] === process;
}

/** Return the counts of groups by name, the largest first. Processes with several threads are groups, too. */
function countGroups() {
	const { n, next, name, names, total } = fileModel, counts = new Map(), threads = new Map();
	const add = (group, count) => counts.set(group, (counts.get(group) || number(0)) + count);
	for (let i = 1; i < n; i = next[i]) {
		const group = names[name[i]], thread = THREAD.exec(group);
		if (total[i] && thread) {
			threads.set(thread[1], (threads.get(thread[1]) || new Set()).add(group));
			add(thread[1], total[i]);
		}
		if (total[i]) {
			add(group, total[i]);
		}
	}
	for (const [process, some] of threads) {
		if (some.size === 1) {
			counts.delete(process);
		}
	}
	return Array.from(counts).sort((a, b) => a[1] < b[1] ? 1 : a[1] > b[1] ? -1 : 0);
}

/** Return the word for all groups, such as threads, which depends on the kind of most groups. */
function wordFor(groups) {
	const isMost = form => groups.filter(([name]) => form.test(name)).length > groups.length / 2;
	return isMost(THREAD) ? 'All threads' : isMost(PROCESS) ? 'All processes' : 'All groups';
}

function addGroups() {
	const groups = countGroups();
	if (groups.length < 2 || groups.length > MOST_GROUPS) {
		return;
	}
	groupChoice = element('select', { 'aria-label': 'Group: the first frame of stacks', change: () => change({ f: withFirst('group', groupChoice.value) }) },
		filterMenu);
	element('option', { value: '' }, groupChoice, wordFor(groups));
	for (const [name, count] of groups) {
		element('option', { value: name }, groupChoice, shownPercent(100 * share(count, whole), 1) + ' ' + name);
	}
	groupChoice.value = valueOf('group');
}
