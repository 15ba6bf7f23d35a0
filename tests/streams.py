"""Unpacks the data in pictures."""
import zlib


def inflate(data):
	"""Returns the unpacked bytes of consecutive deflate streams."""
	out = b''
	while data:
		stream = zlib.decompressobj(-15)
		out += stream.decompress(data)
		assert stream.eof, 'cut off'
		data = stream.unused_data
	return out
