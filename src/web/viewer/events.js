/**
 * Events: one module announces an event, and other modules react, without being imported by the first module.
 *
 * read              the picture has been read
 * start             the modules start
 * load              the model has been made
 * model             the model has been made from other columns
 * unreadable WHY    the embedded profile cannot be used
 * idle              the model has been made, and no action of the user waits
 * act               the user acts: what is shown must be in the state before the action changes the state
 * swap FOLLOW HAD   another view is shown; FOLLOW(element of the old view) returns the same frame's element in the
 *                   new one, or null; HAD is the element of the frame that had the focus
 * moved             the place or size of frames in the view has changed
 * resize            the width of the picture has changed
 * rows              the height of the picture's rows has changed
 * zoom PASSING      another frame is as wide as the picture; PASSING is true if the zoom is a step from match to match
 * search            another pattern is searched for
 * match I           the user goes to a frame that matches
 * told TEXT         a message is shown in the details line
 * said TEXT         the text of the matched line has changed
 * focus EL          a frame's element got the focus
 * key NAME          a key was pressed
 * state             the state has changed, and the address with it
 * report EL         the details of a frame's element are shown; if EL is null, no details are shown
 * view, table       another view is shown; the table is shown or hidden
 * hand              the user works with another function
 * select NAME       another function is selected; if NAME is "", no function is selected
 * filter            other filters are applied
 * ready             the result of slow work is shown
 * spans             other spans of time are brushed, or another thread is picked
 */
const listeners = {};

/** Call `act` whenever `event` happens, after the functions that were registered before. */
export function on(event, act) {
	(listeners[event] = listeners[event] || []).push(act);
}

/** Call all functions that are registered for `event`. */
export function announce(event, ...about) {
	for (const act of listeners[event] || []) {
		act(...about);
	}
}
