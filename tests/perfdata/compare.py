"""Compares two texts of `perf script`, sample by sample."""
import re

FRAME = re.compile(r"^\t *([0-9a-f]+) (.*) \((.*)\)$")
NO_CODE = re.compile(r" \[unknown\] \((\[unknown\]|\[stack\]|\[heap\]|//anon)\)$")
OFFSET = re.compile(r"^(.*)\+0x([0-9a-f]+)$")
# Functions that inferno recognises in libraries and programs without symbols.
START = re.compile(r"(__libc_start_call_main|start_thread|clone3|_start|_dl_start_user|_dl_start|_dl_init|main)$")
ROOT = re.compile(r" (_start|__clone3?|clone3?)\+0x[0-9a-f]+ \(")


def samples(text):
    """Yields (event line, stack lines) of each sample. A sample without a call chain is one line."""
    head, frames = None, []
    for line in text.splitlines():
        if line.startswith("\t"):
            frames.append(line)
            continue
        if head is not None:
            yield head, frames
        head, frames = (line, []) if line else (None, [])
    if head is not None:
        yield head, frames


def split(line):
    """Returns the address, the name, the offset and the module of a stack line."""
    match = FRAME.match(line)
    if match is None:
        return line, "", None, ""
    address, function, module = match.groups()
    offset = OFFSET.match(function)
    return address, offset.group(1) if offset else function, offset and offset.group(2), module


def same_frame(a, b):
    """Returns whether two lines are equal, or name two symbols that start at one address."""
    if a == b:
        return True
    left, right = split(a), split(b)
    if left[1] == "[unknown]" and (right[1].endswith("@plt") or START.match(right[1])):
        return (left[0], left[3]) == (right[0], right[3])  # perf has no names for these functions, and for some kinds of stubs
    return left[2] is not None and (left[0], left[2:]) == (right[0], right[2:])


def same_leaf(a, b):
    """Compares, in the same way, the event line of a sample without a call chain, which ends in a stack line."""
    cut = re.compile(r"^(.*:) +([0-9a-f]+ .*)$")
    left, right = cut.match(a), cut.match(b)
    if a == b or left is None or right is None or left.group(1) != right.group(1):
        return a == b
    return same_frame("\t" + left.group(2), "\t" + right.group(2))


def same_stack(theirs, ours, unwound):
    """Returns whether inferno's stack agrees with that of perf. If a call chain contains a value
    that is not an address, perf drops the whole chain, but inferno need not. For an unwound stack,
    inferno's stack must contain all of perf's frames in the same order, and may contain more,
    because perf omits some in the middle or at the root. Values at the end of perf's stack that are
    not addresses of code are ignored."""
    if not theirs:
        return True
    if not unwound:
        return len(theirs) == len(ours) and all(map(same_frame, theirs, ours))
    while theirs and NO_CODE.search(theirs[-1]):
        theirs = theirs[:-1]
    rest = iter(ours)
    return all(any(same_frame(line, other) for other in rest) for line in theirs)


def is_whole(stack):
    """Returns whether a stack reaches the first function of its thread."""
    return bool(stack) and ROOT.search(stack[-1]) is not None


def compare(theirs, ours, unwound=False):
    """Returns the number of samples in each text, of equal samples, and of samples whose whole
    stack only inferno unwound, and the first sample with another difference. perf's unwinder finds
    wrong callers in some functions of libc and ld.so; such a stack does not end in the first
    function of a thread."""
    left, right = list(samples(theirs)), list(samples(ours))
    same, only_ours, odd = 0, 0, None
    for a, b in zip(left, right):
        if same_leaf(a[0], b[0]) and same_stack(a[1], b[1], unwound):
            same += 1
        elif unwound and same_leaf(a[0], b[0]) and is_whole(b[1]) and not is_whole(a[1]):
            only_ours += 1
        elif odd is None:
            odd = (a, b)
    return len(left), len(right), same, only_ours, odd
