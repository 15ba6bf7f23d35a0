/** Base64: text to bytes. */

export function decodeBase64(text) {
	if (Uint8Array.fromBase64) {
		return Uint8Array.fromBase64(text);
	}
	const plain = atob(text), bytes = new Uint8Array(plain.length);
	for (let i = 0; i < plain.length; i++) {
		bytes[i] = plain.charCodeAt(i);
	}
	return bytes;
}
