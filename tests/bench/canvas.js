/**
 * Measures a page of async-profiler from inside. Such a page draws on a canvas; picture.js measures
 * pictures that have an element for each frame. Defines window.canvasBench.
 */
(function () {
	'use strict';

	const ROW = 16, STEP = 8;  // px
	let ready = null;

	window.addEventListener('load', async () => {
		await frame();
		ready = await frame();
	});

	/** Returns the time of the next animation frame. */
	const frame = () => new Promise(resolve => requestAnimationFrame(() => resolve(performance.now())));

	async function untilReady() {
		while (ready === null) {
			await frame();
		}
		return ready;
	}

	/** Calls a function that draws before it returns. Returns two times in ms: `script`, the
	 * duration of the call, and `painted`, the time until the result is on the screen. */
	async function timed(act) {
		await frame();
		const start = performance.now();
		act();
		const script = performance.now() - start;
		await frame();
		return { script: script, painted: await frame() - start };
	}

	const canvas = () => document.querySelector('#canvas');

	/** Sends a mouse event to a position on the canvas. */
	function send(type, x, y) {
		const box = canvas().getBoundingClientRect();
		canvas().dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true, view: window, clientX: box.x + x, clientY: box.y + y }));
	}

	/** Returns the position of the frame whose width is nearest to `wanted` px. */
	function pick(wanted) {
		const light = document.querySelector('#hl'), box = canvas().getBoundingClientRect();
		let best = null, least = Infinity;
		for (let y = box.height - ROW / 2; y > 0; y -= ROW) {
			for (let x = STEP; x < box.width; x += STEP) {
				send('mousemove', x, y);
				const miss = light.style.display === 'none' ? Infinity : Math.abs(parseFloat(light.style.width) - wanted);
				if (miss < least) {
					best = [x, y];
					least = miss;
				}
			}
		}
		return best;
	}

	function press(x, y) {
		send('mousemove', x, y);
		send('click', x, y);
	}

	async function zoom(wanted) {
		const place = pick(wanted);
		return timed(() => press(...place));
	}

	const reset = () => timed(() => press(STEP, canvas().getBoundingClientRect().height - ROW / 2));

	async function search(pattern) {
		window.prompt = () => pattern;
		const result = await timed(() => document.querySelector('#search').click());
		result.matched = /[\d.]+/.exec(document.querySelector('#matchval').textContent)[0];
		return result;
	}

	window.canvasBench = { untilReady: untilReady, zoom: zoom, reset: reset, search: search };
})();
