"""Makes recordings in the format of `perf record`, to test the reader: in both byte orders, for files
and pipes, compressed, with several events, out of order, cut off, damaged."""
import struct
import subprocess

IP, TID, TIME, ADDR, READ, CHAIN, ID, CPU, PERIOD, STREAM, RAW, BRANCHES, REGS, STACK = (
    1 << i for i in range(14))
IDENTIFIER = 1 << 16
KERNEL, USER, USER_DEFERRED = -128 % 2**64, -512 % 2**64, -640 % 2**64
(MMAP, LOST, COMM, EXIT, FORK, SAMPLE, MMAP2, LOST_SAMPLES, SWITCH, KSYMBOL, DEFERRED) = (
    1, 2, 3, 4, 7, 9, 10, 13, 14, 17, 22)
(ATTRIBUTE, BUILD_ID, ROUND, AUXTRACE, UPDATE, FEATURE, COMPRESSED, COMPRESSED2) = (
    64, 67, 68, 71, 78, 80, 81, 83)
IN_KERNEL, IN_USER = 1, 2
USUAL = IP | TID | TIME | CHAIN | PERIOD


class Event:
    """The description of an event."""

    def __init__(self, name="cycles", type=0, config=0, fields=USUAL, rate=999, frequency=True,
                 ids=(), read_format=0, branches=0, registers=0, trailer=True, user_only=False, stack=0):
        self.__dict__.update(locals())


