"""The data is read shortly after the picture is on the screen; then the details have more
figures."""
draw = 'plain.folded'


def case(p):
	svg = p.read('load-lazy.svg')
	p.write('lazy.svg', svg.replace('<script type="text/ecmascript"><![CDATA[', '<script type="text/ecmascript"><![CDATA[\n'
		'var frame = 0, read = null; const plain = window.atob; window.atob = function (text) { read = frame; return plain(text); };'
		'if (Uint8Array.fromBase64) { const own = Uint8Array.fromBase64; Uint8Array.fromBase64 = function (text) { read = frame; return own.call(Uint8Array, text); }; }'
		'window.addEventListener("load", function () { requestAnimationFrame(function () { frame = 1; requestAnimationFrame(function () { frame = 2; }); }); });'))
	p.open(path='lazy.svg')
	p.wait(lambda: p.js('return read !== null'))
	p.same('read', p.js('return read'), 2)
	p.hover('run (')
	p.same('self', p.text('#details'), 'Function: ' + p.frame('run (')['title'] + ' | self 0, 0.00%')
	p.hover('lex (')
	p.hover('read (')
	p.same('self of a leaf', p.text('#details'), 'Function: ' + p.frame('read (')['title'] + ' | self 30, 24.59%')
