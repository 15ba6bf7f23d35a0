/**
 * Load: unpacks the viewer's script, which a picture or page holds deflated, and runs it.
 *
 * Both happen while the browser reads the file, before the user can click. A script element runs under a policy that names the hash of its
 * text; a policy that forbids `eval` allows it.
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
