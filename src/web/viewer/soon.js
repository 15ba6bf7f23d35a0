/** Soon: actions shortly after the last of several events, such as typed letters. */

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
