/** Match: finds the texts that match a regular expression, and stops if that takes more than a second. */
const LIMIT = 1000;      // ms
const START = 10000;     // ms until a worker must have started
const STEPS = 100000000; // this number of steps takes less than a second
const WORK = 'postMessage(0);onmessage=({data:[p,t]})=>postMessage(Uint8Array.from(t,s=>p.test(s)))';
const endWork = {};      // by purpose: ends the search that a worker is doing

/** Return a pattern without its character classes and escapes. */
const skeletonOf = regex => regex.source.replace(/\\.|\[(?:\\.|[^\]\\])*\]/g, 'x').replace(/\(\?/g, '(');

/** Return whether a pattern repeats a group, for which the time may double with every letter. */
const repeatsGroup = regex => /\)[*+?{]/.test(skeletonOf(regex));

/** Return whether a pattern cannot take long: it repeats one character at most, and the texts are short. */
function isQuick(regex, texts) {
	const repeats = (skeletonOf(regex).match(/[*+?{]/g) || []).length;
	return !repeats || repeats === 1 && !repeatsGroup(regex) && texts.reduce((sum, text) => sum + text.length * text.length, 0) < STEPS;
}

/**
 * Call `done(found)`, which happens at once if the search is known to be quick: `found` has a 1 for
 * each text that matches, or is null if that took too long. A search for the same purpose that
 * still goes on is ended, and its `done` is not called.
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

/** Find the texts where no worker is allowed. Such a search can be stopped only between two texts.
 * Return null if it takes too long. */
export function findHere(regex, texts) {
	const until = performance.now() + LIMIT, found = new Uint8Array(texts.length);
	const isDone = !repeatsGroup(regex) && texts.every((text, i) => {
		found[i] = regex.test(text);
		return performance.now() < until;
	});
	return isDone ? found : null;
}
