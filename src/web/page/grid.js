/**
 * Grid: a table of very many rows. Only the visible rows have elements. Its columns sort it. The
 * focus is on the grid as a whole; arrow keys move from row to row.
 *
 * A column is { title, text(id), exact(id), value(id), last(id), rises, bar(id), swatch(id) }. Of a row, text() is the shown text, exact()
 * the full text, value() the key for sorting, last() whether it comes after other rows, in both directions, bar() the length of a bar from
 * 0 to 1, and swatch() the fill of a swatch. If `rises` is true, the first click on the title sorts the least value first.
 */
import { make, set, setText } from '../viewer/picture.js';
import { paint } from '../viewer/draw.js';
import { ownName } from '../viewer/shorten.js';
import { button, element } from './elements.js';

const MOST_HEIGHT = 8000000;   // px; browsers allow little more
const SWATCH = 18;             // px of a swatch with its margin
const LEAST_MODULE = 4;        // a module that is cut to fewer characters than this is left out
const SPARE = 4;               // number of rows above and below the visible ones
const pen = document.createElement('canvas').getContext('2d');  // measures names
let grids = 0;                 // number of grids

/**
 * Add a grid to an element. `onPick(id)` is called for a row that is clicked, or on which Enter is pressed; `onSort(column, rises)` for a
 * heading; `onHover(id)` with the row under the mouse, or -1. `classFor(id)` returns a class for a row.
 */
export function addGrid(parent, label, columns, { onPick, onSort, onHover, classFor }) {
	const el = element('div', { role: 'grid', class: 'grid', 'aria-label': label, tabindex: 0 }, parent);
	const grid = { el: el, columns: [], onPick: onPick, onSort: onSort, classFor: classFor, key: 'grid' + grids++, ids: [], rows: [],
		at: -1, chosen: -1, isSought: false, by: 1, rises: false, room: 0 };
	grid.head = element('div', { role: 'row', class: 'row head', 'aria-rowindex': 1 }, el);
	grid.count = element('span', { class: 'count' });
	grid.body = element('div', { role: 'rowgroup', class: 'rows' }, el);
	el.addEventListener('scroll', () => {
		grid.isScrolled = true;
		renderGrid(grid);
	}, { passive: true });
	el.addEventListener('keydown', evt => onGridKey(grid, evt));
	grid.body.addEventListener('click', evt => onGridClick(grid, evt));
	grid.body.addEventListener('mouseover', evt => onHover(idInGrid(grid, evt.target)));
	grid.body.addEventListener('mouseleave', () => onHover(-1));
	setColumns(grid, columns);
	new ResizeObserver(() => renderGrid(grid)).observe(el);
	return grid;
}

/** Give a grid other columns. */
export function setColumns(grid, columns) {
	grid.columns = columns;
	grid.head.replaceChildren();
	grid.heads = columns.map((column, i) => {
		const head = element('div', { role: 'columnheader', class: classOfCell(column) }, grid.head);
		button(column.title, () => grid.onSort(i, grid.by === i ? !grid.rises : Boolean(column.rises)), head).tabIndex = -1;
		return head;
	});
	grid.heads[0].append(grid.count);
	grid.body.replaceChildren();
	grid.rows = [];
}

const classOfCell = column => column.rises ? 'name' : 'number';

/** Return the id of the row that contains an element, or -1 if no row contains it. */
export function idInGrid(grid, el) {
	const row = grid.rows.find(each => each.el.contains(el));
	return row ? row.id : -1;
}

/** Show the rows with these ids. With `isSorted`, the ids are sorted already, so the rows are drawn. Otherwise, the caller has to call
 * sortGrid(). */
export function fillGrid(grid, ids, isSorted) {
	grid.ids = ids;
	if (isSorted) {
		forgetRows(grid);
		renderSoon(grid);
	}
}

function forgetRows(grid) {
	grid.rows.forEach(row => {
		row.id = -1;
	});
}

/** Sort the rows by a column. Rows with equal values are sorted by their ids. */
export function sortGrid(grid, by, rises) {
	const { value, last = () => false } = grid.columns[by], order = rises ? 1 : -1, chosen = grid.chosen;
	grid.by = by;
	grid.rises = rises;
	const keys = Array.from(grid.ids, id => ({ id: id, value: value(id), last: last(id) }));
	keys.sort((a, b) => a.last - b.last || (a.value < b.value ? -order : a.value > b.value ? order : a.id - b.id));
	grid.ids = keys.map(({ id }) => id);
	grid.heads.forEach((head, i) => set(head, { 'aria-sort': i !== by ? 'none' : rises ? 'ascending' : 'descending' }));
	set(grid.el, { 'aria-rowcount': grid.ids.length + 1 });
	grid.at = grid.ids.indexOf(chosen);
	grid.isSought = grid.at >= 0;
	// Reading the scroll position would make the browser compute the layout.
	if (grid.isScrolled) {
		grid.el.scrollTop = 0;
		grid.isScrolled = false;
	}
	forgetRows(grid);
	renderSoon(grid);
}

/** Mark the row of an id as selected; with -1, mark no row. Scroll to the row if `reveals` is set. */
export function chooseInGrid(grid, id, reveals) {
	grid.chosen = id;
	grid.at = grid.ids.indexOf(id);
	grid.isSought = reveals && grid.at >= 0;
	renderSoon(grid);
}

// Places

