/** Soon: actions shortly after the last of several events, such as typed letters, or after the screen has changed. */

/** Return a function that calls `act()` shortly after the last of several calls. The delay grows with the time that `act()` took last. */
export function soon(act) {
	let timer = 0, took = 0;
	return () => {
		clearTimeout(timer);
		timer = setTimeout(() => {
			const began = performance.now();
			act();
			took = performance.now() - began;
		}, Math.min(5 * took, 200));
	};
}

/** Call a function when the changes made so far are on the screen. */
export const afterPaint = act => requestAnimationFrame(() => setTimeout(act));
