/**
 * The viewer: makes the picture answer the mouse, the keyboard, touch and its own address.
 *
 * The script runs while the picture is being read and only takes hold of its own svg element and of the
 * settings written before it; so several pictures can live in one page. start() does the rest, at load.
 *
 * Each child of #frames becomes one entry of `list`: where it starts and how wide it is in samples, its depth,
 * and how it is shown now (state, and left and span as shares of the full width). A view is always computed
 * from the samples. Changing it is done in two rounds, all reading before all writing, because reading a size
 * after a write makes the browser lay out everything again.
 *
 * Listeners sit on the svg (and window), never on a frame: there are tens of thousands of those.
 */
(function (nametype, fontsize, fontwidth, xpad, inverted, searchcolor, fluid, cutright) {
	'use strict';

	const VISIBLE = 0, PARENT = 1, HIDDEN = 2;
	const OURS = ['x', 'y', 's', 'ic', 'flip'];  // our parameters in the address; all others are left alone

	const script = document.currentScript;
	const svg = script && script.ownerSVGElement || document.documentElement;
	const alone = svg === document.documentElement;  // then the address and its history are ours
	const widths = new Map();            // character to px
	const entries = new Map();           // frame element to entry of list
	const list = [];
	let frames, details, matched, unzoomer, searcher, caser, ruler;
	let number = Number;                 // reads a sample count; BigInt where a double is too small
	let total, root, suffix;
	let flipped = false, mirror = 0;     // a frame at y stands at mirror - y when flipped
	let zoomed = null, tabstop = null, hovered = null, told = null, tapped = null;
	let term = '', pattern = null, ignorecase = false;
	let hits = [], covered = '', stepped = null;
	const trail = [];                    // zooms to go back to where the browser does not keep them
	let monospaced = 0, caseoffset = 0;
	let touching = false, promptleft = false, offering = false;
	let help = null, focusedbefore = null;

	// Reading the picture

	function start() {
		frames = svg.querySelector('#frames');
		if (!frames || ruler) {
			return;
		}
		details = svg.querySelector('#details');
		matched = svg.querySelector('#matched');
		unzoomer = svg.querySelector('#unzoom');
		searcher = svg.querySelector('#search');
		caser = svg.querySelector('#ignorecase');
		caseoffset = searcher.getAttribute('x') - caser.getAttribute('x');
		ruler = document.createElementNS(svg.namespaceURI, 'text');
		ruler.setAttribute('visibility', 'hidden');
		readFrames();
		readCountName();
		describe();
		if (fluid) {
			svg.removeAttribute('width');
			svg.removeAttribute('viewBox');
			resize();
		}
		listen();
		restore();
	}

	function readFrames() {
		const samples = frames.getAttribute('total_samples') || '0';
		if (samples.length > 15 && typeof BigInt === 'function') {
			number = BigInt;
		}
		total = number(samples);
		const ys = new Set();
		for (let el = frames.firstElementChild; el; el = el.nextElementSibling) {
			const title = el.firstElementChild;
			const rect = title.nextElementSibling;
			const x = number(rect.getAttribute('fg:x'));
			const w = number(rect.getAttribute('fg:w'));
			const y = Number(rect.getAttribute('y'));
			const f = {
				el: el, title: title, rect: rect, text: rect.nextElementSibling,
				x: x, w: w, end: x + w, y: y, depth: 0, name: undefined, fill: null,
				state: VISIBLE, left: share(x, total), span: share(w, total), home: null, label: undefined,
			};
			if (el.localName === 'a') {
				el.setAttribute('tabindex', '-1');
			}
			ys.add(y);
			list.push(f);
			entries.set(el, f);
		}
		const rows = Array.from(ys).sort(function (a, b) { return inverted ? a - b : b - a; });
		mirror = rows[0] + rows[rows.length - 1];
		const depths = new Map(rows.map(function (y, depth) { return [y, depth]; }));
		for (const f of list) {
			f.depth = depths.get(f.y);
			if (f.depth === 0) {
				root = f;
			}
		}
	}

	// The root's title is always `all (N COUNTNAME, 100%)`, so it tells what follows the name in every title.
	function readCountName() {
		const all = root && /^all \([\d,]+ ([^]*), 100%\)$/.exec(root.title.textContent);
		const countname = all ? all[1].replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') : '[^]*';
		suffix = new RegExp(' \\([\\d,]+ ' + countname + ', [\\d.]+%(; [-+]?[\\d.]+%)?\\)$');
	}

	function nameOf(f) {
		if (f.name === undefined) {
			const given = f.el.getAttribute('data-name');
			f.name = given !== null ? given : f.title.textContent.replace(suffix, '');
		}
		return f.name;
	}

	function share(part, whole) {
		return Number(part) / Number(whole);
	}

	function spans(outer, inner) {
		return outer.x <= inner.x && outer.end >= inner.end;
	}

	// Roles and labels; those of a frame are set when it can be reached.
	function describe() {
		const labels = [[unzoomer, 'Reset zoom'], [searcher, 'Search'], [caser, 'Ignore case when searching']];
		for (const [el, label] of labels) {
			el.setAttribute('role', 'button');
			el.setAttribute('tabindex', '0');
			el.setAttribute('aria-label', label);
		}
		svg.setAttribute('role', 'group');  // an image has no parts to go to
		for (const el of [details, matched]) {
			el.setAttribute('role', 'status');
		}
		frames.setAttribute('role', 'tree');
		frames.setAttribute('aria-label', 'Frames: arrow keys move, Enter zooms, Escape resets, ? lists all keys');
		setTabStop(root);
	}

	// Labels

	function measure(text) {
		ruler.textContent = text;
		svg.appendChild(ruler);
		let px = 0;
		try {
			px = ruler.getComputedTextLength();
		} catch (e) {
			// Some browsers throw while the picture is not displayed.
		}
		ruler.remove();
		return px;
	}

	function widthOf(c) {
		let px = widths.get(c);
		if (px === undefined) {
			if (widths.size === 0) {
				const m = measure('MMMMMMMMMM') / 10;
				monospaced = Math.abs(measure('iiiiiiiiii') / 10 - m) < 0.01 ? m : 0;
			}
			// Between two others, because a blank at an end would count for nothing.
			px = monospaced && c >= ' ' && c <= '~' ? monospaced : measure('x' + c + 'x') - measure('xx');
			px = px || fontsize * fontwidth;
			widths.set(c, px);
		}
		return px;
	}

	/** As much of the name as fits into so many px; the end of it, unless the right is to be cut. */
	function fit(name, room) {
		if (room < 2 * fontsize * fontwidth) {
			return '';
		}
		const dots = 2 * widthOf('.');
		if (monospaced && !/[^ -~]/.test(name)) {
			return name.length * monospaced <= room ? name : cut(name, Math.floor((room - dots) / monospaced));
		}
		const chars = Array.from(name);
		const order = cutright ? chars : chars.slice().reverse();
		let used = 0, kept = 0;
		for (const c of order) {
			used += widthOf(c);
			if (used > room) {
				return cut(chars, kept);
			}
			kept += used + dots <= room;
		}
		return name;
	}

	/** So many characters, of a string or an array of them, and two dots; nothing is better than dots alone. */
	function cut(chars, kept) {
		if (kept < 1) {
			return '';
		}
		const part = cutright ? chars.slice(0, kept) : chars.slice(-kept);
		const text = typeof part === 'string' ? part : part.join('');
		return cutright ? text + '..' : '..' + text;
	}

	function refit() {
		const width = Number(frames.getAttribute('width'));
		const inset = 300 / width;
		const shown = list.filter(function (f) { return f.state !== HIDDEN; });
		const labels = shown.map(function (f) {
			const room = f.span * width - 3;
			return room > 0 ? fit(nameOf(f), room) : '';
		});
		shown.forEach(function (f, i) {
			setLabel(f, labels[i], percent(f.left, inset));
		});
	}

	function setLabel(f, label, x) {
		if (f.label === undefined) {
			f.label = f.text.textContent;
		}
		if (label !== f.label) {
			f.text.textContent = label;
			f.label = label;
		}
		if (label !== '') {
			f.text.setAttribute('x', x);
		}
	}

	function percent(value, extra) {
		return (100 * value + (extra || 0)).toFixed(4) + '%';
	}

	function resize() {
		const width = svg.clientWidth || window.innerWidth;
		frames.setAttribute('width', Math.max(width - 2 * xpad, 1));
		searcher.setAttribute('x', width - xpad);
		matched.setAttribute('x', width - xpad);
		caser.setAttribute('x', width - xpad - caseoffset);
		refit();
	}

	// Zoom

	function setState(f, state) {
		if (state !== f.state) {
			f.el.classList.toggle('hide', state === HIDDEN);
			f.el.classList.toggle('parent', state === PARENT);
			f.state = state;
		}
	}

	/** Shows a frame somewhere else than the file put it; `home` keeps what the file said. */
	function move(f, state, left, span) {
		if (!f.home) {
			f.home = {
				x: f.rect.getAttribute('x'), width: f.rect.getAttribute('width'),
				labelx: f.text.getAttribute('x'), label: f.text.textContent,
			};
		}
		setState(f, state);
		f.left = left;
		f.span = span;
		f.rect.setAttribute('x', percent(left));
		f.rect.setAttribute('width', percent(span));
	}

	function goHome(f) {
		setState(f, VISIBLE);
		if (!f.home) {
			return;
		}
		f.left = share(f.x, total);
		f.span = share(f.w, total);
		f.rect.setAttribute('x', f.home.x);
		f.rect.setAttribute('width', f.home.width);
		if (!fluid) {
			setLabel(f, f.home.label, f.home.labelx);
		}
		f.home = null;
	}

	/** Zooms as the user asks, to a frame or, with null or the root, to all; this can be undone. */
	function zoom(to) {
		const next = to === root ? null : to;
		const last = zoomed;
		if (next === last || next && next.w == 0) {
			return;
		}
		show(next);
		if (!save(alone)) {
			trail.push(last);
		}
	}

	function unzoom() {
		zoom(null);
	}

	function show(to) {
		if (to && to !== root) {
			showPart(to);
		} else {
			showAll();
		}
		unzoomer.classList.toggle('hide', !zoomed);
		mark();
		tell(told);
	}

	function showPart(to) {
		for (const f of list) {
			if (f === to || f.depth > to.depth && f.x >= to.x && f.x < to.end) {
				move(f, VISIBLE, share(f.x - to.x, to.w), share(f.w, to.w));
			} else if (f.depth < to.depth && spans(f, to)) {
				move(f, PARENT, 0, 1);
			} else {
				setState(f, HIDDEN);
			}
		}
		zoomed = to;
		setTabStop(to);
		refit();
	}

	function showAll() {
		const focused = unzoomer.matches(':focus-visible');
		list.forEach(goHome);
		if (fluid) {
			refit();
		}
		if (focused && zoomed) {
			focus(zoomed);
		}
		zoomed = null;
	}

	/** How many zooms the browser's own history can take back. */
	function steps() {
		return alone && history.state && history.state.zooms || 0;
	}

	function canUndo() {
		return zoomed || trail.length || steps();
	}

	/** Takes back a zoom, as the browser's back does; one that only the address asked for, too. */
	function undo() {
		if (steps()) {
			history.back();
		} else {
			show(trail.pop() || null);
			save(false);
		}
	}

	function onPopState() {
		show(addressed(readAddress()));
		save(false);
	}

	// Flip

	/** Puts the root at the other end, every row with it; zoom and labels stay as they are. */
	function flip() {
		flipped = !flipped;
		placeRows();
		save(false);
	}

	function placeRows() {
		const rise = list.length ? list[0].text.getAttribute('y') - list[0].rect.getAttribute('y') : 0;
		for (const f of list) {
			const y = flipped ? mirror - f.y : f.y;
			f.rect.setAttribute('y', y);
			f.text.setAttribute('y', (y + rise).toFixed(2));
		}
	}

	// Search

	function compile(text) {
		try {
			return new RegExp(text, ignorecase ? 'i' : '');
		} catch (e) {
			say('Bad pattern: ' + e.message.split(': ').pop());
			return null;
		}
	}

	function search(text) {
		const compiled = compile(text);
		if (compiled) {
			term = text;
			pattern = compiled;
			stepped = null;
			mark();
			save(false);
		}
	}

	function resetSearch() {
		pattern = null;
		stepped = null;
		mark();
		save(false);
	}

	function ask() {
		const text = window.prompt('Search for functions by regular expression, for example ^main$' +
			(ignorecase ? ' (ignoring case)' : ''), term);
		promptleft = !text;
		if (text) {
			search(text);
		}
	}

	function toggleSearch() {
		if (pattern) {
			resetSearch();
		} else {
			ask();
		}
	}

	function toggleCase() {
		ignorecase = !ignorecase;
		showCase();
		if (pattern) {
			pattern = compile(term);
			mark();
		}
		save(false);
	}

	function showCase() {
		caser.classList.toggle('show', ignorecase);
		caser.setAttribute('aria-pressed', String(ignorecase));
	}

	/** Fills the hits among the visible frames, none without a pattern, and says how much they cover. */
	function mark() {
		hits = pattern ? findHits() : [];
		covered = coverage();
		const hit = new Set(hits);
		for (const f of list) {
			if (hit.has(f) !== (f.fill !== null)) {
				paint(f, hit.has(f));
			}
		}
		searcher.classList.toggle('show', pattern !== null);
		setText(searcher, pattern ? 'Reset Search' : 'Search');
		searcher.setAttribute('aria-label', pattern ? 'Reset search' : 'Search');
		sayMatched();
	}

	function sayMatched() {
		const at = hits.indexOf(stepped);
		const frames = (at < 0 ? '' : at + 1 + ' of ') + hits.length + (hits.length === 1 ? ' frame' : ' frames');
		say(!pattern ? ' ' : 'Matched: ' + (hits.length ? covered + ' (' + frames + ')' : '0% (no match)'));
	}

	/** Moves the focus to the next hit, or with N to the one before; from the last to the first and back. */
	function step(f, name) {
		const by = name === 'N' ? -1 : 1;
		const at = hits.indexOf(stepped);
		stepped = hits[at < 0 ? (by < 0 ? hits.length - 1 : 0) : (at + by + hits.length) % hits.length];
		focus(stepped);
		sayMatched();
	}

	function say(text) {
		setText(matched, text);
		makeWay();
	}

	/** From left to right, a caller before what it calls. */
	function findHits() {
		const known = new Map();     // the same names come again and again
		const found = list.filter(function (f) {
			if (f.state !== VISIBLE || f === root) {
				return false;
			}
			const name = nameOf(f);
			let is = known.get(name);
			if (is === undefined) {
				is = pattern.test(name);
				known.set(name, is);
			}
			return is;
		});
		return found.sort(function (a, b) { return a.x < b.x ? -1 : a.x > b.x ? 1 : a.depth - b.depth; });
	}

	function paint(f, on) {
		if (on) {
			f.fill = f.rect.getAttribute('fill') || '';
			f.rect.setAttribute('fill', searchcolor);
		} else {
			f.rect.setAttribute('fill', f.fill);
			f.fill = null;
		}
	}

	function coverage() {
		let sum = number(0), end = number(0);
		for (const f of hits) {
			if (f.x >= end) {
				sum += f.w;
				end = f.end;
			}
		}
		const p = root ? 100 * share(sum, (zoomed || root).w) : 0;
		return (p === 100 ? '100' : p.toFixed(1)) + '%';
	}

	function setText(el, text) {
		if (el.textContent !== text) {
			el.textContent = text;
		}
	}

	// The address

	function parts() {
		return location.search.slice(1).split('&').filter(Boolean);
	}

	function key(part) {
		return part.split('=')[0];
	}

	function readAddress() {
		const state = {};
		for (const part of parts()) {
			try {
				state[key(part)] = decodeURIComponent(part.slice(key(part).length + 1).replace(/\+/g, ' '));
			} catch (e) {
				// Not an address of ours.
			}
		}
		return state;
	}

	/** The frame that an address names, if any. */
	function addressed(state) {
		return /^\d+$/.test(state.x) && list.find(function (f) {
			return f.x === number(state.x) && f.y === Number(state.y) && f.w > 0;
		});
	}

	function restore() {
		const state = readAddress();
		ignorecase = state.ic === '1';
		showCase();
		if (state.flip === '1') {
			flipped = true;
			placeRows();
		}
		if (state.s) {
			pattern = compile(state.s);
			term = pattern ? state.s : '';
		}
		const to = addressed(state);
		if (to) {
			show(to);
			save(false);
		} else if (pattern) {
			mark();
		}
	}

	/** Puts the view into the address; as a new entry of the history if wanted. Says whether that could be done. */
	function save(anew) {
		const mine = [];
		if (zoomed) {
			mine.push('x=' + zoomed.x, 'y=' + zoomed.y);
		}
		try {
			if (pattern) {
				mine.push('s=' + encodeURIComponent(term));
			}
			if (ignorecase) {
				mine.push('ic=1');
			}
			if (flipped) {
				mine.push('flip=1');
			}
			const others = parts().filter(function (part) { return !OURS.includes(key(part)); });
			const query = others.concat(mine).join('&');
			const address = location.href.replace(/[?#][^]*/, '') + (query ? '?' + query : '') + location.hash;
			if (anew) {
				history.pushState({ zooms: steps() + 1 }, '', address);
			} else {
				history.replaceState(history.state, '', address);
			}
			return anew;
		} catch (e) {
			return false;  // A file, a sandboxed frame: the picture works, its address stays.
		}
	}

	// Mouse, touch, keyboard

	function listen() {
		svg.addEventListener('mouseover', function (evt) { hover(frameAt(evt.target)); });
		svg.addEventListener('mouseleave', function () { hover(null); });
		// Not on the svg: Chromium gives the focus to SVG elements that listen to it.
		document.addEventListener('focusin', onFocus);
		document.addEventListener('focusout', function () { tell(hovered); });
		svg.addEventListener('pointerdown', function (evt) {
			touching = evt.pointerType === 'touch';
			endOffer();
		});
		document.addEventListener('copy', function () { setTimeout(endOffer); });
		svg.addEventListener('click', onClick);
		window.addEventListener('keydown', onKey);
		if (alone) {
			window.addEventListener('popstate', onPopState);
		}
		if (fluid) {
			window.addEventListener('resize', resize);
		}
	}

	function frameAt(el) {
		while (el && el.parentNode !== frames) {
			el = el.parentNode;
		}
		return el ? entries.get(el) : null;
	}

	/** Fills the details line: about a frame, or blank. */
	function tell(f) {
		told = f;
		if (offering) {
			return;
		}
		tellText(f ? nametype + ' ' + f.title.textContent + ofView(f) : ' ');
	}

	function ofView(f) {
		const inside = zoomed && f.state === VISIBLE;
		return inside ? ' | ' + (100 * share(f.w, zoomed.w)).toFixed(2) + '% of view' : '';
	}

	function tellText(text) {
		setText(details, text);
		makeWay();
	}

	/** Dims the matched text while long details run into it. */
	function makeWay() {
		let room = matched.getAttribute('x') - details.getAttribute('x');
		if (details.getAttribute('y') === matched.getAttribute('y')) {
			for (const c of details.textContent + matched.textContent) {
				room -= widthOf(c);
			}
		}
		matched.classList.toggle('under', room < 0);
	}

	function hover(f) {
		hovered = f;
		tell(f);
	}

	function onFocus(evt) {
		const f = frameAt(evt.target);
		if (f) {
			tell(f);
			setTabStop(f);
		}
	}

	function control(el) {
		return el === unzoomer ? unzoom : el === searcher ? toggleSearch : el === caser ? toggleCase : null;
	}

	function onClick(evt) {
		const act = control(evt.target);
		const f = frameAt(evt.target);
		const ctrl = evt.ctrlKey || evt.metaKey;
		promptleft = false;
		if (help) {
			evt.preventDefault();
			closeHelp();
			return;
		}
		if (act) {
			act();
		} else if (f && touching && f !== tapped) {
			// A finger cannot hover: its first tap on a frame tells, the second acts.
			evt.preventDefault();
			tell(f);
		} else if (f && (ctrl || f.el.localName !== 'a')) {
			evt.preventDefault();
			zoom(f);
		}
		tapped = f;
	}

	/** Alone in its window the picture takes all keys, in a page those meant for it. */
	function isOurs(evt) {
		return alone || svg.contains(evt.target) ||
			evt.target === document.body && svg.matches(':hover');
	}

	// What keys do. A row: names; how people call them, and what they are for; `act`, and `when` if not always.
	const KEYS = [
		{ names: 'ArrowUp ArrowDown ArrowLeft ArrowRight', call: 'arrows', does: 'go from frame to frame',
			act: walk, when: function (f) { return f; } },
		{ names: 'Enter Space Ctrl-Enter Ctrl-Space', call: 'Enter, Space', does: 'zoom to the frame, use the control',
			act: press, when: canPress },
		{ names: 'Backspace', call: 'Backspace', does: 'take back a zoom, as the browser\'s back does',
			act: undo, when: canUndo },
		{ names: 'Escape', call: 'Esc', does: 'reset zoom and search',
			act: reset, when: function () { return zoomed || pattern; } },
		{ names: '0', call: '0', does: 'reset everything', act: resetAll },
		{ names: '/', call: '/', does: 'search for a regular expression', act: ask },
		{ names: 'Ctrl-f F3', call: 'Ctrl-F, F3', does: 'search, or reset the search',
			act: toggleSearch, when: function () { return list.length > 0; } },
		{ names: 'Ctrl-i', call: 'Ctrl-I', does: 'ignore case when searching', act: toggleCase },
		{ names: 'n N', call: 'n, N', does: 'next, previous match',
			act: step, when: function () { return hits.length > 0; } },
		{ names: 'i', call: 'i', does: 'flip: the root at the bottom or at the top', act: flip },
		{ names: 'c', call: 'c', does: 'copy the name of the frame',
			act: function () { copy(nameOf(subject())); }, when: subject },
		{ names: 'C', call: 'C', does: 'copy the stack, as folded text',
			act: function () { copy(stackOf(subject())); }, when: function () { return stackOf(subject()) !== ''; } },
		{ names: '?', call: '?', does: 'this list; Esc closes it', act: openHelp },
	];

	function keyName(evt) {
		const key = evt.key === ' ' ? 'Space' : evt.key;
		if (!evt.ctrlKey && !evt.metaKey) {
			return key;
		}
		return 'Ctrl-' + (evt.shiftKey ? 'Shift-' : '') + (key.length === 1 ? key.toLowerCase() : key);
	}

	function onKey(evt) {
		if (evt.defaultPrevented || evt.altKey || !isOurs(evt) || /^(Control|Meta|Shift)$/.test(evt.key)) {
			return;
		}
		const name = keyName(evt);
		if (name !== 'Ctrl-c') {
			endOffer();
		}
		// Ctrl-F again, right after leaving the question unanswered, is meant for the browser.
		const passes = promptleft && name === 'Ctrl-f';
		promptleft = false;
		if (help) {
			onHelpKey(evt, name);
			return;
		}
		const f = frameAt(evt.target);
		const row = KEYS.find(function (row) { return row.names.split(' ').includes(name); });
		if (row && !passes && (!row.when || row.when(f, name, evt.target))) {
			evt.preventDefault();
			row.act(f, name, evt.target);
		}
	}

	/** Enter on a link is left to the browser. */
	function canPress(f, name, target) {
		return control(target) || f && (f.el.localName !== 'a' || name !== 'Enter');
	}

	function press(f, name, target) {
		(control(target) || zoom)(f);
	}

	function reset() {
		resetSearch();
		unzoom();
	}

	function resetAll() {
		ignorecase = false;
		showCase();
		if (flipped) {
			flip();
		}
		reset();
	}

	// The list of keys

	function add(name, parent, attributes, text) {
		const el = document.createElementNS(svg.namespaceURI, name);
		for (const key of Object.keys(attributes)) {
			el.setAttribute(key, attributes[key]);
		}
		el.textContent = text || '';
		return parent.appendChild(el);
	}

	/** Lays the list over what is seen of the picture, and takes the focus so that it is read out. */
	function openHelp() {
		const box = svg.getBoundingClientRect();
		const left = Math.max(box.left, 0), across = Math.min(box.right, window.innerWidth) - left;
		const top = Math.max(box.top, 0), down = Math.min(box.bottom, window.innerHeight) - top;

		// In as many columns as are needed and fit; then made smaller where there is still too little room.
		const line = 1.5 * fontsize, gap = 2 * fontsize;
		const first = Math.max(...KEYS.map(function (row) { return measure(row.call); })) + gap;
		const both = Math.max(...KEYS.map(function (row) { return measure(row.does); })) + gap + first;
		const wanted = Math.ceil(KEYS.length * line / Math.max(down - gap, line));
		const columns = Math.max(Math.min(wanted, Math.floor((across - gap) / both)), 1);
		const rows = Math.ceil(KEYS.length / columns);
		const width = columns * both + gap, height = rows * line + gap;
		const scale = Math.min(1, across / width, down / height);

		focusedbefore = document.activeElement;
		help = add('g', svg, { id: 'help', role: 'dialog', 'aria-modal': 'true', 'aria-label': 'Keys', tabindex: '-1' });
		add('rect', help, { width: width, height: height, rx: 4 });
		KEYS.forEach(function (row, i) {
			const x = gap + Math.floor(i / rows) * both, y = gap + i % rows * line;
			add('text', help, { x: x, y: y }, row.call);
			add('text', help, { x: x + first, y: y }, row.does);
		});
		const corner = svg.createSVGPoint();
		corner.x = left + (across - scale * width) / 2;
		corner.y = top + (down - scale * height) / 2;
		const at = corner.matrixTransform(svg.getScreenCTM().inverse());
		help.setAttribute('transform', 'translate(' + at.x + ' ' + at.y + ') scale(' + scale + ')');
		help.focus();
	}

	function closeHelp() {
		help.remove();
		help = null;
		if (focusedbefore && focusedbefore.focus) {
			focusedbefore.focus();
		}
	}

	function onHelpKey(evt, name) {
		if (name === 'Escape' || name === '?') {
			evt.preventDefault();
			closeHelp();
		} else if (name === 'Tab') {
			evt.preventDefault();  // The focus stays in the dialog.
		}
	}

	// Copying

	/** The frame that the details line tells of, or that has the focus. */
	function subject() {
		return told || frameAt(document.activeElement);
	}

	function stackOf(f) {
		const names = [];
		for (; f && f !== root; f = parentOf(f)) {
			names.unshift(nameOf(f));
		}
		return names.join(';');
	}

	function copy(text) {
		const written = navigator.clipboard ? navigator.clipboard.writeText(text) : Promise.reject();
		written.then(function () { tellText('Copied: ' + text); }, function () { offer(text); });
	}

	/** Where a script may not copy: shows the text, selected, until the user has copied it or does something else. */
	function offer(text) {
		const lead = 'Press Ctrl-C to copy: ';
		tellText(lead + text);
		const node = details.firstChild;
		document.getSelection().setBaseAndExtent(node, lead.length, node, node.length);
		offering = true;
	}

	function endOffer() {
		if (offering) {
			offering = false;
			document.getSelection().removeAllRanges();
			tell(told);
		}
	}

	/** Moves the focus as the picture looks: towards the leaves to the widest child, sideways among siblings. */
	function walk(from, name) {
		const leafwards = inverted !== flipped ? 'ArrowDown' : 'ArrowUp';
		let to;
		if (name === 'ArrowLeft' || name === 'ArrowRight') {
			const parent = parentOf(from);
			const row = parent ? childrenOf(parent) : [];
			to = row[row.indexOf(from) + (name === 'ArrowLeft' ? -1 : 1)];
		} else if (name === leafwards) {
			to = childrenOf(from).reduce(function (best, f) { return best && best.w >= f.w ? best : f; }, null);
		} else {
			to = parentOf(from);
		}
		if (to) {
			focus(to);
		}
	}

	function parentOf(f) {
		return list.find(function (p) { return p.depth === f.depth - 1 && spans(p, f) && p.w > 0; });
	}

	function childrenOf(f) {
		return list.filter(function (c) {
			return c.depth === f.depth + 1 && spans(f, c) && c.w > 0 && c.state !== HIDDEN;
		}).sort(function (a, b) { return a.x < b.x ? -1 : 1; });
	}

	function focus(f) {
		setTabStop(f);
		f.el.focus();
	}

	/** One frame at a time is reached by Tab; the arrows go on from there. */
	function setTabStop(f) {
		if (!f || f === tabstop) {
			return;
		}
		if (tabstop) {
			tabstop.el.setAttribute('tabindex', '-1');
		}
		f.el.setAttribute('tabindex', '0');
		f.el.setAttribute('role', 'treeitem');
		f.el.setAttribute('aria-level', f.depth + 1);
		tabstop = f;
	}

	svg.startViewer = start;
	window.init = function (evt) {
		(evt && evt.currentTarget && evt.currentTarget.startViewer || start)();
	};
})(nametype, fontsize, fontwidth, xpad, inverted, searchcolor, fluiddrawing, truncate_text_right);
