/**
 * Grid: a table of very many rows, of which only those that can be seen are elements. Its columns
 * sort it. The focus is on the grid as a whole; arrow keys move from row to row.
 *
 * A column is { title, text(id), exact(id), value(id), rises, rank }: a row's text, the same in
 * full, and its key for sorting; `rises` if the first click puts the least first; `rank` is 'wide'
 * or 'extra' if it is left out where there is little room, or very little.
 */
import { set, setText } from '../viewer/picture.js';
import { button, element } from './elements.js';

const MOST_HEIGHT = 8000000;   // px; browsers allow little more
const SPARE = 4;               // rows above and below those that can be seen
let grids = 0;                 // how many there are

/** Add a grid to an element. `onPick(id)` is called for a row that is clicked, or on which Enter is pressed. */
export function addGrid(parent, label, columns, onPick) {
	const el = element('div', { role: 'grid', class: 'grid', 'aria-label': label, tabindex: 0 }, parent);
	const grid = { el: el, columns: columns, onPick: onPick, key: 'grid' + grids++, ids: [], rows: [], at: -1, chosen: -1, by: 1,
		rises: false };
	const head = element('div', { role: 'row', class: 'row head', 'aria-rowindex': 1 }, el);
	grid.heads = columns.map(column => element('div', { role: 'columnheader', class: classOfCell(column) }, head));
	columns.forEach((column, i) => button(column.title, () => {
		sortGrid(grid, i, grid.by === i ? !grid.rises : Boolean(column.rises));
	}, grid.heads[i]));
	grid.body = element('div', { role: 'rowgroup', class: 'rows' }, el);
	el.addEventListener('scroll', () => renderGrid(grid), { passive: true });
	el.addEventListener('keydown', evt => onGridKey(grid, evt));
	grid.body.addEventListener('click', evt => onGridClick(grid, evt));
	new ResizeObserver(() => renderGrid(grid)).observe(el);
	return grid;
}

const classOfCell = column => (column.rises ? 'name' : 'number') + (column.rank ? ' ' + column.rank : '');

/** Show other rows: an array of ids. */
export function fillGrid(grid, ids) {
	grid.ids = ids;
	sortGrid(grid, grid.by, grid.rises);
}

/** Sort by a column. Equal rows are in the order of their ids. */
export function sortGrid(grid, by, rises) {
	const { value } = grid.columns[by], order = rises ? 1 : -1, chosen = grid.chosen;
	grid.by = by;
	grid.rises = rises;
	grid.ids = grid.ids.slice().sort((a, b) => {
		const x = value(a), y = value(b);
		return x < y ? -order : x > y ? order : a - b;
	});
	grid.heads.forEach((head, i) => set(head, { 'aria-sort': i !== by ? 'none' : rises ? 'ascending' : 'descending' }));
	set(grid.el, { 'aria-rowcount': grid.ids.length + 1 });
	grid.at = grid.ids.indexOf(chosen);
	grid.el.scrollTop = 0;
	grid.rows.forEach(row => {
		row.id = -1;
	});
	renderGrid(grid);
}

/** Mark the row of an id as selected, and scroll to it if that is wanted; -1 marks none. */
export function chooseInGrid(grid, id, reveals) {
	grid.chosen = id;
	grid.at = grid.ids.indexOf(id);
	if (reveals && grid.at >= 0) {
		revealRow(grid);
	}
	renderGrid(grid);
}

// Places

/** Return the sizes of a grid in px, and how many px of all rows one px of the scroll bar stands for. */
function sizesOf(grid) {
	const row = grid.heads[0].parentNode.offsetHeight || 24, viewport = Math.max(grid.el.clientHeight - row, row);
	const all = row * grid.ids.length, height = Math.min(all, MOST_HEIGHT);
	return { row: row, viewport: viewport, height: height, scale: all > height ? (all - viewport) / (height - viewport) : 1 };
}

/** Scroll just far enough to show the current row. */
function revealRow(grid) {
	const { row, viewport, scale } = sizesOf(grid), top = grid.at * row, seen = grid.el.scrollTop * scale;
	if (top < seen || top + row > seen + viewport) {
		grid.el.scrollTop = (top < seen ? top : top + row - viewport) / scale;
	}
}

/** Put the rows that can be seen into the page. */
function renderGrid(grid) {
	const { row, viewport, height, scale } = sizesOf(grid), top = grid.el.scrollTop, seen = top * scale;
	const first = Math.max(Math.floor(seen / row) - SPARE, 0), most = Math.ceil(viewport / row) + 2 * SPARE;
	while (grid.rows.length < most) {
		addRowTo(grid);
	}
	grid.body.style.height = height + 'px';
	set(grid.el, { 'aria-activedescendant': '' });
	grid.rows.forEach((each, i) => {
		const at = first + (i - first % grid.rows.length + grid.rows.length) % grid.rows.length;
		each.el.hidden = at >= grid.ids.length;
		if (!each.el.hidden) {
			each.el.style.transform = 'translateY(' + (at * row - seen + top) + 'px)';
			renderRow(grid, each, at);
		}
	});
}

function addRowTo(grid) {
	const el = element('div', { role: 'row', class: 'row', id: grid.key + '-' + grid.rows.length }, grid.body);
	const cells = grid.columns.map(column => element('div', { role: 'gridcell', class: classOfCell(column) }, el));
	grid.rows.push({ el: el, cells: cells, id: -1, at: -1 });
	grid.rows.forEach(row => {
		row.id = -1;
	});
}

function renderRow(grid, row, at) {
	const id = grid.ids[at], isCurrent = at === grid.at;
	if (row.id !== id || row.at !== at) {
		row.id = id;
		row.at = at;
		set(row.el, { 'aria-rowindex': at + 2 });
		grid.columns.forEach(({ text, exact }, i) => {
			setText(row.cells[i], text(id));
			row.cells[i].title = exact ? exact(id) : i ? '' : text(id);
		});
	}
	set(row.el, { 'aria-selected': String(id === grid.chosen) });
	row.el.classList.toggle('current', isCurrent);
	if (isCurrent) {
		set(grid.el, { 'aria-activedescendant': row.el.id });
	}
}

// What the user does

function onGridClick(grid, evt) {
	const row = grid.rows.find(({ el }) => el.contains(evt.target));
	if (row) {
		grid.onPick(row.id);
	}
}

function onGridKey(grid, evt) {
	const { row, viewport } = sizesOf(grid), page = Math.max(Math.floor(viewport / row) - 1, 1), last = grid.ids.length - 1, { at } = grid;
	const to = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: last }[evt.key];
	if (evt.target !== grid.el || evt.ctrlKey || evt.altKey || evt.metaKey) {
		return;
	}
	if (to !== undefined) {
		evt.preventDefault();
		grid.at = Math.min(Math.max(to, 0), last);
		revealRow(grid);
		renderGrid(grid);
	} else if (/^(Enter| )$/.test(evt.key) && at >= 0) {
		evt.preventDefault();
		grid.onPick(grid.ids[at]);
	}
}
