/** Unpacking: the functions by which the loader has unpacked this script. */
export const { decodeBase64, fail, inflate } = document.currentScript.unpacking;
