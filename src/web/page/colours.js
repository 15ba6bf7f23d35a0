/**
 * Colours: colours frames by name, as in the file, by the module of their function, or by the kind of code. A legend has the
 * heaviest modules, or the kinds, with their shares of self counts.
 */
import { on } from '../viewer/events.js';
import { COLOURS_KINDS, COLOURS_MODULES, SHADE_NEUTRAL } from '../viewer/constants.js';
import { shownPercent } from '../viewer/counts.js';
import { compared, make, modern, port, rectOf } from '../viewer/picture.js';
import { fileModel, model } from '../viewer/model.js';
import { home } from '../viewer/view.js';
import { classOf } from '../viewer/compare.js';
import { colourBy, paint } from '../viewer/draw.js';
import { change, keepWords, state } from '../viewer/state.js';
import { addKeys } from '../viewer/keys.js';
import { element } from './elements.js';
import { addChoice, addMenu } from './layout.js';
import { moduleOf } from './filters.js';
import { showColumns } from './shown.js';

const MODULES = 12;       // number of colours for modules
const MOST_SHOWN = 8;     // most modules that have a colour, and most items of the legend
const WAYS = { '': 'Colour by name', module: 'Colour by module', kind: 'Colour by kind' };
const KINDS = ['user', 'kernel', 'runtime', 'JIT', 'inlined', 'library', 'unknown', 'waker'];  // in the order of their colours
const KIND_OF_MARK = { k: 'kernel', j: 'JIT', i: 'inlined', w: 'waker' };
const KIND_OF_NAME = [
	[/^\[?(unknown|\?+)\]?$|^0x[\da-f]+$/i, 'unknown'],
	[/^(vmlinux|genunix|unix|mach_kernel|kernel)`|^\[kernel|\[kernel\.kallsyms\]/, 'kernel'],
	[/^Interpreter$|^(_?JavaCalls|JVM_|jni_|PyEval_|_PyEval|PyObject_|runtime\.|v8::|node::|Builtins_|rb_|zend_)|\b(libjvm|libpython|libruby|libv8)/,
		'runtime'],
	[/^lib[\w.+-]*\.(so|dylib)|\.so\b|@plt$|^\[?[\w.-]+\.dll\]?[`!]/, 'library'],
];

let way = '';            // of WAYS
let fileFills = null;    // the fills in the file, by element of its view
let fileSheet = null;
let classes = null;      // by number of a name, for the names of `classed`
let classed = null;
let modulesColoured = null;  // colours by module, chosen for the whole file

const colourRow = element('ul', { class: 'legend', 'aria-label': 'Colours', hidden: '' });
/** The menu of colours and, in a comparison, of widths. */
export const colourMenu = addMenu('colour', compared ? 'Widths' : 'Colour');
const showWays = compared ? [] : Object.keys(WAYS).map(each => addChoice(colourMenu, WAYS[each], () => choose(each), () => way === each));
on('start', () => port.before(colourRow));
keepWords(['colour'], () => setWay(!compared && WAYS[state.colour] ? state.colour : ''));
addKeys('k', 'k', 'colour by name, by module, by kind of code', () => {
	const all = Object.keys(WAYS);
	choose(all[(all.indexOf(way) + 1) % all.length]);
}, () => !compared);
on('load', () => {
	fileSheet = home;
	fileFills = home.fills.slice();
});
on('filter', showLegend);

const choose = to => change({ colour: to });

function setWay(to) {
	if (to === way) {
		return;
	}
	way = to;
	showWays.forEach(act => act());
	classed = null;
	colourBy(way ? id => classesNow()[id] : null);
	paintFile();
	showColumns(model === fileModel ? null : model);
	showLegend();
}