class Recording:
    """Collects records; bytes() returns the whole recording."""

    def __init__(self, events=None, big=False, pipe=False, features=None):
        self.order = ">" if big else "<"
        self.events = events or [Event()]
        self.pipe = pipe
        self.data = b""
        self.features = dict(features or {})

    def pack(self, layout, *values):
        return struct.pack(self.order + layout, *values)

    def record(self, type, body, misc=0):
        body += b"\0" * (-len(body) % 8)
        return self.pack("IHH", type, misc, 8 + len(body)) + body

    def add(self, type, body, misc=0):
        self.data += self.record(type, body, misc)
        return self

    def attribute(self, event):
        flags = [event.user_only and 5, event.frequency and 10, event.trailer and 18]
        bits = bytearray(8)
        for flag in flags:
            if flag:
                bits[flag // 8] |= 0x80 >> flag % 8 if self.order == ">" else 1 << flag % 8
        return (self.pack("IIQQQQ", event.type, 128, event.config, event.rate, event.fields,
                          event.read_format) + bytes(bits) + self.pack("IIQQQQIIQ", 0, 0, 0, 0,
                          event.branches, event.registers, event.stack, 0, 0) + b"\0" * 24)

    # Records

    def trailer(self, event, time, pid=10, tid=10, cpu=0):
        """Returns the trailer of records that are not samples."""
        f, out = event.fields, b""
        if not event.trailer:
            return out
        out += self.pack("ii", pid, tid) if f & TID else b""
        out += self.pack("Q", time) if f & TIME else b""
        out += self.pack("Q", event.ids[0]) if f & ID else b""
        out += self.pack("Q", 0) if f & STREAM else b""
        out += self.pack("II", cpu, 0) if f & CPU else b""
        out += self.pack("Q", event.ids[0]) if f & IDENTIFIER else b""
        return out

    def text(self, text):
        text = text.encode() + b"\0"
        return text + b"\0" * (-len(text) % 8)

    def comm(self, name, pid=10, tid=None, time=0, exec=False):
        tid = pid if tid is None else tid
        return self.add(COMM, self.pack("II", pid, tid) + self.text(name) +
                        self.trailer(self.events[0], time, pid, tid), 1 << 13 if exec else 0)

    def map(self, path, start, size, offset=0, pid=10, time=0, mode=IN_USER, build_id=b"", prot=5):
        body = self.pack("iiQQQ", pid, pid, start, size, offset)
        body += (self.pack("BBH", len(build_id), 0, 0) + build_id.ljust(20, b"\0") if build_id
                 else self.pack("IIQQ", 0, 0, 1, 0))
        body += self.pack("II", prot, 2) + self.text(path)
        return self.add(MMAP2, body + self.trailer(self.events[0], time, pid, pid),
                        mode | (1 << 14 if build_id else 0))

    def task(self, type, pid, tid, parent, parent_tid, time=0, misc=0):
        return self.add(type, self.pack("IIIIQ", pid, parent, tid, parent_tid, time) +
                        self.trailer(self.events[0], time, pid, tid), misc)

    def sample(self, time, chain, event=None, pid=10, tid=None, cpu=0, period=1, mode=IN_USER,
               raw=b"", ip=None, regs=(), stack=b""):
        event = event or self.events[0]
        tid = pid if tid is None else tid
        f, out = event.fields, b""
        if ip is None:
            ip = next((a for a in chain if a < 2**64 - 4096), 0)
        out += self.pack("Q", event.ids[0]) if f & IDENTIFIER else b""
        out += self.pack("Q", ip) if f & IP else b""
        out += self.pack("ii", pid, tid) if f & TID else b""
        out += self.pack("Q", time) if f & TIME else b""
        out += self.pack("Q", 0) if f & ADDR else b""
        out += self.pack("Q", event.ids[0]) if f & ID else b""
        out += self.pack("Q", 0) if f & STREAM else b""
        out += self.pack("II", cpu, 0) if f & CPU else b""
        out += self.pack("Q", period) if f & PERIOD else b""
        if f & READ:
            r = event.read_format
            times, each = (r & 1) + (r >> 1 & 1), 1 + (r >> 2 & 1) + (r >> 4 & 1)
            out += (self.pack("Q", 2) + b"\1" * 8 * (times + 2 * each) if r & 8
                    else b"\1" * 8 * (times + each))
        out += self.pack("Q%dQ" % len(chain), len(chain), *chain) if f & CHAIN else b""
        if f & RAW:
            raw += b"\0" * (-(len(raw) + 4) % 8)
            out += self.pack("I", len(raw)) + raw
        if f & BRANCHES:
            out += self.pack("Q", 2) + (self.pack("Q", 0) if event.branches & 1 << 17 else b"")
            out += b"\7" * 48
        out += self.pack("Q%dQ" % len(regs), 2 if regs else 0, *regs) if f & REGS else b""
        if f & STACK:
            out += self.pack("Q", len(stack)) + (stack + self.pack("Q", len(stack)) if stack else b"")
        return self.add(SAMPLE, out, mode)

    def round(self):
        return self.add(ROUND, b"")

    # The whole

    def string(self, text):
        return self.pack("I", (len(text) + 64) & ~63) + text.encode().ljust((len(text) + 64) & ~63, b"\0")

    def event_names(self):
        out = self.pack("II", len(self.events), 128)
        for event in self.events:
            out += self.attribute(event) + self.pack("I", len(event.ids)) + self.string(event.name)
            out += self.pack("%dQ" % len(event.ids), *event.ids)
        return out

    def all_features(self):
        features = {12: self.event_names(), 3: self.string("elsewhere"), 6: self.string("x86_64")}
        features.update(self.features)
        return sorted(features.items())

    def compress(self, type=COMPRESSED, part=1000):
        """Compresses the records so far as perf does: as one stream, cut into records at any
        byte."""
        packed = subprocess.run(["zstd", "-q", "-c", "--no-check"], input=self.data,
                                stdout=subprocess.PIPE, check=True).stdout
        self.data = b""
        for at in range(0, len(packed), part):
            piece = packed[at:at + part]
            if type == COMPRESSED2:
                self.add(type, self.pack("Q", len(piece)) + piece)
            else:
                self.data += self.pack("IHH", type, 0, 8 + len(piece)) + piece
        return self

    def bytes(self, killed=False):
        magic = struct.pack(self.order + "Q", 0x32454C4946524550)
        if self.pipe:
            out = magic + self.pack("Q", 16)
            for event in self.events:
                out += self.record(ATTRIBUTE, self.attribute(event) +
                                   self.pack("%dQ" % len(event.ids), *event.ids))
            for number, body in self.all_features():
                out += self.record(FEATURE, self.pack("Q", number) + body)
            return out + self.data
        ids, attributes, at = bytearray(), bytearray(), 104
        for event in self.events:
            section = self.pack("QQ", at + len(ids), 8 * len(event.ids))
            ids += self.pack("%dQ" % len(event.ids), *event.ids)
            attributes += self.attribute(event) + section
        start = at + len(ids) + len(attributes)
        bits = [0] * 256
        for number, _ in self.all_features():
            bits[number] = 1
        words = [sum(bits[64 * i + k] << k for k in range(64)) for i in range(4)]
        head = magic + self.pack("QQQQQQQQ", 104, 144, at + len(ids), len(attributes), start,
                                 0 if killed else len(self.data), 0, 0) + self.pack("4Q", *words)
        out = head + ids + attributes + self.data
        if killed:
            return out
        table, rest = b"", b""
        end = len(out) + 16 * sum(bits)
        for _, body in self.all_features():
            table += self.pack("QQ", end + len(rest), len(body))
            rest += body
        return out + table + rest
