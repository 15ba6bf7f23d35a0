/** Soon: what follows typing, shortly after the last letter. */

/** Return a function that calls `act()` shortly after its own last call. The longer the last time took, the longer it waits. */
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
