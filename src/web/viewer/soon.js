/** Soon: actions shortly after the last of several events, such as typed letters, or after the screen has changed. */

const QUICK = 10;  // ms

/** Return a function that calls `act()` at once, so that the browser's next frame shows the result. If `act()` took long last time, the
 * function calls `act()` shortly after the last of several calls, with a delay that grows with this time. */
export function soon(act) {
	let timer = 0, took = 0;
	const run = () => {
		const began = performance.now();
		act();
		took = performance.now() - began;
	};
	return () => {
		clearTimeout(timer);
		if (took < QUICK) {
			run();
		} else {
			timer = setTimeout(run, Math.min(5 * took, 200));
		}
	};
}

/** Call a function when the changes made so far are on the screen. */
export const afterPaint = act => requestAnimationFrame(() => setTimeout(act));
