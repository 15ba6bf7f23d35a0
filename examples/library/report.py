"""Print the functions that take the most time. Usage: report.py PROFILE"""
import ctypes
import sys

lib = ctypes.CDLL("libinferno.so.1")
Write = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)
lib.inferno_new.restype = ctypes.c_void_p
lib.inferno_error.restype = ctypes.c_char_p


class Source(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int), ("path", ctypes.c_char_p), ("memory", ctypes.c_char_p), ("size", ctypes.c_size_t),
                ("fd", ctypes.c_int), ("name", ctypes.c_char_p), ("profile", ctypes.c_void_p), ("reserved", ctypes.c_void_p * 4)]


@Write
def write(_context, data, size):
    sys.stdout.write(ctypes.string_at(data, size).decode())
    return 0


job = ctypes.c_void_p(lib.inferno_new(b"report"))
lib.inferno_add(job, ctypes.byref(Source(path=sys.argv[1].encode())))
status = lib.inferno_run(job, write, None)
if status != 0:
    print(lib.inferno_error(job).decode(), file=sys.stderr)
lib.inferno_free(job)
sys.exit(status != 0)
