/**
 * The viewer: makes the picture answer the mouse, the keyboard, touch and its own address.
 *
 * The script runs while the picture is being read and only takes hold of its own svg element and of the
 * settings written before it; so several pictures can live in one page. start() does the rest, at load.
 *
 * Everything beyond hovering works on one model of the profile: columns, a frame being an index into them. It is
 * made of the packed data at the end of the file, or of the frames in the file if there is none; when first needed,
 * or a little after load. Frames stand in preorder, so what a frame called is what lies between it and `next` of it,
 * and starts never go down.
 *
 * The frames of the file are one sheet, which is shown until something is zoomed to. A zoom draws another sheet, of
 * what is wide enough to be seen, and puts it in the place of the first. A sheet holds elements and, in the same
 * order, the frames that they show.
 *
 * Listeners sit on the svg (and window), never on a frame: there are tens of thousands of those. Names become text
 * nodes and attributes, never markup.
 */
(function (nametype, fontsize, fontwidth, xpad, inverted, searchcolor, fluid, cutright) {
	'use strict';

	const OURS = ['z', 'x', 'y', 's', 'ic', 'flip', 'own'];  // our words in the address; all others are left alone
	const LEAST = 0.5;                   // px of a frame that is drawn
	const XHTML = 'http://www.w3.org/1999/xhtml';
	const SPACES = { 'xlink:': 'http://www.w3.org/1999/xlink', 'fg:': 'http://github.com/jonhoo/inferno' };
	const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

	const script = document.currentScript;
	const svg = script && script.ownerSVGElement || document.documentElement;
	const alone = svg === document.documentElement;  // then the address and its history are ours
	const find = selector => svg.querySelector(selector);
	const modern = svg.classList.contains('modern');  // the style; see shades.h and label.h
	const INSET = modern ? 4 : 3;        // px of a label in its box
	const DROP = modern ? Math.floor((7 * fontsize + 10) / 20) : 3;  // px from the middle of a box to its label's line
	const widths = new Map();            // character to px
	const shades = new Map();            // colour to whether text on it is to be white
	const compared = svg.classList.contains('compared');  // it shows two profiles; see compare.h
	let frames, details, matched, unzoomer, searcher, caser, owner, ruler;
	let home, sheet;                     // the sheet of the file; the one that is shown
	let number = Number;                 // reads a sample count; BigInt where a double is too small
	let whole, all, suffix;              // the count of the root; its element in the file; how titles end
	let row, top, deepest, height;       // px of a row, of the root's in the file, how many rows are below, of the picture
	let flipped = false, extra = 0;      // px that the picture is higher than in the file
	let byown = false, ownatfirst = false;  // whether colours show what changed in the functions themselves
	let aim = null;                      // where to scroll with the next picture on the screen
	let model = null, zoomed = 0;        // 0, the root: not zoomed
	let tabstop = null, hovered = null, told = null, tapped = null;  // elements of the sheet
	let term = '', pattern = null, ignorecase = false;
	let hit = null, hits = [], covered = '', stepped = -1, scope = 0;
	let pathOf = null;                   // the hash of a frame's path
	const trail = [];                    // zooms to go back to where the browser does not keep them
	let monospaced = 0, caseoffset = 0;
	let spot = '', touching = false, offering = false;
	let field = null, before = null;     // where a pattern is typed; the search before
	let help = null, focusedbefore = null;

	// Reading the picture

	function start() {
		frames = find('#frames');
		if (!frames || ruler) {
			return;
		}
		[details, matched, unzoomer, searcher, caser, owner] =
			['#details', '#matched', '#unzoom', '#search', '#ignorecase', '#own'].map(find);
		caseoffset = searcher.getAttribute('x') - caser.getAttribute('x');
		ruler = document.createElementNS(svg.namespaceURI, 'text');
		ruler.setAttribute('visibility', 'hidden');
		readFrames();
		describe();
		if (fluid) {
			svg.removeAttribute('viewBox');
			if (alone) {
				svg.removeAttribute('width');
			} else {
				svg.setAttribute('width', '100%');  // which it is not by itself in a page
			}
			resize();
		}
		listen();
		const state = readAddress();
		if (OURS.some(key => key in state)) {
			restore(state);
		}
		// Not before the picture is on the screen.
		const later = window.requestIdleCallback || setTimeout;
		requestAnimationFrame(() => requestAnimationFrame(() => later(() => {
			load();
			pathOf = pathOf || paths();
		})));
	}

	/** Looks at no frame but the root: there may be very many. */
	function readFrames() {
		const samples = frames.getAttribute('total_samples') || '0';
		if (samples.length > 15 && typeof BigInt === 'function') {
			number = BigInt;
		}
		whole = number(samples);
		height = Number(svg.getAttribute('height'));
		home = sheet = { el: frames, els: Array.from(frames.children), ids: null, flipped: false, width: widthNow() };
		// Frames that end together stand one behind the other; before the root stand some that ended with it if what
		// counts nothing was called later.
		const toRoot = el => (inverted ? -1 : 1) * rectOf(el).getAttribute('y');
		for (let el = frames.lastElementChild; el && end(el) === whole; el = el.previousElementSibling) {
			all = all && toRoot(all) > toRoot(el) ? all : el;
		}
		for (const link of frames.querySelectorAll('a')) {
			link.setAttribute('tabindex', '-1');
		}
		const rect = all && rectOf(all);
		top = rect ? Number(rect.getAttribute('y')) : 0;
		row = rect ? Number(rect.getAttribute('height')) + 1 : 1;
		const above = modern ? Number(searcher.getAttribute('y')) + fontsize : (find('#subtitle') ? 5 : 3) * fontsize;
		const below = modern ? 2 * fontsize + 16 : fontsize + 10;
		const used = inverted ? height - below - top - row : top - 1 - above;
		deepest = Math.round(used / row);
		// The root's title is always `all (N COUNTNAME, 100%)`, so it tells what follows the name in every title.
		const said = all && /^all \([\d,]+ ([^]*), 100%\)$/.exec(titleOf(all));
		const unit = said ? said[1].replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') : '[^]*';
		suffix = compared ? / \([\d,]+ before, [\d,]+ after[^()]*\)$/ :
			new RegExp(' \\([\\d,]+ ' + unit + ', [\\d.]+%(; [-+]?[\\d.]+%)?\\)$');
	}

	const rectOf = el => el.firstElementChild.nextElementSibling;
	const titleOf = el => el.firstElementChild.textContent;
	const counts = (el, name) => number(rectOf(el).getAttribute(name));
	const end = el => counts(el, 'fg:x') + counts(el, 'fg:w');
	const share = (part, of) => Number(part) / Number(of);

	/** The name of a frame of the file. */
	function nameIn(el) {
		const given = el.getAttribute('data-name');
		return given !== null ? given : titleOf(el).replace(suffix, '');
	}

	// Roles and labels; those of a frame are set when it can be reached.
	function describe() {
		const labels = [[unzoomer, 'Reset zoom'], [searcher, 'Search'], [caser, 'Ignore case when searching']];
		for (const [el, label] of labels) {
			set(el, { role: 'button', tabindex: 0, 'aria-label': label });
		}
		svg.setAttribute('role', 'group');  // an image has no parts to go to
		for (const el of [details, matched]) {
			el.setAttribute('role', 'status');
		}
		set(frames, { role: 'tree', 'aria-label': 'Frames: arrow keys move, Enter zooms, Escape resets, ? lists all keys' });
		if (owner) {
			set(owner, { role: 'button', tabindex: 0, 'aria-label': 'Colour by what changed in the functions themselves' });
			byown = ownatfirst = find('#profile').hasAttribute('data-own');
			showOwn();
		}
		setTabStop(all);
	}

	function set(el, attributes) {
		for (const name of Object.keys(attributes)) {
			el.setAttribute(name, attributes[name]);
		}
		return el;
	}

	function make(name, attributes, parent, text) {
		const el = set(document.createElementNS(svg.namespaceURI, name), attributes);
		if (text) {
			el.textContent = text;
		}
		return parent ? parent.appendChild(el) : el;
	}

	// The packed data

	function fail() {
		throw new RangeError('the packed data is broken, or of another version');
	}

	/** Unpacks what the deflate method packed (RFC 1951). Throws if that is broken. */
	function inflate(from) {
		let to = new Uint8Array(4 * from.length + 1024), size = 0, at = 0, hold = 0, held = 0, last;
		const need = n => {
			for (; held < n; held += 8) {
				if (at > from.length + 8) {
					fail();
				}
				hold |= from[at++] << held;
			}
		};
		const bits = n => {
			need(n);
			const value = hold & (1 << n) - 1;
			hold >>>= n;
			held -= n;
			return value;
		};
		/** A table of what any next bits mean: symbol times 16, and the length of its code. */
		const table = lengths => {
			const longest = Math.max(...lengths), codes = new Uint16Array(1 << longest);
			for (let length = 1, code = 0; length <= longest; length++, code <<= 1) {
				for (let symbol = 0; symbol < lengths.length; symbol++) {
					if (lengths[symbol] === length) {
						let turned = 0;
						for (let bit = 0; bit < length; bit++) {
							turned |= (code >> bit & 1) << length - 1 - bit;
						}
						for (; turned < codes.length; turned += 1 << length) {
							codes[turned] = symbol << 4 | length;
						}
						code++;
					}
				}
			}
			return codes;
		};
		const symbol = codes => {
			need(15);
			const found = codes[hold & codes.length - 1];
			if (!(found & 15)) {
				fail();
			}
			hold >>>= found & 15;
			held -= found & 15;
			return found >> 4;
		};
		const room = n => {
			if (size + n > to.length) {
				const larger = new Uint8Array(2 * to.length + n);
				larger.set(to);
				to = larger;
			}
		};
		const fixed = [];
		for (let i = 0; i < 288; i++) {
			fixed.push(i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8);
		}
		const trees = kind => {
			if (kind === 1) {
				return [table(fixed), table(Array(30).fill(5))];
			}
			const literals = bits(5) + 257, distances = bits(5) + 1, n = bits(4) + 4, lengths = Array(19).fill(0);
			for (let i = 0; i < n; i++) {
				lengths[[16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15][i]] = bits(3);
			}
			const codes = table(lengths), found = [];
			while (found.length < literals + distances) {
				const s = symbol(codes);
				const times = s < 16 ? 1 : s === 16 ? bits(2) + 3 : s === 17 ? bits(3) + 3 : bits(7) + 11;
				const length = s < 16 ? s : s === 16 ? found[found.length - 1] : 0;
				for (let i = 0; i < times; i++) {
					found.push(length);
				}
			}
			return [table(found.slice(0, literals)), table(found.slice(literals))];
		};
		// Lengths and distances: so many bits follow, added to such a base.
		const lengthbits = n => n < 8 || n === 28 ? 0 : (n >> 2) - 1;
		const distancebits = n => n < 4 ? 0 : (n >> 1) - 1;
		const bases = (first, n, follow) => {
			const all = [];
			for (let i = 0; i < n; first += 1 << follow(i++)) {
				all.push(first);
			}
			return all;
		};
		const lengthbases = bases(3, 28, lengthbits).concat(258), distancebases = bases(1, 30, distancebits);
		do {
			last = bits(1);
			const kind = bits(2);
			if (kind === 0) {
				bits(held & 7);
				const n = bits(16);
				bits(16);
				room(n);
				for (let i = 0; i < n; i++) {
					to[size++] = bits(8);
				}
				continue;
			}
			const [literals, distances] = trees(kind);
			for (let s; (s = symbol(literals)) !== 256;) {
				room(258);
				if (s < 256) {
					to[size++] = s;
					continue;
				}
				let n = lengthbases[s - 257] + bits(lengthbits(s - 257));
				const d = symbol(distances);
				const back = distancebases[d] + bits(distancebits(d));
				if (!(back <= size && n)) {
					fail();
				}
				for (; n > 0; n--, size++) {
					to[size] = to[size - back];
				}
			}
		} while (!last);
		return to.subarray(0, size);
	}

	function bytesOf(data) {
		const text = data.textContent.trim();
		let bytes;
		if (Uint8Array.fromBase64) {
			bytes = Uint8Array.fromBase64(text);
		} else {
			const plain = atob(text);
			bytes = new Uint8Array(plain.length);
			for (let i = 0; i < plain.length; i++) {
				bytes[i] = plain.charCodeAt(i);
			}
		}
		return data.getAttribute('data-coding') === 'deflate' ? inflate(bytes) : bytes;
	}

	/** A column of counts. */
	function column(n) {
		return number !== Number ? new BigUint64Array(n) : new (whole < 4294967296 ? Uint32Array : Float64Array)(n);
	}

	/** Reads the model from the unpacked bytes. */
	function unpack(data) {
		const bytes = bytesOf(data);
		let at = 0;
		const count = () => {
			let byte = bytes[at++], value = byte & 127;
			for (let scale = 128; byte > 127; scale *= 128) {
				byte = bytes[at++];
				value += (byte & 127) * scale;
			}
			if (byte === undefined) {
				fail();
			}
			return value;
		};
		const weight = number === Number ? count : () => {
			let value = number(0), shift = number(0), byte;
			do {
				byte = bytes[at++];
				value |= number(byte & 127) << shift;
				shift += number(7);
			} while (byte > 127);
			return value;
		};
		const each = (list, read) => {
			for (let i = 0; i < list.length; i++) {
				list[i] = read(i);
			}
			return list;
		};
		const text = new TextDecoder('utf-8', { ignoreBOM: true });
		const string = () => {
			const size = count();
			at += size;
			return text.decode(bytes.subarray(at - size, at));
		};
		if (count() !== 1) {
			fail();
		}
		const flags = count(), n = count(), kinds = count(), colours = count();
		if (n + kinds > bytes.length) {
			fail();
		}
		const m = { n: n, depth: new Uint32Array(n), own: column(n), count: data.getAttribute('data-countname'),
			factor: Number(data.getAttribute('data-factor') || 1), negate: data.hasAttribute('data-negate'),
			diffusion: data.hasAttribute('data-diffusion'), given: new Map() };
		each(m.depth, i => {
			const left = count();
			return i && m.depth[i - 1] + 1 - left;
		});
		m.name = each(new Uint32Array(n), count);
		each(m.own, weight);
		m.hidden = flags & 2 ? each(column(n), weight) : null;
		const gaps = flags & 2 ? each(column(n), weight) : null;
		if (flags & 1) {
			m.changed = new Uint8Array(n);
			m.delta = each(new Float64Array(n), i => (m.changed[i] = count()) && count());
		}
		if (flags & 8) {
			const given = name => Number(data.getAttribute('data-' + name));
			m.compared = { scale: given('scale'), noise: given('noise'), samples: [given('sample-before'), given('sample-after')] };
			m.before = { own: each(column(n), weight), all: column(n) };
			m.after = { own: each(column(n), weight), all: column(n) };
		}
		let name = new Uint8Array(256);
		m.names = each(Array(kinds), () => {
			const shared = count(), more = count();
			if (shared + more > name.length) {
				const longer = new Uint8Array(2 * (shared + more));
				longer.set(name);
				name = longer;
			}
			name.set(bytes.subarray(at, at += more), shared);
			return text.decode(name.subarray(0, shared + more)).replace(/_\[[kijw]]$/, '')
				.replace(/[^\t\n\r -\ufffd]/g, '\ufffd');
		});
		const rgb = each(Array(colours), () => 'rgb(' + bytes[at++] + ',' + bytes[at++] + ',' + bytes[at++] + ')');
		m.colours = each(Array(kinds), () => colours ? rgb[count()] : 'c' + count());
		m.largest = flags & 1 ? m.delta.reduce((a, b) => Math.max(a, b), 1) : 1;
		for (let rest = count(); rest > 0; rest--) {
			m.given.set(count(), { link: count(), attributes: string(), title: count() ? string() : null });
		}
		m.unseen = flags & 4 ? each(column(kinds), weight) : null;
		return arrange(m, gaps);
	}

	/** Makes a model of the frames in the file. */
	function collect() {
		const list = home.els.map(el => ({ el: el, x: counts(el, 'fg:x'), w: counts(el, 'fg:w'), depth: depthOf(el) }))
			.filter(f => f.w > 0 || f.el === all)
			.sort((a, b) => a.x < b.x ? -1 : a.x > b.x ? 1 : a.depth - b.depth);
		const n = list.length, ids = new Map([[all, 0]]);  // other frames may have no name, too
		const m = { n: n, depth: Uint32Array.from(list, f => f.depth), name: new Uint32Array(n), total: column(n), start: column(n),
			given: new Map() };
		list.forEach((f, i) => {
			const name = f.el === all ? all : nameIn(f.el);
			ids.set(name, m.name[i] = ids.has(name) ? ids.get(name) : ids.size);
			m.total[i] = f.w;
			m.start[i] = f.x;
		});
		m.names = Array.from(ids.keys(), key => key === all ? '' : key);
		return arrange(m);
	}

	/** Adds the columns that follow from the others. */
	function arrange(m, gaps) {
		const n = m.n, path = [], ends = [];
		m.up = new Uint32Array(n);
		m.next = new Uint32Array(n);
		for (let i = 0; i < n; i++) {
			if (i ? !(m.depth[i] && m.depth[i] <= m.depth[i - 1] + 1 && m.names[m.name[i]] !== undefined) : m.depth[0]) {
				fail();
			}
			path[m.depth[i]] = i;
			m.up[i] = i && path[m.depth[i] - 1];
			m.next[i] = i + 1;
		}
		const sum = !m.total;
		m.total = m.total || column(n);
		for (let i = n - 1; i >= 0; i--) {
			if (sum) {
				m.total[i] += m.own[i];
				m.total[i] += m.hidden ? m.hidden[i] : number(0);
				m.total[m.up[i]] += i ? m.total[i] : number(0);
			}
			for (const side of m.compared ? [m.before, m.after] : []) {
				side.all[i] += side.own[i];
				side.all[m.up[i]] += i ? side.all[i] : number(0);
			}
			m.next[m.up[i]] = Math.max(m.next[m.up[i]], m.next[i]);
		}
		if (n) {
			m.total[0] = whole;
		}
		if (!m.start) {
			m.start = column(n);
			for (let i = 0; i < n; i++) {
				const x = m.start[i] = !i ? number(0) : gaps ? ends[m.depth[i]] + gaps[i] : ends[m.depth[i]];
				ends[m.depth[i]] = x + m.total[i];
				ends[m.depth[i] + 1] = gaps ? x : x + m.own[i];
			}
		}
		return m;
	}

	/** Makes the model, once, and finds out which of its frames the file shows. */
	function load() {
		if (model) {
			return;
		}
		const data = find('#profile');
		try {
			model = data && all ? unpack(data) : collect();
		} catch (e) {
			tellText('The data in this picture cannot be read, only what is drawn: ' + e.message);
			model = collect();
		}
		home.ids = Int32Array.from(home.els, el => locate(depthOf(el), counts(el, 'fg:x')));
		home.at = new Map();
		home.ids.forEach((id, at) => home.at.set(id, at));
		home.fills = home.els.map(el => rectOf(el).getAttribute('fill') || rectOf(el).getAttribute('class') || '');
		home.lit = new Uint8Array(home.els.length);
	}

	function depthOf(el) {
		return Math.round(Math.abs(rectOf(el).getAttribute('y') - top) / row);
	}

	/** The last frame that starts before a place. */
	function lastBefore(place) {
		let low = 0, high = model.n;
		while (low + 1 < high) {
			const middle = low + high >> 1;
			if (model.start[middle] < place) {
				low = middle;
			} else {
				high = middle;
			}
		}
		return low;
	}

	/** The caller of a frame that is on a level, or the frame. */
	function callerAt(i, depth) {
		while (model.depth[i] > depth) {
			i = model.up[i];
		}
		return i;
	}

	/** The frame of a level that starts at a place, -1 if there is none. */
	function locate(depth, place) {
		const i = model.n ? callerAt(lastBefore(place + number(1)), depth) : 0;
		return i < model.n && model.depth[i] === depth && model.start[i] === place && model.total[i] > 0 ? i : -1;
	}

	const idOf = el => el && model ? sheet.ids[sheet.els.indexOf(el)] : -1;
	const elementOf = id => id < 0 ? null : sheet.els[sheet.ids.indexOf(id)] || null;
	const inside = (i, of) => i >= of && i < model.next[of];
	const nameOf = i => i ? model.names[model.name[i]] : 'all';

	// Titles

	const grouped = n => String(n).replace(/\B(?=(\d{3})+$)/g, ',');

	/** A count as it is shown. */
	function shown(count) {
		const product = model.factor === 1 || !model.factor ? count : Math.round(Number(count) * model.factor);
		if (product < 9007199254740992 || typeof BigInt !== 'function') {
			return product;
		}
		return product < 18446744073709551616 ? BigInt(product) : BigInt('18446744073709551615');
	}

	function ofAll(count) {
		return (100 * share(shown(count), Number(whole) * (model.factor || 1))).toFixed(2) + '%';
	}

	function titleFor(i) {
		const given = model.given.get(model.name[i]);
		if (given && given.title !== null) {
			return given.title;
		}
		if (model.compared) {
			return nameOf(i) + ' (' + wordsFor(i, 'all') + (i ? '; own ' + wordsFor(i, 'own') : '') + ')';
		}
		const change = model.changed ? model.changed[i] : 0;
		const sign = change && model.delta[i] ? (change === 2 !== model.negate ? '-' : '+') : '';
		const delta = change ? '; ' + sign + (100 * share(model.delta[i], whole)).toFixed(2) + '%' : '';
		return nameOf(i) + ' (' + grouped(shown(model.total[i])) + ' ' + model.count + ', ' + ofAll(model.total[i]) + delta + ')';
	}

	// Two profiles that are compared

	/** How what a frame counts changed: itself ('own') or with what it calls ('all'). As compare.c has it. */
	function changeOf(i, of) {
		const before = Number(model.before[of][i]), after = Number(model.after[of][i]);
		const by = model.compared, scaled = by.scale * before, amount = after - scaled;
		const samples = [before / by.samples[0], after / by.samples[1]], n = samples[0] + samples[1];
		const ratio = by.scale * by.samples[0] / by.samples[1], later = ratio / (1 + ratio);
		const deviance = samples.reduce((sum, k, at) => sum + (k && 2 * k * Math.log(k / (n * (at ? later : 1 - later)))), 0);
		const score = Math.abs(samples[1] - n * later) / Math.sqrt(n * later * (1 - later));
		const deviations = Math.min(score, Math.sqrt(Math.max(deviance, 0)));
		return { before: before, after: after, scaled: scaled, amount: amount, none: Math.abs(amount) < 0.5,
			noise: by.noise > 0 && deviations < by.noise };
	}

	/** The class of a frame's shade: neutral, grew, shrank, new, gone. */
	function shadeOf(i) {
		const change = changeOf(i, byown ? 'own' : 'all');
		if (!i || change.none || change.noise) {
			return 'c32';
		}
		const share = Math.abs(change.amount) / Math.max(change.scaled, change.after);
		const steps = (share > 0.1) + (share > 0.25) + (share > 0.5);
		return 'c' + (!change.before ? 41 : !change.after ? 42 : (change.amount > 0 ? 33 : 37) + steps);
	}

	/** What stands before the label of a frame of that shade. */
	const signOf = shade => !compared || shade === 'c32' ? '' : /^c(3[3-6]|41)$/.test(shade) ? '+' : '-';

	/** Counts and change in words. */
	function wordsFor(i, of) {
		const change = changeOf(i, of);
		const counts = grouped(model.before[of][i]) + ' before, ' + grouped(model.after[of][i]) + ' after';
		const share = (100 * Math.abs(change.amount) / change.scaled).toFixed(1) + '%';
		return counts + (!i ? '' : change.none ? ', unchanged' :
			', ' + (!change.before ? 'new' : !change.after ? 'gone' : (change.amount > 0 ? '+' : '-') + share) +
			(change.noise ? ', within noise' : ''));
	}

	/** Has the colours show what changed in the functions themselves, or in all that they call. */
	function toggleOwn() {
		load();
		byown = !byown;
		showOwn();
		home.ids.forEach((id, at) => {
			home.fills[at] = id < 0 ? 'c32' : shadeOf(id);
			rectOf(home.els[at]).setAttribute('class', home.fills[at]);
		});
		refit();
		if (zoomed) {
			swap(draw());
		}
		save(false);
	}

	function showOwn() {
		owner.classList.toggle('show', byown);
		owner.setAttribute('aria-pressed', String(byown));
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

	// What of a name cannot be taken apart: the name of an operator, a word, a separator.
	const TOKEN = /operator(?:\(\)|<=>|<<=|>>=|->\*|<<|>>|->|<=|>=|<|>|\/=|\/)|[\w$\x80-\uffff]+|::|[^]/g;
	const isOperator = token => /^operator[^\w$\x80-\uffff]/.test(token);

	/** The part of a name that tells most, in so many characters; as label.c does it. */
	function shorten(name, room) {
		const fits = text => text.length <= room || text.length <= 2 * room && Array.from(text).length <= room;
		let rest = name;
		if (!fits(rest) && rest.length <= 4096) {
			rest = withoutTail(withoutArguments(rest));
			rest = fits(rest) ? rest : withoutLeadingParts(rest, fits);
		}
		return fits(rest) ? rest : Array.from(rest.slice(0, 2 * room)).slice(0, room - 1).join('') + '…';
	}

	function withoutArguments(name) {
		const open = [];                 // brackets: [which, where to go on if arguments are in it, or -1]
		let out = '', named = -1;
		for (const match of name.matchAll(TOKEN)) {
			const token = match[0], index = match.index;
			if ((token === '(' || token === '<') && open.length < 64) {
				const spaced = token === '(' && out.length > 1 && out.endsWith(' ') &&
					!/^\((\*|anonymous )/.test(name.slice(index, index + 12));
				const start = out.length - spaced, last = out.charAt(start - 1);
				const behind = start === named || /[\w$\x80-\uffff)\]]/.test(last) || token === '(' && last === '>';
				open.push([token, behind ? start : -1]);
			}
			const last = out.slice(-1);
			out += token;
			named = isOperator(token) ? out.length : named;
			if (token === ')' || token === '>' && last !== '-' && last !== '=') {
				let at = open.length - 1;
				while (token === ')' && at >= 0 && open[at][0] !== '(') {
					at--;
				}
				if (at >= 0 && open[at][0] === (token === ')' ? '(' : '<')) {
					const start = open[at][1];
					open.length = at;
					out = start < 0 ? out : out.slice(0, start);
				}
			}
		}
		return out;
	}

	/** Without what compilers, and tools that know the file, put behind a name. */
	function withoutTail(name) {
		name = name.replace(/([\w$\x80-\uffff])(?: \[clone | \/|\.isra\.|\.part\.|\.constprop\.|\.llvm\.|\.lto_priv\.|@@)[^]*$/, '$1');
		for (const end of ['@plt', '.cold', ' const', ' volatile', ' &&', ' &']) {
			name = name.endsWith(end) && name !== end ? name.slice(0, -end.length) : name;
		}
		return name;
	}

	function withoutLeadingParts(name, fits) {
		const file = /\.(?:so|py|js|ts|rb|php|cc?|h|rs|go|pl|dll|exe|java|cpp)(?![\w$\x80-\uffff])/.test(name);
		const colons = name.lastIndexOf('::');
		let depth = 0, start = 0;
		for (const match of name.matchAll(TOKEN)) {
			const token = match[0], index = match.index;
			if (isOperator(token)) {
				break;
			}
			depth = /^[(<{[]$/.test(token) ? depth + 1 : /^[)>}\]]$/.test(token) && depth ? depth - 1 : depth;
			const separates = /^(?:::|[/\\`!#])$/.test(token) || token === '.' && !file || token === ' ' && index < colons;
			const at = index + token.length;
			if (separates && !depth && /[a-z_$~<({[\x80-\uffff]/i.test(name.charAt(at))) {
				start = at;
				if (fits(name.slice(start))) {
					break;
				}
			}
		}
		return name.slice(start);
	}

	/** The label of a frame that is so many px wide; `name` gives its name. */
	function labelFor(width, name) {
		if (modern) {
			widthOf('.');  // so that `monospaced` is known
			const room = Math.floor((width - INSET - 2) / (monospaced || fontsize * fontwidth));
			return room < 3 ? '' : shorten(name(), room);
		}
		return width - 3 < 2 * fontsize * fontwidth ? '' : fit(name(), width - 3);
	}

	const percent = value => (100 * value).toFixed(4) + '%';
	const widthNow = () => Number(frames.getAttribute('width'));

	/** Whether text on a colour is to be white: whether its contrast with white is the higher one. */
	function isDark(fill) {
		let dark = shades.get(fill);
		if (dark === undefined) {
			const hex = /^#(..)(..)(..)$/.exec(fill);
			const parts = hex ? hex.slice(1).map(part => parseInt(part, 16)) : fill.match(/\d+/g) || [255, 255, 255];
			const [r, g, b] = parts.map(part => {
				const c = part / 255;
				return c <= 0.04045 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4);
			});
			dark = 0.2126 * r + 0.7152 * g + 0.0722 * b < Math.sqrt(0.0525) - 0.05;
			shades.set(fill, dark);
		}
		return dark;
	}

	function addLabel(el, x, y, label, fill) {
		return make('text', !modern && isDark(fill) ? { x: x, y: y, class: 'w' } : { x: x, y: y }, el, label);
	}

	const baseline = y => (y + (row - 1) / 2 + DROP).toFixed(2);

	/** Fits the labels of the file to the width; reads all, then writes all. */
	function refit() {
		const width = widthNow(), inset = INSET / width, scale = width / Number(whole);
		const moved = width !== home.width;
		const todo = [];
		home.width = width;
		for (const el of home.els) {
			const rect = rectOf(el), text = rect.nextElementSibling;
			const name = () => el === all ? 'all' : signOf(rect.getAttribute('class')) + nameIn(el);
			const label = labelFor(rect.getAttribute('fg:w') * scale, name);
			if (label || text && text.textContent) {
				todo.push([el, rect, text, label]);
			}
		}
		for (const [el, rect, text, label] of todo) {
			const x = percent(share(rect.getAttribute('fg:x'), whole) + inset);
			if (!text) {
				addLabel(el, x, baseline(Number(rect.getAttribute('y'))), label, rect.getAttribute('fill'));
			} else if (label !== text.textContent) {
				text.textContent = label;
				text.setAttribute('x', x);
			} else if (moved) {
				text.setAttribute('x', x);
			}
		}
		if (sheet === home) {
			underline();
		}
	}

	function resize() {
		const width = svg.clientWidth || window.innerWidth;
		frames.setAttribute('width', Math.max(width - 2 * xpad, 1));
		searcher.setAttribute('x', width - xpad);
		matched.setAttribute('x', width - xpad);
		caser.setAttribute('x', width - xpad - caseoffset);
		if (owner) {
			owner.setAttribute('x', width - xpad);
		}
		if (zoomed) {
			swap(draw());
		} else {
			refit();
		}
		if (help) {
			closeHelp();
			openHelp();
		}
	}

	// Drawing

	/** Where a level is, in px. */
	function yOf(depth) {
		const y = inverted ? top + depth * row : top - depth * row;
		return flipped ? mirror() - y : y;
	}

	const mirror = () => 2 * top + (inverted ? deepest : -deepest) * row;

	/** The fill of a frame while it is no hit: as in the file, or by how much it differs, or by its name. */
	function fillOf(i) {
		const at = home.at.get(i);
		if (at !== undefined) {
			return home.fills[at];
		}
		if (model.compared) {
			return shadeOf(i);
		}
		const separates = !modern && /^--?$/.test(nameOf(i));
		if (!model.changed || !model.changed[i] || model.diffusion || separates) {
			return model.colours[model.name[i]];
		}
		const part = model.delta[i] / model.largest, less = (model.changed[i] === 2) !== model.negate;
		if (modern) {
			return 'c' + (!part ? 32 : (less ? 37 : 33) + (part > 1 / 16) + (part > 4 / 16) + (part > 9 / 16));
		}
		const rest = 100 + Math.floor(150 * (model.largest - model.delta[i]) / model.largest);
		return !part ? 'rgb(250,250,250)' : less ? 'rgb(' + rest + ',' + rest + ',255)' : 'rgb(255,' + rest + ',' + rest + ')';
	}

	/** How wide a box of so many px is drawn in the modern style: a gap is left at the right of what is not narrow. */
	function drawnWidth(px) {
		return modern ? px - 0.75 * Math.min(Math.max((px - 1) / 2, 0), 1) : px;
	}

	/** An element for a frame, without what tells of its place. */
	function body(i) {
		const at = home.at.get(i);
		let el, rect;
		if (at !== undefined) {
			el = home.els[at].cloneNode(true);
			rect = rectOf(el);
			if (rect.nextElementSibling) {
				rect.nextElementSibling.remove();
			}
			if (el.hasAttribute('tabindex')) {
				el.setAttribute('tabindex', -1);
			}
			return el;
		}
		const given = model.given.get(model.name[i]);
		el = make(given && given.link ? 'a' : 'g', given && given.link ? { tabindex: -1 } : {});
		for (const [, name, value] of given ? given.attributes.matchAll(/([^\s=]+)="([^"]*)"/g) : []) {
			el.setAttributeNS(SPACES[name.replace(/[^:]*$/, '')] || null, name, value.replace(/&(#\d+|\w+);/g, (all, word) => word[0] === '#' ?
				String.fromCodePoint(word.slice(1)) : { amp: '&', lt: '<', gt: '>', quot: '"' }[word] || all));
		}
		make('title', {}, el, titleFor(i));
		make('rect', { height: row - 1, 'fg:x': model.start[i], 'fg:w': model.total[i] }, el);
		return el;
	}

	/** A sheet of what is to be seen while zoomed. */
	function draw() {
		const start = model.start, total = model.total, next = model.next, up = model.up, depth = model.depth, name = model.name;
		const width = widthNow(), limit = LEAST / width * Number(total[zoomed]), step = number(Math.max(Math.ceil(limit), 1));
		const drawn = { el: frames.cloneNode(false), els: [], ids: [], flipped: flipped, deepest: 0 };
		const gaps = [];                 // by level: [from, to], in counts
		const place = x => share(x - start[zoomed], total[zoomed]);
		const add = (i, parent) => {
			const el = body(i), y = yOf(depth[i]), lit = !parent && isHit(i);
			const left = parent ? 0 : place(start[i]), span = parent ? 1 : share(total[i], total[zoomed]);
			const fill = lit && !modern ? searchcolor : fillOf(i), label = labelFor(span * width, () => signOf(fill) + nameOf(i));
			const rect = set(rectOf(el), { x: percent(left), y: y, width: percent(drawnWidth(span * width) / width) });
			rect.setAttribute(modern && /^c/.test(fill) ? 'class' : 'fill', fill);
			if (modern) {
				rect.setAttribute('rx', span * width > 6 ? 1.5 : 0);
				el.classList.toggle('hit', lit);
			}
			if (label) {
				addLabel(el, percent(left + INSET / width), baseline(y), label, fill);
			}
			if (parent) {
				el.classList.add('parent');
			}
			drawn.el.appendChild(el);
			drawn.els.push(el);
			drawn.ids.push(i);
			drawn.deepest = Math.max(drawn.deepest, depth[i]);
		};
		const callers = [];
		for (let i = zoomed; i; i = up[i]) {
			callers.unshift(up[i]);
		}
		callers.forEach(i => add(i, true));
		for (let i = zoomed; i < next[zoomed];) {
			if (total[i] >= limit) {
				add(i++);
				continue;
			}
			// The last in the next half px may be wide enough; those before it together are a narrow strip.
			const last = callerAt(Math.min(lastBefore(start[i] + step), next[up[i]] - 1), depth[i]);
			const wide = total[last] >= limit;
			const strips = gaps[depth[i]] = gaps[depth[i]] || [], open = strips[strips.length - 1];
			const stop = start[last] + (wide ? number(0) : total[last]);
			if (open && start[i] <= open[1]) {
				open[1] = stop;
			} else {
				strips.push([start[i], stop]);
			}
			i = wide ? last : next[last];
		}
		let path = '';
		gaps.forEach((strips, level) => {
			for (const [from, to] of strips) {
				if (to > from) {
					path += 'M' + (place(from) * width).toFixed(1) + ' ' + yOf(level) + 'h' + (place(to) * width - place(from) * width)
						.toFixed(1) + 'v' + (row - 1) + 'H' + (place(from) * width).toFixed(1) + 'z';
				}
			}
		});
		if (path) {
			drawn.el.insertBefore(make('path', { class: 'narrow', d: path }), drawn.el.firstChild);
		}
		drawn.fills = drawn.ids.map(fillOf);
		drawn.lit = Uint8Array.from(drawn.ids, (i, at) => at >= callers.length && isHit(i));
		drawn.callers = callers.length;
		drawn.ids = Int32Array.from(drawn.ids);
		return drawn;
	}

	/** Shows a sheet in the place of another; the frames that are pointed at stay so. */
	function swap(to) {
		const focused = idOf(sheet.els.includes(document.activeElement) && document.activeElement);
		const kept = [tabstop, hovered, told, tapped].map(idOf);
		to.el.setAttribute('width', frames.getAttribute('width'));
		to.el.classList.toggle('found', modern && pattern !== null);
		frames.replaceWith(to.el);
		frames = to.el;
		sheet = to;
		[, hovered, told, tapped] = kept.map(elementOf);
		tabstop = null;
		setTabStop(elementOf(zoomed || kept[0]) || elementOf(0) || all);
		if (focused >= 0) {
			focus(elementOf(focused) ? focused : zoomed, true);
		}
		orient();
		stretch();
		underline();
	}

	/** Keeps in its place what is seen, while so many px more come above it. */
	function scrollAlong(px) {
		if (aim === null) {
			// Not before the new height is known to the browser, which else goes to the top.
			requestAnimationFrame(() => {
				window.scrollTo(0, aim);
				aim = null;
				if (sheet.els.includes(document.activeElement)) {
					document.activeElement.scrollIntoView({ block: 'nearest' });
				}
			});
		}
		aim = (aim === null ? window.scrollY : aim) + px;
	}

	/** Makes room for levels that the file does not show. */
	function stretch() {
		const before = extra, upright = inverted === flipped;
		extra = Math.max(zoomed ? sheet.deepest - deepest : 0, 0) * row;
		set(frames, upright && extra ? { y: extra, overflow: 'visible' } : { y: 0 });
		if (extra === before) {
			return;
		}
		if (alone && upright) {
			scrollAlong(extra - before);
		}
		svg.setAttribute('height', height + extra);
		if (!fluid) {
			svg.setAttribute('viewBox', '0 0 ' + svg.getAttribute('width') + ' ' + (height + extra));
		}
		for (const el of [details, matched, find('#leftout')]) {
			if (el && el.getAttribute('y') > top) {
				el.setAttribute('y', Number(el.getAttribute('y')) + extra - before);
			}
		}
		if (fluid && svg.clientWidth && svg.clientWidth !== widthNow() + 2 * xpad) {
			resize();  // a scroll bar came or went
		}
	}

	// Zoom

	/** Zooms as the user asks, to a frame or, with the root, to all; this can be undone. */
	function zoom(to) {
		load();
		const last = zoomed;
		if (to < 0 || to === last) {
			if (to !== scope && to === last) {
				scope = to;
				count();
			}
			return;
		}
		show(to);
		if (!save(alone)) {
			trail.push(last);
		}
	}

	const unzoom = () => zoom(0);

	/** Shows a frame as wide as the picture; `passing` if on the way from hit to hit of what was shown before. */
	function show(to, passing) {
		const focused = !to && unzoomer.matches(':focus-visible') && zoomed;
		if (to || zoomed) {
			zoomed = to;
			swap(to ? draw() : home);
			if (!to) {
				if (fluid && home.width !== widthNow()) {
					refit();
				}
				paint();
			}
			if (focused) {
				focus(focused);
			}
		}
		unzoomer.classList.toggle('hide', !zoomed);
		if (!passing) {
			scope = zoomed;
			count();
		}
		tell(told);
	}

	/** How many zooms the browser's own history can take back. */
	const steps = () => alone && history.state && history.state.zooms || 0;

	/** Takes back a zoom, as the browser's back does; one that only the address asked for, too. */
	function undo() {
		if (steps()) {
			history.back();
		} else {
			show(trail.pop() || 0);
			save(false);
		}
	}

	// Flip

	/** Puts the root at the other end, every row with it; zoom and labels stay as they are. */
	function flip() {
		load();
		flipped = !flipped;
		orient();
		stretch();
		save(false);
	}

	function orient() {
		if (sheet.flipped === flipped) {
			return;
		}
		if (zoomed) {
			swap(draw());
			return;
		}
		sheet.flipped = flipped;
		for (const el of sheet.els) {
			const rect = rectOf(el), text = rect.nextElementSibling, y = mirror() - rect.getAttribute('y');
			rect.setAttribute('y', y);
			if (text) {
				text.setAttribute('y', baseline(y));
			}
		}
		underline();
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

	/** Searches for a pattern, or with none for nothing more. Says whether it could. */
	function search(text) {
		const compiled = text ? compile(text) : null;
		if (text && !compiled) {
			return false;
		}
		load();
		term = text || term;
		pattern = compiled;
		hit = pattern && Uint8Array.from(model.names, (name, i) => i !== model.name[0] && pattern.test(name));
		paint();
		count();
		return true;
	}

	function resetSearch() {
		search('');
		save(false);
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
			search(term);
		}
		save(false);
	}

	function showCase() {
		caser.classList.toggle('show', ignorecase);
		caser.setAttribute('aria-pressed', String(ignorecase));
	}

	const isHit = i => hit !== null && hit[model.name[i]] === 1;

	/** Fills the hits on the sheet, but not the callers of what is zoomed to. */
	function paint() {
		if (!model) {
			return;
		}
		const callers = sheet.callers || 0;
		for (let at = callers; at < sheet.ids.length; at++) {
			const lit = sheet.ids[at] >= 0 && isHit(sheet.ids[at]);
			if (lit !== (sheet.lit[at] === 1)) {
				const rect = rectOf(sheet.els[at]), fill = lit ? searchcolor : sheet.fills[at];
				sheet.lit[at] = lit;
				if (modern) {
					sheet.els[at].classList.toggle('hit', lit);
					continue;
				}
				rect.setAttribute('fill', fill);
				if (rect.nextElementSibling) {
					rect.nextElementSibling.classList.toggle('w', isDark(fill));
				}
			}
		}
		underline();
	}

	/** Part of a path: around as many px of a box as are wanted, from some below its top. */
	function outlineOf(rect, down, height) {
		const px = name => parseFloat(rect.getAttribute(name)) * widthNow() / 100;
		return 'M' + px('x').toFixed(2) + ' ' + (Number(rect.getAttribute('y')) + down) + 'h' + px('width').toFixed(2) +
			'v' + height + 'H' + px('x').toFixed(2) + 'z';
	}

	/** In the modern style hits keep their colour: they get a line under them, and all others become pale. */
	function underline() {
		frames.classList.toggle('found', modern && pattern !== null);
		const old = frames.querySelector('.under');
		if (old) {
			old.remove();
		}
		let path = '';
		for (let at = 0; modern && pattern && sheet.lit && at < sheet.lit.length; at++) {
			if (sheet.lit[at]) {
				path += outlineOf(rectOf(sheet.els[at]), row - 2, 2);
			}
		}
		if (path) {
			make('path', { class: 'under', d: path }, frames);
		}
	}

	/** Finds the hits within what is zoomed to, drawn or not, and says how much they cover. */
	function count() {
		hits = [];
		stepped = -1;
		covered = '0.0%';
		if (pattern && model.n) {
			const total = model.total, next = model.next, name = model.name, hidden = model.hidden;
			let sum = number(0), past = 0, missed = 0;
			for (let i = scope; i < next[scope]; i++) {
				const is = hit[name[i]] === 1 && total[i] > 0;
				if (is) {
					hits.push(i);
				}
				if (i >= past) {
					if (is) {
						sum += total[i];
						past = next[i];
					} else if (hidden) {
						missed += Number(hidden[i]);
					}
				}
			}
			covered = between(Number(sum), missed);
		}
		searcher.classList.toggle('show', pattern !== null);
		setText(searcher, pattern ? 'Reset Search' : 'Search');
		searcher.setAttribute('aria-label', pattern ? 'Reset search' : 'Search');
		sayMatched();
	}

	/** What hits cover, in per cent; `missed` is what was left out of the data where no hit was seen. */
	function between(sum, missed) {
		let least = sum, most = sum, alike = 0;
		if (missed && model.unseen) {
			hit.forEach((is, name) => {
				most += is ? Number(model.unseen[name]) : 0;
				alike += is;
			});
			most = Math.min(most, sum + missed);
			least = alike === 1 && !scope ? most : sum;
		}
		const [low, high] = [least, most].map(part => {
			const p = 100 * share(part, model.total[scope]);
			return p === 100 ? '100' : p.toFixed(1);
		});
		return (low === high ? low : low + '–' + high) + '%';
	}

	function sayMatched() {
		const frames = (stepped < 0 ? '' : stepped + 1 + ' of ') + hits.length + (hits.length === 1 ? ' frame' : ' frames');
		const some = hits.length || covered !== '0.0%';
		say(!pattern ? ' ' : 'Matched: ' + (some ? covered + ' (' + frames + ')' : '0% (no match)'));
	}

	/** Moves the focus to the next hit, or with N to the one before; from the last to the first and back. */
	function step(f, name) {
		const n = hits.length, by = name === 'N' ? -1 : 1;
		stepped = stepped < 0 ? (by < 0 ? n - 1 : 0) : (stepped + by + n) % n;
		reveal(hits[stepped]);
		focus(hits[stepped]);
		sayMatched();
	}

	/** Zooms no further than it takes to see a frame, which a hit of `scope` may be too narrow for. */
	function reveal(i) {
		const least = i => 2 / widthNow() * Number(model.total[i]);
		const path = [];
		for (let at = i; at !== scope; at = model.up[at]) {
			path.push(at);
		}
		let to = scope;
		while (path.length && (model.total[i] < least(to) || !to && !home.at.has(i))) {
			to = path.pop();
		}
		if (to !== zoomed) {
			show(to, true);
			save(false);
		}
	}

	function say(text) {
		setText(matched, text);
		if (field) {
			setText(field.lastChild, text);
		}
		makeWay();
	}

	function setText(el, text) {
		if (el.textContent !== text) {
			el.textContent = text;
		}
	}

	// The field that a pattern is typed into

	/** Opens it left of the controls, within what is seen of the picture. */
	function ask() {
		if (field) {
			field.firstChild.focus();
			return;
		}
		load();
		const controls = modern ? searcher.getAttribute('x') - 10 * fontsize : caser.getAttribute('x') - 3 * fontsize;
		const line = 2 * fontsize, right = controls, wide = right > 260;
		const x = wide ? Math.max(right - 420, xpad) : xpad;
		const y = Math.max(searcher.getAttribute('y') - 1.3 * fontsize, corner(0, 0).y + 4);
		const box = make('foreignObject', { id: 'field', x: x, y: y, width: (wide ? right : widthNow() + xpad) - x, height: line }, svg);
		field = box.appendChild(document.createElementNS(XHTML, 'div'));
		const input = field.appendChild(document.createElementNS(XHTML, 'input'));
		field.appendChild(document.createElementNS(XHTML, 'output'));
		set(input, { type: 'text', spellcheck: 'false', autocomplete: 'off', placeholder: 'regular expression, as ^main$',
			'aria-label': 'Search for functions by regular expression' });
		before = { term: pattern ? term : '', focused: document.activeElement };
		input.value = term;
		let later, took = 0;
		input.addEventListener('input', () => {
			clearTimeout(later);
			later = setTimeout(() => {
				const began = performance.now();
				attempt();
				took = performance.now() - began;
			}, Math.min(5 * took, 200));
		});
		input.addEventListener('blur', () => {
			if (document.activeElement !== input) {
				keep();
			}
		});
		input.focus({ preventScroll: true });
		input.select();
		sayMatched();
	}

	/** Where a point of the window is in the picture. */
	function corner(x, y) {
		const point = svg.createSVGPoint();
		point.x = x;
		point.y = y;
		return point.matrixTransform(svg.getScreenCTM().inverse());
	}

	/** Closes the field with what was typed; or with what was before if that is no pattern. */
	function keep() {
		if (field) {
			attempt();
			close();
			save(false);
		}
	}

	/** Searches for what was typed; for what was before, if that is no pattern. */
	function attempt() {
		const text = field ? field.firstChild.value : '', good = !field || search(text);
		if (!good) {
			search(before.term);
			compile(text);  // says what is wrong
		}
		return good;
	}

	function drop() {
		search(before.term);
		close();
	}

	function close() {
		if (field) {
			const box = field.parentNode, back = before.focused;
			const focused = document.activeElement === field.firstChild;
			field = null;
			box.remove();
			if (focused && back && back.isConnected && back.focus) {
				back.focus({ preventScroll: true });
			}
		}
	}

	function onFieldKey(evt, name) {
		if (name === 'Enter' && !evt.isComposing) {
			if (attempt()) {
				keep();
			}
		} else if (name === 'Escape') {
			drop();
		} else if (name === 'Ctrl-i') {
			toggleCase();
		} else {
			if (name === 'Ctrl-f') {
				drop();  // The second time it is meant for the browser.
			}
			return;
		}
		evt.preventDefault();
	}

	// The address

	const words = text => text.slice(1).split('&').filter(Boolean);
	const key = word => word.split('=')[0];

	/** What the address asks for: behind ?, as other programs write it, and behind #. */
	function readAddress() {
		const state = {};
		for (const word of words(location.search).concat(words(location.hash))) {
			try {
				state[key(word)] = decodeURIComponent(word.slice(key(word).length + 1).replace(/\+/g, ' '));
			} catch (e) {
				// Not an address of ours.
			}
		}
		return state;
	}

	/** Two hashes of a name, to be combined along a path. */
	function hashes(text, by) {
		let hash = by;
		for (let i = 0; i < text.length; i++) {
			hash = Math.imul(hash ^ text.charCodeAt(i), by);
		}
		return hash;
	}

	/** The hash of every frame's path, so that a view is found again in another profile. */
	function paths() {
		const n = model.n, up = model.up, name = model.name, names = model.names;
		const columns = [16777619, 2246822519].map(by => {
			const ofname = names.map(name => hashes(name, by)), column = new Int32Array(n);
			for (let i = 1; i < n; i++) {
				column[i] = Math.imul(column[up[i]] + ofname[name[i]], by) ^ column[up[i]] >>> 15;
			}
			return column;
		});
		return i => (columns[1][i] & 2097151) * 4294967296 + (columns[0][i] >>> 0);
	}

	/** How the address names a frame: by the hash of its path; and which one, where callers have several of a name. */
	function nameForAddress(i) {
		pathOf = pathOf || paths();
		const wanted = pathOf(i);
		let twins = 0, others = 0;
		for (let at = i; at && !twins; at = model.up[at]) {
			for (let twin = model.up[at] + 1; twin < at; twin = model.next[twin]) {
				twins += model.name[twin] === model.name[at];
			}
		}
		for (let at = 1; twins && at < i; at++) {
			others += pathOf(at) === wanted && model.total[at] > 0;
		}
		return wanted.toString(36) + (others ? '.' + others : '');
	}

	/** The frame that an address names, -1 if none. */
	function addressed(state) {
		const x = state.x, [hash, at] = (state.z || '').split('.');
		if (state.z) {
			pathOf = pathOf || paths();
			let others = Number(at || 0);
			const wanted = parseInt(hash, 36);
			for (let i = 1; i < model.n; i++) {
				if (pathOf(i) === wanted && model.total[i] > 0 && !others--) {
					return i;
				}
			}
		} else if (/^\d+$/.test(x) && model.n) {
			const depth = (inverted ? 1 : -1) * (state.y - top) / row;
			return depth >= 0 && Number.isInteger(depth) && number(x) <= whole ? locate(depth, number(x)) : -1;
		}
		return -1;
	}

	/** Shows what an address asks for. */
	function restore(state) {
		load();
		ignorecase = state.ic === '1';
		showCase();
		if ((state.flip === '1') !== flipped) {
			flipped = !flipped;
			orient();
		}
		if (owner && state.own !== undefined && (state.own === '1') !== byown) {
			toggleOwn();
		}
		const good = search(state.s || '');
		if (!good) {
			search('');
		}
		const to = addressed(state);
		show(Math.max(to, 0));
		if (to >= 0) {
			save(false);  // as we write it
		}
		if (!good) {
			compile(state.s);  // says what is wrong
		}
	}

	/** The address of what is shown. */
	function address() {
		const others = text => words(text).filter(word => !OURS.includes(key(word)));
		const query = others(location.search), mine = others(location.hash);
		if (zoomed) {
			mine.push('z=' + nameForAddress(zoomed));
		}
		if (pattern) {
			mine.push('s=' + encodeURIComponent(term));
		}
		if (ignorecase) {
			mine.push('ic=1');
		}
		if (flipped) {
			mine.push('flip=1');
		}
		if (byown !== ownatfirst) {
			mine.push('own=' + Number(byown));
		}
		return location.href.replace(/[?#][^]*/, '') + (query.length ? '?' + query.join('&') : '') +
			(mine.length ? '#' + mine.join('&') : '');
	}

	/** Puts the view into the address; as a new entry of the history if wanted. Says whether that could be done. */
	function save(anew) {
		try {
			if (anew) {
				if (!history.state) {
					history.replaceState({ zooms: 0 }, '');
				}
				history.pushState({ zooms: steps() + 1 }, '', address());
			} else {
				history.replaceState(history.state, '', address());
			}
			return anew;
		} catch (e) {
			return false;  // A sandboxed frame, half a surrogate pair: the picture works, its address stays.
		}
	}

	/** Back and forward take their own zooms, and nothing else; an address that was typed is taken as a whole. */
	function onPopState() {
		if (location.href === address()) {
			return;
		}
		const state = readAddress();
		load();
		if (history.state) {
			show(Math.max(addressed(state), 0));
			save(false);
		} else {
			restore(state);
		}
	}

	// Mouse, touch, keyboard

	function listen() {
		svg.addEventListener('mouseover', evt => {
			// What comes under a mouse that rests says nothing while the keys go from frame to frame.
			const at = evt.screenX + ' ' + evt.screenY, rests = at === spot && sheet.els.includes(document.activeElement);
			spot = at;
			hover(frameAt(evt.target), rests);
		});
		svg.addEventListener('mouseleave', () => hover(null));
		// Not on the svg: Chromium gives the focus to SVG elements that listen to it.
		document.addEventListener('focusin', onFocus);
		document.addEventListener('focusout', () => {
			tell(hovered);
			outline(null);
		});
		svg.addEventListener('pointerdown', evt => {
			touching = evt.pointerType === 'touch';
			endOffer();
		});
		document.addEventListener('copy', () => setTimeout(endOffer));
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
		return el && el.localName !== 'path' ? el : null;
	}

	/** Fills the details line: about a frame, or blank. No mark in a name turns the numbers behind it round. */
	function tell(el) {
		told = el;
		if (!offering) {
			tellText(el ? nametype + ' ' + titleOf(el).replace(BIDI, '\ufffd') + (model ? ofModel(idOf(el)) : '') : ' ');
		}
	}

	/** What there is to say of a frame beyond its title. */
	function ofModel(i) {
		if (i < 0) {
			return '';
		}
		const own = model.own && i && !compared ? model.own[i] : null;
		return (zoomed && inside(i, zoomed) ? ' | ' + (100 * share(model.total[i], model.total[zoomed])).toFixed(2) + '% of view' : '') +
			(own === null ? '' : ' | self ' + grouped(shown(own)) + ', ' + ofAll(own));
	}

	function tellText(text) {
		setText(details, text);
		const leftout = find('#leftout');
		if (leftout) {
			leftout.classList.toggle('hide', text !== ' ');
		}
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

	function hover(el, quietly) {
		hovered = el;
		if (!quietly) {
			tell(el);
		}
	}

	function onFocus(evt) {
		const el = frameAt(evt.target);
		if (el) {
			tell(el);
			setTabStop(el);
			outline(el);
		}
	}

	/** In the modern style outlines what else on the sheet has the name of a frame; with null nothing. */
	function outline(el) {
		const old = frames.querySelector('.same'), id = modern ? idOf(el) : -1;
		if (old) {
			old.remove();
		}
		let path = '';
		sheet.els.forEach((other, at) => {
			if (id > 0 && other !== el && sheet.ids[at] > 0 && model.name[sheet.ids[at]] === model.name[id]) {
				path += outlineOf(rectOf(other), 0, row - 1);
			}
		});
		if (path) {
			make('path', { class: 'same', d: path }, frames);
		}
	}

	function control(el) {
		return el === unzoomer ? unzoom : el === searcher ? toggleSearch : el === caser ? toggleCase :
			el === owner ? toggleOwn : null;
	}

	function onClick(evt) {
		const act = control(evt.target);
		const el = frameAt(evt.target);
		if (help) {
			evt.preventDefault();
			closeHelp();
			return;
		}
		if (act) {
			act();
		} else if (el && touching && el !== tapped) {
			// A finger cannot hover: its first tap on a frame tells, the second acts.
			evt.preventDefault();
			tell(el);
		} else if (el && (evt.ctrlKey || evt.metaKey || el.localName !== 'a')) {
			evt.preventDefault();
			zoomTo(el);
		}
		tapped = frames.contains(el) ? el : null;
	}

	function zoomTo(el) {
		load();
		zoom(idOf(el));
	}

	/** Alone in its window the picture takes all keys, in a page those meant for it. */
	function isOurs(evt) {
		return alone || svg.contains(evt.target) ||
			evt.target === document.body && svg.matches(':hover');
	}

	// What keys do. A row: names; how people call them, and what they are for; `act`, and `when` if not always.
	const KEYS = [
		['ArrowUp ArrowDown ArrowLeft ArrowRight', 'arrows', 'go from frame to frame', walk, el => el],
		['Enter Space Ctrl-Enter Ctrl-Space', 'Enter, Space', 'zoom to the frame, use the control', press, canPress],
		['Backspace', 'Backspace', 'take back a zoom, as the browser\'s back does', undo, () => zoomed || trail.length || steps()],
		['Escape', 'Esc', 'reset zoom and search', reset, () => zoomed || pattern],
		['0', '0', 'reset everything', resetAll],
		['/', '/', 'search for a regular expression', ask],
		['Ctrl-f F3', 'Ctrl-F, F3', 'search, or reset the search', toggleSearch, () => all],
		['Ctrl-i', 'Ctrl-I', 'ignore case when searching', toggleCase],
		['n N', 'n, N', 'next, previous match', step, () => pattern && hits.length],
		['i', 'i', 'flip: the root at the bottom or at the top', flip],
		['o', 'o', 'colours: what changed in all that a function calls, or in itself', toggleOwn, () => owner],
		['c', 'c', 'copy the name of the frame', () => copy(nameOf(subject())), () => subject() >= 0],
		['C', 'C', 'copy the stack, as folded text', () => copy(stackOf(subject())), () => subject() > 0],
		['?', '?', 'this list; Esc closes it', openHelp],
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
		if (field && evt.target === field.firstChild) {
			onFieldKey(evt, name);
			return;
		}
		if (help) {
			onHelpKey(evt, name);
			return;
		}
		const el = frameAt(evt.target);
		const found = KEYS.find(([names]) => names.split(' ').includes(name));
		if (found && (!found[4] || found[4](el, name, evt.target))) {
			evt.preventDefault();
			found[3](el, name, evt.target);
		}
	}

	/** Enter on a link is left to the browser. */
	function canPress(el, name, target) {
		return control(target) || el && (el.localName !== 'a' || name !== 'Enter');
	}

	function press(el, name, target) {
		(control(target) || zoomTo)(el);
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

	/** Lays the list over what is seen of the picture, and takes the focus so that it is read out. */
	function openHelp() {
		const box = svg.getBoundingClientRect();
		const left = Math.max(box.left, 0), across = Math.min(box.right, window.innerWidth) - left;
		const up = Math.max(box.top, 0), down = Math.min(box.bottom, window.innerHeight) - up;

		// In as many columns as are needed and fit; then made smaller where there is still too little room.
		const line = 1.5 * fontsize, gap = 2 * fontsize;
		const first = Math.max(...KEYS.map(key => measure(key[1]))) + gap;
		const both = Math.max(...KEYS.map(key => measure(key[2]))) + gap + first;
		const wanted = Math.ceil(KEYS.length * line / Math.max(down - gap, line));
		const columns = Math.max(Math.min(wanted, Math.floor((across - gap) / both)), 1);
		const rows = Math.ceil(KEYS.length / columns);
		const width = columns * both + gap, tall = rows * line + gap;
		const scale = Math.min(1, across / width, down / tall);

		focusedbefore = document.activeElement;
		help = make('g', { id: 'help', role: 'dialog', 'aria-modal': 'true', 'aria-label': 'Keys', tabindex: -1 }, svg);
		make('rect', { width: width, height: tall, rx: 4 }, help);
		KEYS.forEach((key, i) => {
			const x = gap + Math.floor(i / rows) * both, y = gap + i % rows * line;
			make('text', { x: x, y: y }, help, key[1]);
			make('text', { x: x + first, y: y }, help, key[2]);
		});
		const at = corner(left + (across - scale * width) / 2, up + (down - scale * tall) / 2);
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

	/** The frame that the details line tells of, or that has the focus; -1 if none. */
	function subject() {
		const el = told || frameAt(document.activeElement);
		if (el) {
			load();
		}
		return idOf(el);
	}

	function stackOf(i) {
		const names = [];
		for (; i; i = model.up[i]) {
			names.unshift(nameOf(i));
		}
		return names.join(';');
	}

	function copy(text) {
		const written = navigator.clipboard ? navigator.clipboard.writeText(text) : Promise.reject();
		written.then(() => tellText('Copied: ' + text), () => offer(text));
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

	/** Moves the focus as the picture looks: towards the leaves to the widest child, sideways to what is drawn there. */
	function walk(el, name) {
		load();
		const start = model.start, up = model.up, from = idOf(el);
		let to = -1;
		if (from < 0) {
			return;
		}
		if (name === 'ArrowLeft' || name === 'ArrowRight') {
			const left = name === 'ArrowLeft';
			for (const i of sheet.ids) {
				const beside = i > 0 && up[i] === up[from] && (left ? start[i] < start[from] : start[i] > start[from]);
				if (beside && (to < 0 || (left ? start[i] > start[to] : start[i] < start[to]))) {
					to = i;
				}
			}
		} else if (name === (inverted !== flipped ? 'ArrowDown' : 'ArrowUp')) {
			to = childOf(from);
			if (to >= 0 && !elementOf(to)) {
				zoom(from);  // to have it drawn
			}
			if (to >= 0 && !elementOf(to)) {
				zoom(to);
			}
		} else if (from) {
			to = up[from];
		}
		focus(to);
	}

	/** The widest child of a frame; of a caller of what is zoomed to, the one that leads there. -1 if there is none. */
	function childOf(i) {
		const total = model.total, next = model.next;
		let best = -1;
		if (i < zoomed && inside(zoomed, i)) {
			return callerAt(zoomed, model.depth[i] + 1);
		}
		for (let child = i + 1; child < next[i]; child = next[child]) {
			if (total[child] > 0 && (best < 0 || total[child] > total[best])) {
				best = child;
			}
		}
		return best;
	}

	function focus(i, passing) {
		const el = elementOf(i);
		if (el) {
			setTabStop(el);
			el.focus({ preventScroll: passing });
		}
	}

	/** One frame at a time is reached by Tab; the arrows go on from there. */
	function setTabStop(el) {
		if (!el || el === tabstop) {
			return;
		}
		if (tabstop) {
			tabstop.setAttribute('tabindex', -1);
		}
		set(el, { tabindex: 0, role: 'treeitem', 'aria-level': depthOf(el) + 1 });
		tabstop = el;
	}

	svg.startViewer = start;
	window.init = function (evt) {
		(evt && evt.currentTarget && evt.currentTarget.startViewer || start)();
	};
})(nametype, fontsize, fontwidth, xpad, inverted, searchcolor, fluiddrawing, truncate_text_right);
