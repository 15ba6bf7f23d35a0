/**
 * Load: unpacks the viewer's compressed script, and runs it while the browser reads the file, before the user can click. The script runs
 * as a script element: the policy of a page forbids `eval`, but allows a script element by the hash of its text.
 */
import { decodeBase64 } from './base64.js';
import { fail, inflate } from './inflate.js';

const PACKED = '';  // join.py puts the script in
const own = document.currentScript;
const script = document.createElementNS(own.namespaceURI, 'script');
script.textContent = new TextDecoder().decode(inflate(decodeBase64(PACKED)));
own.unpacking = script.unpacking = { decodeBase64, fail, inflate };  // the viewer unpacks the profile with these functions
own.after(script);
script.remove();
