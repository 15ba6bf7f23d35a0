/** Unnamed: explains a name such as `[libz.so.1]`, which stands for all functions of a library whose own names are not known. */

/** Return an explanation of a name, or '' if it needs none. */
export function explainName(name) {
	const [, library] = /^\[([^\]]*\.(?:so|dylib|dll)\b[^\]]*)\]$/i.exec(name) || [];
	return library ? 'functions of ' + library + ' without names (install its debug symbols)' : '';
}
