/**
 * Measures a picture from inside. Runs before the picture's own script, and defines
 * window.pictureBench.
 *
 * The script uses elements that all flame graphs of this family have: rects inside #frames, the
 * controls #unzoom and #search, the text #matched, and a search that either asks by window.prompt
 * or opens an input field.
 */
(function () {
	'use strict';

	const NARROW = 90, WIDE = 260;  // px, of frames to click on
	const QUIET = 400;              // ms without a change after which a picture is considered complete
	const PATIENCE = 20000;         // ms to wait for the first change
	const WATCHED = { '#frames': { childList: true, attributes: true }, '#unzoom': { attributes: true },
		'#matched': { childList: true, characterData: true, subtree: true } };

	let answer = null, asked = false, ready = null;

	window.prompt = function () {
		asked = true;
		return answer;
	};
	window.addEventListener('load', async function () {
		await frame();
		ready = await frame();
	});

	/** Returns the time of the next animation frame. */
	function frame() {
		return new Promise(function (resolve) {
			requestAnimationFrame(function () { resolve(performance.now()); });
		});
	}

	async function untilReady() {
		while (ready === null) {
			await frame();
		}
		return ready;
	}

	/**
	 * Calls `act` and waits until the picture has changed for the last time. Returns two times
	 * in ms: `script`, the duration of the call, and `painted`, the time until the end of the
	 * animation frame after the last change.
	 *
	 * Only a few elements are observed, because observing thousands of frames would slow down
	 * viewers that change them one by one.
	 */
	async function timed(act) {
		let changes = 0, known = 0, changed = null, painted = null, now = 0;
		await frame();
		const observer = new MutationObserver(function () { changes++; });
		for (const [selector, what] of Object.entries(WATCHED)) {
			const el = document.querySelector(selector);
			if (el) {
				observer.observe(el, what);
			}
		}
		const start = performance.now();
		act();
		const script = performance.now() - start;
		do {
			now = await frame();
			if (changes > known) {
				known = changes;
				changed = now;
				painted = null;
			} else if (changed !== null && painted === null) {
				painted = now;
			}
			if (changed === null && now - start > PATIENCE) {
				throw new Error('nothing changed in the picture');
			}
		} while (changed === null || now - changed < QUIET || painted === null);
		observer.disconnect();
		return { script: script, painted: painted - start };
	}

	/** Sends all events of a mouse that moves to an element and clicks. */
	function press(el) {
		const box = el.getBoundingClientRect();
		const at = { bubbles: true, cancelable: true, view: window, detail: 1, clientX: box.x + box.width / 2,
			clientY: box.y + box.height / 2, pointerId: 1, pointerType: 'mouse', isPrimary: true };
		for (const type of 'pointerover mouseover pointermove mousemove pointerdown mousedown pointerup mouseup click'.split(' ')) {
			el.dispatchEvent(new (type.startsWith('mouse') ? MouseEvent : PointerEvent)(type, at));
		}
	}

	/** Returns the frame whose width is nearest to `px`. If several frames are equally near,
	 * returns the caller. */
	function pick(wanted) {
		let best = null, least = Infinity, lowest = -Infinity;
		for (const el of document.querySelectorAll('#frames rect')) {
			const box = el.getBoundingClientRect();
			const miss = Math.round(Math.abs(box.width - wanted));
			const better = miss < least || miss === least && box.y > lowest;
			if (better && box.width >= NARROW && box.width <= WIDE) {
				best = el;
				least = miss;
				lowest = box.y;
			}
		}
		if (!best) {
			throw new Error('no frame is ' + NARROW + ' to ' + WIDE + ' px wide');
		}
		return best;
	}

	/** Zooms to a frame. A page draws its frames anew if its width changes, for example because a
	 * scroll bar appears. If this happens before the click, the frame is picked again, because an
	 * event of a removed element reaches nothing. */
	async function zoom(wanted) {
		const el = pick(wanted);
		el.scrollIntoView({ block: 'center' });
		await frame();
		// A picture may have drawn its frames again in the meantime.
		return timed(function () { press(el.isConnected ? el : pick(wanted)); });
	}

	function reset() {
		return timed(function () { press(document.querySelector('#unzoom')); });
	}

	function field() {
		const el = document.activeElement;
		return el && el.matches('input, textarea, [contenteditable]') ? el : null;
	}

	/** Opens the search as a user does: by its control, or by the key that opens a field. */
	function openSearch() {
		press(document.querySelector('#search'));
		if (!asked && !field()) {
			const target = document.activeElement || document.documentElement;
			target.dispatchEvent(new KeyboardEvent('keydown', { key: '/', code: 'Slash', bubbles: true, cancelable: true }));
		}
	}

	function fill(el) {
		el.focus();
		if ('value' in el) {
			el.value = answer;
		} else {
			el.textContent = answer;
		}
		el.dispatchEvent(new InputEvent('input', { bubbles: true, data: answer, inputType: 'insertFromPaste' }));
	}

	/**
	 * Searches for a pattern. The result `matched` is the share that the picture then shows, in
	 * percent.
	 */
	async function search(pattern) {
		answer = pattern;
		const result = await timed(function () {
			openSearch();
			if (!asked) {
				if (!field()) {
					throw new Error('the search neither asks nor has a field');
				}
				fill(field());
			}
		});
		const shown = /(\d+(?:\.\d+)?)\s*%/.exec(document.querySelector('#matched').textContent);
		if (!shown) {
			throw new Error('no share is shown');
		}
		result.matched = shown[1];
		return result;
	}

	window.pictureBench = { untilReady: untilReady, zoom: zoom, reset: reset, search: search };
})();
