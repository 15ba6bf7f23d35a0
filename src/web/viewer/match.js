/** Match: finds the texts that match a regular expression, and stops if that takes more than a second. */
const LIMIT = 1000;      // ms
const START = 10000;     // ms until a worker must have started
const STEPS = 100000000; // this number of steps takes less than a second
const WORK = 'postMessage(0);onmessage=({data:[p,t]})=>postMessage(Uint8Array.from(t,s=>p.test(s)))';
const endWork = {};      // by purpose: a function that ends the search in a worker

/** Return a pattern without its character classes and escapes. */
const skeletonOf = regex => regex.source.replace(/\\.|\[(?:\\.|[^\]\\])*\]/g, 'x').replace(/\(\?/g, '(');

/** Return whether a pattern repeats a group, for which the time may double with every letter. */
const repeatsGroup = regex => /\)[*+?{]/.test(skeletonOf(regex));

/** Return whether the search for a pattern is certainly quick: the pattern repeats one character at most, and the texts are short. */
function isQuick(regex, texts) {
	const repeats = (skeletonOf(regex).match(/[*+?{]/g) || []).length;
	return !repeats || repeats === 1 && !repeatsGroup(regex) && texts.reduce((sum, text) => sum + text.length * text.length, 0) < STEPS;
}

/**
 * Find the texts that match, and call `done(found)`: `found` has a 1 for each matching text, or is null if the search took too long. If the
 * search is certainly quick, `done` is called at once. A running search for the same purpose is ended, and its `done` is not called.
 */
export function findTexts(regex, texts, done, purpose = 'search') {
	endSearch(purpose);
	if (isQuick(regex, texts)) {
		done(Uint8Array.from(texts, text => regex.test(text)));
		return;
	}
	try {
		findElsewhere(regex, texts, done, purpose);
	} catch (e) {
		done(findHere(regex, texts));
	}
}

/** End the running search for a purpose. */
export function endSearch(purpose = 'search') {
	if (endWork[purpose]) {
		endWork[purpose]();
	}
}

/** Find the texts in a worker, which can be stopped. */
function findElsewhere(regex, texts, done, purpose) {
	const code = URL.createObjectURL(new Blob([WORK], { type: 'text/javascript' })), worker = new Worker(code);
	let timer = 0;
	const end = () => {
		clearTimeout(timer);
		worker.terminate();
		URL.revokeObjectURL(code);
		endWork[purpose] = null;
	};
	const wait = time => {
		clearTimeout(timer);
		timer = setTimeout(() => {
			end();
			done(null);
		}, time);
	};
	endWork[purpose] = end;
	wait(START);
	worker.onmessage = ({ data }) => {
		if (data) {
			end();
			done(data);
		} else {
			wait(LIMIT);
			worker.postMessage([regex, texts]);
		}
	};
	worker.onerror = () => {
		end();
		done(findHere(regex, texts));
	};
}

/** Find the texts without a worker, for pages that do not allow workers. Such a search can be stopped only between two texts. Return null
 * if the search takes too long, or if the pattern repeats a group, because then one text may take too long. */
export function findHere(regex, texts) {
	const until = performance.now() + LIMIT, found = new Uint8Array(texts.length);
	const isDone = !repeatsGroup(regex) && texts.every((text, i) => {
		found[i] = regex.test(text);
		return performance.now() < until;
	});
	return isDone ? found : null;
}
