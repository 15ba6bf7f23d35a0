"""Unpacks what pictures hold."""
import zlib


def inflate(data):
	"""The bytes of deflate streams, one after the other."""
	out = b''
	while data:
		stream = zlib.decompressobj(-15)
		out += stream.decompress(data)
		assert stream.eof, 'cut off'
		data = stream.unused_data
	return out