/** Colour the view of the file, which is kept while other frames are shown. */
function paintFile() {
	const { names } = fileModel, all = way ? classesOf(names) : [];
	fileSheet.ids.forEach((id, at) => {
		fileSheet.fills[at] = !way || id < 0 ? fileFills[at] : id ? all[fileModel.name[id]] : classOf(SHADE_NEUTRAL);
		if (modern || !fileSheet.lit || !fileSheet.lit[at]) {
			paint(rectOf(fileSheet.els[at]), fileSheet.fills[at]);
		}
	});
}

function classesNow() {
	if (classed !== model.names) {
		classes = classesOf(model.names);
		classed = model.names;
	}
	return classes;
}

/** Return the class of the colour of each name. */
function classesOf(names) {
	const colours = way === 'module' ? moduleColours() : kindColours();
	return names.map((name, id) => {
		const part = partOf(name, id);
		return classOf(colours.has(part) ? colours.get(part) : SHADE_NEUTRAL);
	});
}

/** Return the module or the kind of a function. */
const partOf = (name, id) => way === 'module' ? moduleOf(name) : kindOf(name, id);

/** Return the kind of code of a name, which is known from a mark such as _[k], or from the name
 * itself. */
function kindOf(name, id) {
	const { marks, kinds } = fileModel, mark = marks && (KIND_OF_MARK[marks[id]] || KIND_OF_MARK[kinds[id]]);
	return mark || (KIND_OF_NAME.find(([form]) => form.test(name)) || [null, 'user'])[1];
}

const kindColours = () => new Map(KINDS.map((kind, at) => [kind, COLOURS_KINDS + at]));

/** Choose colours for the heaviest modules: each module gets the colour of its name, unless a heavier module has this colour. */
function moduleColours() {
	if (modulesColoured) {
		return modulesColoured;
	}
	const colours = new Map(), taken = new Set();
	for (const [module] of sharesIn(fileModel).filter(([part]) => part).slice(0, MOST_SHOWN)) {
		let at = Array.from(module).reduce((hash, c) => Math.imul(hash ^ c.codePointAt(0), 16777619), 2166136261) >>> 8;
		while (taken.has(at % MODULES)) {
			at++;
		}
		taken.add(at % MODULES);
		colours.set(module, COLOURS_MODULES + at % MODULES);
	}
	modulesColoured = colours;
	return colours;
}

/** Return the self counts of the modules or kinds that are shown, as shares of all: the heaviest first. */
function sharesIn({ n, caller, name, names, total }) {
	const self = new Float64Array(names.length), has = new Uint8Array(names.length), sums = new Map();
	for (let i = 1; i < n; i++) {
		self[name[i]] += Number(total[i]);
		has[name[i]] = 1;
		if (caller[i]) {
			self[name[caller[i]]] -= Number(total[i]);
		}
	}
	names.forEach((text, id) => {
		if (has[id]) {
			const part = partOf(text, id);
			sums.set(part, (sums.get(part) || 0) + self[id]);
		}
	});
	return Array.from(sums, ([part, sum]) => [part, sum / Number(total[0] || 1)]).sort((a, b) => b[1] - a[1]);
}

function showLegend() {
	colourRow.hidden = !way;
	colourRow.replaceChildren();
	if (!way) {
		return;
	}
	const colours = way === 'module' ? moduleColours() : kindColours();
	let rest = 0;
	for (const [part, sum] of sharesIn(model)) {
		if (colours.has(part)) {
			addEntry(part, colours.get(part), sum);
		} else {
			rest += sum;
		}
	}
	if (rest > 0) {
		addEntry('other', SHADE_NEUTRAL, rest);
	}
}

function addEntry(text, colour, sum) {
	const entry = element('li', { title: 'self counts of its functions: ' + shownPercent(100 * sum, 1) + ' of all' }, colourRow);
	const swatch = entry.appendChild(make('svg', { width: 12, height: 12, 'aria-hidden': 'true' }));
	make('rect', { width: 12, height: 12, class: classOf(colour) }, swatch);
	element('span', {}, entry, text);
	element('small', {}, entry, shownPercent(100 * sum, 1));
}
