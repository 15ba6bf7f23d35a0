/**
 * Events: a module announces what happened, and modules that it does not know act on it.
 *
 * start             the picture has been read
 * load              the model is there
 * unreadable WHY    the embedded profile cannot be used
 * swap FOLLOW HAD   another sheet is shown; FOLLOW turns an element of the old sheet into that of the new one,
 *                   HAD is the frame's element that had the focus
 * moved             frames of the sheet have other places or sizes
 * resize            the picture has another width
 * zoom PASSING      another frame is as wide as the picture; PASSING if only on the way from match to match
 * search            another pattern is searched for
 * said TEXT         the matched line says something else
 * key NAME          a key was pressed
 */
const listeners = {};

/** Call `act` whenever `event` happens, after the modules that asked earlier. */
export function on(event, act) {
	(listeners[event] = listeners[event] || []).push(act);
}

/** Tell all modules that asked for `event`. */
export function announce(event, ...about) {
	for (const act of listeners[event] || []) {
		act(...about);
	}
}