/** Return the sizes of a grid in px, and the number of px of rows for one px of the scroll bar. */
function sizesOf(grid) {
	const head = grid.head.offsetHeight, row = grid.rows.length && grid.rows[0].el.offsetHeight || 24;
	const viewport = Math.max(grid.el.clientHeight - head, row);
	const all = row * grid.ids.length, height = Math.min(all, MOST_HEIGHT);
	return { row: row, viewport: viewport, height: height, scale: all > height ? (all - viewport) / (height - viewport) : 1 };
}

/** Scroll just far enough to show the current row. */
function revealRow(grid) {
	const { row, viewport, scale } = sizesOf(grid), top = grid.at * row, seen = grid.el.scrollTop * scale;
	if (top < seen || top + row > seen + viewport) {
		grid.el.scrollTop = (top < seen ? top : top + row - viewport) / scale;
		grid.isScrolled = true;
	}
}

/** Draw the grid once before the browser's next frame, however often this is called, so that the
 * sizes of the page are measured only once. */
function renderSoon(grid) {
	if (!grid.isDue) {
		grid.isDue = true;
		requestAnimationFrame(() => {
			grid.isDue = false;
			renderGrid(grid);
		});
	}
}

/** Make the elements of the visible rows. */
function renderGrid(grid) {
	const { row, viewport, height, scale } = sizesOf(grid);
	grid.body.style.height = height + 'px';
	if (grid.isSought) {
		grid.isSought = false;
		revealRow(grid);
	}
	const top = grid.el.scrollTop, seen = top * scale;
	const first = Math.max(Math.floor(seen / row) - SPARE, 0), most = Math.ceil(viewport / row) + 2 * SPARE;
	while (grid.rows.length < most) {
		addRowTo(grid);
	}
	const cell = getComputedStyle(grid.heads[0]), room = grid.heads[0].clientWidth - parseFloat(cell.paddingLeft) - parseFloat(cell.paddingRight) - SWATCH;
	const { fontSize, fontFamily } = getComputedStyle(grid.body), font = fontSize + ' ' + fontFamily;
	if (room !== grid.room || font !== grid.font) {
		Object.assign(grid, { room, font });
		forgetRows(grid);
	}
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

/** Add a swatch to an element. Return its box, which has the fill, if one is given. */
export function addSwatch(parent, fill) {
	const box = make('rect', { width: 9, height: 9, rx: 2 }, make('svg', { width: 9, height: 9, 'aria-hidden': 'true' }, parent));
	if (fill) {
		paint(box, fill);
	}
	return box;
}

function addRowTo(grid) {
	const el = element('div', { role: 'row', class: 'row', id: grid.key + '-' + grid.rows.length }, grid.body);
	const cells = grid.columns.map(column => element('div', { role: 'gridcell', class: classOfCell(column) }, el));
	const swatches = grid.columns.map((column, i) => column.swatch && addSwatch(cells[i]));
	const texts = cells.map(cell => element('span', {}, cell));
	grid.rows.push({ el: el, cells: cells, texts: texts, swatches: swatches, id: -1, at: -1 });
	forgetRows(grid);
}

/** Return a text with as many characters as fit. `kept(n)` returns the text with `n` characters. */
function longest(fits, most, kept) {
	let least = 0;
	while (least < most) {
		const n = Math.ceil((least + most) / 2);
		if (fits(kept(n))) {
			least = n;
		} else {
			most = n - 1;
		}
	}
	return kept(least);
}

/** Return the first and last characters of a text, `n` in all, with an ellipsis between them. */
const cutMiddle = (text, n) => text.slice(0, Math.ceil(n / 2)) + '…' + text.slice(text.length - Math.floor(n / 2));

/** Return a name that fits into the grid's column. The function's own name is kept as long as possible, then its arguments, because
 * they may be the only difference between names, then the end of its module. */
function fitName(grid, name) {
	const fits = text => pen.measureText(text).width <= grid.room;
	pen.font = grid.font;
	if (fits(name)) {
		return name;
	}
	const { own, at } = ownName(name), rest = name.slice(at + own.length);
	if (fits('…' + own + rest)) {
		return longest(fits, at, n => '…' + name.slice(n < LEAST_MODULE ? at : at - n).replace(/^[.:/]+/, ''));
	}
	return fits(own + '…') ? own + longest(text => fits(own + text), rest.length - 1, n => cutMiddle(rest, n)) :
		longest(fits, own.length - 1, n => cutMiddle(own, n));
}

function renderRow(grid, row, at) {
	const id = grid.ids[at], isCurrent = at === grid.at;
	if (row.id !== id || row.at !== at) {
		row.id = id;
		row.at = at;
		set(row.el, { 'aria-rowindex': at + 2 });
		row.el.className = 'row ' + (grid.classFor ? grid.classFor(id) : '');
		grid.columns.forEach(({ text, exact, bar, swatch, rises }, i) => {
			const said = text(id);
			setText(row.texts[i], rises ? fitName(grid, said) : said);
			row.cells[i].title = exact ? exact(id) : rises ? said : '';
			if (bar) {
				row.cells[i].style.backgroundSize = (100 * Math.min(bar(id), 1)).toFixed(1) + '% 16px';
			}
			if (swatch) {
				paint(row.swatches[i], swatch(id));
			}
		});
	}
	set(row.el, { 'aria-selected': String(id === grid.chosen) });
	row.el.classList.toggle('current', isCurrent);
	if (isCurrent) {
		set(grid.el, { 'aria-activedescendant': row.el.id });
	}
}

// --- Input of the user

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
