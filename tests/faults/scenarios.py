"""The runs in which calls fail: a scenario for each way to use a command, and the files that they read."""
import gzip
import json
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
GOLDEN = os.path.join(os.path.dirname(HERE), "golden")
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "perfdata"))
from recording import KERNEL, USER, IN_KERNEL, Recording  # noqa: E402

KERNEL_TEXT, CODE, DUMPED = 0xFFFFFFFF81000000, 0x70000000, 0x1000
LIBRARIES = {"plain": 0x7F0000000000, "stripped": 0x7F0000100000, "packed": 0x7F0000200000}


class Scenario:
    """A run of inferno in a new folder, which gets `files` before. `input` is a file for standard input. With `samples`, the results
    differ from run to run. `running` is a command that runs during the run of inferno; PID in an argument means its process.
    `always` lists the kinds of faults that are always tested, as CALL and HOW."""

    def __init__(self, name, *args, input=None, files=(), env=None, samples=False, status=0, running=None, always=(), weight=1):
        self.name, self.args, self.input, self.files = name, args, input, files
        self.env, self.samples, self.status, self.running = dict(env or {}), samples, status, running
        self.always, self.weight = always, weight


def run(*command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, check=True, **options).stdout


def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data if isinstance(data, bytes) else data.encode())


def samples(n, depth=12, step=1):
    """Returns text of perf script."""
    lines = []
    for i in range(0, n, step):
        lines.append("app%d 1/%d [003] 10.5: %d cycles:u: " % (i % 7, i % 5, i % 11 + 1))
        lines += ["\t%16x f%d+0x%x (/bin/m)" % (i * 64 + d, (i * 31 + d) % 97, d) for d in range(i % depth + 1)]
        lines.append("")
    return "\n".join(lines) + "\n"


def folded(n, seed=0):
    names = sorted(";".join("f%d" % ((i * (31 + seed) + d * d) % 89) for d in range(i % 9 + 1)) for i in range(n))
    return "".join("%s %d\n" % (name, i % 13 + 1) for i, name in enumerate(dict.fromkeys(names)))


def make_symbols(folder):
    """Makes a recording with a frame of each kind of file that names come from, and these files below `root`. Returns whether that can
    be done here."""
    root, compiler = os.path.join(folder, "root"), os.environ.get("CC", "cc").split()
    source = os.path.join(os.path.dirname(HERE), "symbols", "small_library.c")
    tools = [compiler[0], "nm", "objcopy", "strip", "xz"]
    if any(shutil.which(tool) is None for tool in tools):
        return False
    recording = Recording()
    recording.map("[kernel.kallsyms]_text", KERNEL_TEXT, 0x1000000, KERNEL_TEXT, pid=-1, mode=IN_KERNEL).comm("app")
    os.makedirs(root)
    time, frames = 1000, []
    for name, start in LIBRARIES.items():
        path = os.path.join(root, name + ".so")
        run(*compiler, "-shared", "-fPIC", "-g", "-O2", source, "-o", path)
        symbols = dict(line.split()[::-2] for line in run("nm", path).decode().splitlines() if len(line.split()) == 3)
        recording.map("/%s.so" % name, start, 0x10000)
        frames += [start + int(symbols[function], 16) + 4 for function in ("sample_add", "compare", "sample_copy")]
        if name == "stripped":
            run("objcopy", "--only-keep-debug", path, path + ".debug")
            run("strip", "-s", path)
            run("objcopy", "--add-gnu-debuglink=" + path + ".debug", path)
        elif name == "packed":
            small = path + ".small"
            shutil.copy(path, small)
            run("strip", "--strip-debug", small)
            run("xz", small)
            run("strip", "-s", path)
            run("objcopy", "--add-section", ".gnu_debugdata=" + small + ".xz", path)
            os.unlink(small + ".xz")
    write(os.path.join(root, "tmp", "perf-10.map"), "%x 100 made_at_run_time\n%x 100 made_later\n" % (CODE, CODE + 0x100))
    shutil.copy(os.path.join(os.path.dirname(HERE), "fuzz", "corpus", "symbols", "sample.dump"), os.path.join(root, "tmp", "jit-11.dump"))
    write(os.path.join(folder, "kallsyms"), "".join("%x T %s\n" % (KERNEL_TEXT + 0x1000 * i, name)
                                                   for i, name in enumerate(["_text", "sys_one", "sys_two", "_etext"])))
    recording.map("//anon", CODE, 0x1000)
    frames += [CODE + 4, CODE + 0x104]
    for frame in frames:  # the first frame has nearly all of the weight, so that no warning names the others
        time += 1000
        recording.sample(time, [KERNEL, KERNEL_TEXT + 0x1004, USER, frame], mode=IN_KERNEL)
        recording.sample(time + 1, [USER, frame], period=100000 if frame == frames[0] else 1)
    recording.comm("node", 11).map("/tmp/jit-11.dump", 0x50000000, 0x1000, pid=11).map("//anon", DUMPED, 0x1000, pid=11)
    for at in (DUMPED + 4, DUMPED + 0x14):
        time += 1000
        recording.sample(time, [USER, at], pid=11)
    write(os.path.join(folder, "symbols.data"), recording.round().bytes())
    return True


def make_fetched(folder):
    """Makes a recording of a library without names. Its debug file is in a folder that replaces a debuginfod server. Returns whether
    that can be done here."""
    if any(shutil.which(tool) is None for tool in ("nm", "objcopy", "strip", "readelf")):
        return False
    path = os.path.join(folder, "fetched.so")
    run(*os.environ.get("CC", "cc").split(), "-shared", "-fPIC", "-g", "-O2", "-Wl,--build-id", os.path.join(os.path.dirname(HERE), "symbols", "small_library.c"), "-o", path)
    symbols = dict(line.split()[::-2] for line in run("nm", path).decode().splitlines() if len(line.split()) == 3)
    build_id = run("readelf", "-n", path).decode().partition("Build ID: ")[2].split()[0]
    os.makedirs(os.path.join(folder, "server", "buildid", build_id))
    run("objcopy", "--only-keep-debug", path, os.path.join(folder, "server", "buildid", build_id, "debuginfo"))
    run("strip", "-s", path)
    recording = Recording().comm("app").map(path, 0x7F0000000000, 0x10000)
    for i, function in enumerate(("sample_add", "compare", "sample_copy")):
        recording.sample(1000 + i, [USER, 0x7F0000000000 + int(symbols[function], 16) + 4])
    write(os.path.join(folder, "fetched.data"), recording.round().bytes())
    return True


def program(path, text):
    """Writes a shell script that replaces another program."""
    write(path, "#!/bin/sh\n" + text)
    os.chmod(path, 0o755)


def make_programs(folder, busy):
    """Writes programs that replace sudo, perf and cargo. The latter has built BUSY."""
    package = {"name": "app", "version": "1", "id": "app", "targets": [{"name": "app", "kind": ["bin"]}]}
    built = {"reason": "compiler-artifact", "package_id": "app", "target": package["targets"][0], "profile": {"test": False}, "executable": busy}
    write(os.path.join(folder, "cargo.metadata"), json.dumps({"packages": [package], "workspace_root": folder}))
    write(os.path.join(folder, "cargo.build"), json.dumps(built) + "\n")
    write(os.path.join(folder, "Cargo.toml"), "[profile.release]\nopt-level = 3\ndebug = 'none'\n")
    program(os.path.join(folder, "cargo"), "case $1 in metadata) cat '%s/cargo.metadata' ;; *) cat '%s/cargo.build' ;; esac\n" % (folder, folder))
    program(os.path.join(folder, "sudo"), "while [ \"$1\" != -- ]; do shift; done\nshift\nexec \"$@\"\n")
    program(os.path.join(folder, "perf"), "while [ $# -gt 0 ]; do case $1 in -o) cp '%s' \"$2\" ;; esac; shift; done\n"
            % os.path.join(GOLDEN, "collapse-perf/perf-data.in"))


def make_inputs(folder):
    """Writes the files that scenarios read."""
    write(os.path.join(folder, "small.perf"), samples(40))
    write(os.path.join(folder, "large.perf"), samples(12000))
    write(os.path.join(folder, "small.perf.gz"), gzip.compress(samples(4000).encode()))
    write(os.path.join(folder, "small.perf.zst"), run("zstd", "-q", "-c", os.path.join(folder, "large.perf"))) if shutil.which("zstd") else None
    for i in range(3):
        write(os.path.join(folder, "part%d.folded" % i), folded(3000 + 100 * i, i))
    write(os.path.join(folder, "shuffled.folded"), "".join(sorted(folded(3000).splitlines(True), key=lambda line: line[::-1])))
    write(os.path.join(folder, "attributes"), "f1\thref=https://example.org/\tclass=one\nf2\ttitle=two\n")
    write(os.path.join(folder, "rules"), "# names\nf1([0-9]) => g\\1\nf2 =>\n")
    write(os.path.join(folder, "palette.map"), "f1->rgb(1,2,3)\nf2->rgb(4,5,6)\n")
    write(os.path.join(folder, "flamegraph.svg"), "not written by inferno\n")
    write(os.path.join(folder, "tree", "one", "two", "file"), "x" * 1000)
    write(os.path.join(folder, "tree", "three", "file"), "x" * 500)
    write(os.path.join(folder, "tree", "file"), "x" * 100)


def golden_input(format):
    """Returns an input of a format: the largest valid one."""
    folder = os.path.join(GOLDEN, "collapse-" + format)
    cases = [name[:-3] for name in sorted(os.listdir(folder)) if name.endswith(".in")] if os.path.isdir(folder) else []
    good = [case for case in cases if not any(os.path.exists(os.path.join(folder, case + end)) for end in (".args", ".exit", ".err"))]
    return max((os.path.join(folder, case + ".in") for case in good), key=os.path.getsize, default=None)


def reading(at):
    """Scenarios of the commands that read profiles. `at` has the path of an input."""
    recording, after = (os.path.join(GOLDEN, name) for name in ("collapse-perf/perf-data.in", "collapse-perf/perf-data-events.in"))
    yield Scenario("collapse perf", "collapse", "perf", at("small.perf"), "-o", "out.folded")
    yield Scenario("collapse perf, standard input", "collapse", "perf", input=at("small.perf"))
    yield Scenario("collapse perf, threads", "collapse", "perf", "-n", "4", at("large.perf"))
    yield Scenario("collapse guess, gzip", "collapse", "guess", at("small.perf.gz"), "-o", "out.folded.gz")
    yield Scenario("collapse guess, zstd", "collapse", "guess", at("small.perf.zst"), "-o", "out.folded.zst")
    yield Scenario("collapse perf, recording", "collapse", "perf", recording)
    yield Scenario("collapse perf, recording through a pipe", "collapse", "perf", os.path.join(GOLDEN, "collapse-perf/perf-data-pipe.in"))
    yield Scenario("collapse perf, packed recording", "collapse", "perf", os.path.join(GOLDEN, "collapse-perf/perf-data-zstd.in"))
    yield Scenario("collapse files", "collapse", "files", at("tree"))
    yield Scenario("diff", "diff", at("part0.folded"), at("part1.folded"))
    yield Scenario("diff, recordings", "diff", recording, after)
    yield Scenario("diff, picture and report", "diff", "--svg", "out.svg", "--report", "-o", "out.txt", at("part0.folded"), at("part1.folded"))
    yield Scenario("diff, page", "diff", "--svg", "out.html", at("small.perf"), at("small.perf.gz"))
    yield Scenario("diff, condition", "diff", "--fail-if", "total(f1) > 1", at("part0.folded"), at("part1.folded"), status=5)
    yield Scenario("flamegraph", "flamegraph", at("part0.folded"), "-o", "out.svg")
    yield Scenario("flamegraph, standard input", "flamegraph", input=at("shuffled.folded"))
    yield Scenario("flamegraph, threads", "flamegraph", "-n", "4", at("shuffled.folded"), at("part1.folded"))
    yield Scenario("flamegraph, page", "flamegraph", recording, "-o", "out.html")
    yield Scenario("flamegraph, palette", "flamegraph", "--cp", at("part0.folded"), "-o", "out.svg", files=["palette.map"])
    yield Scenario("flamegraph, attributes", "flamegraph", "--nameattr", at("attributes"), at("part0.folded"), "-o", "out.svg")
    yield Scenario("convert", "convert", "--format", "speedscope", at("part0.folded"), at("small.perf.gz"), "-o", "out.speedscope.json")
    yield Scenario("convert, packed", "convert", at("part0.folded"), "-o", "out.pb.gz")
    yield Scenario("merge", "merge", at("part0.folded"), at("part1.folded"), at("part2.folded"), "-o", "out.folded")
    yield Scenario("merge, formats", "merge", "--memory", "16M", at("small.perf.gz"), recording, at("shuffled.folded"))
    yield Scenario("filter", "filter", "--rules", at("rules"), "--rename", "f3 => h", "--hide", "f5", "--min-share", "1", at("part0.folded"), "-o", "out.folded")
    yield Scenario("filter, formats", "filter", "--focus", "f1", "--trim", "f7", at("small.perf"))
    yield Scenario("merge, labels", "merge", "--label", "all=1", "--label-from-name", "(p)art.", at("part0.folded"), at("part1.folded"))
    yield Scenario("script", "script", recording)
    yield Scenario("doctor", "doctor")


def speaking():
    """Scenarios of the commands that only print."""
    yield Scenario("formats", "formats", weight=0.3)
    yield Scenario("commands", "commands", weight=0.3)
    yield Scenario("help", "help", "flamegraph", weight=0.3)
    yield Scenario("manpage", "manpage", "record", weight=0.3)
    yield Scenario("completions", "completions", "bash", weight=0.3)
    yield Scenario("version", "version", weight=0.3)


def naming(at):
    """Scenarios of recordings with names from every kind of file."""
    where = ("--symfs", at("root"), "--kallsyms", at("kallsyms"))
    yield Scenario("collapse perf, names", "collapse", "perf", *where, at("symbols.data"), always=["read EIO", "open EMFILE"], weight=4)
    yield Scenario("collapse perf, no inlined functions", "collapse", "perf", "--no-inline", *where, at("symbols.data"), weight=3)
    yield Scenario("script, names", "script", "-F", "+srcline", *where, at("symbols.data"), weight=2)
    yield Scenario("record, recording of perf", "record", "--perfdata", at("symbols.data"), "--post-process", "sed s/f1/g1/", "-o", "out.folded", weight=2)


def keeping(at):
    """Scenarios in which a file of another user is in the way."""
    yield Scenario("record, another file of that name", "record", "--perfdata", at("symbols.data"), files=["flamegraph.svg"], status=1, always=["read EIO", "open EMFILE"], weight=0.3)


def sampling(busy, calls):
    """Scenarios of the sampler."""
    yield Scenario("record, frame pointers", "record", "--call-graph", "fp", "-o", "out.folded", busy, "0.1", samples=True, weight=2)
    yield Scenario("record, unwound", "record", "-o", "out.folded", "-o", "out.svg", busy, "0.1", samples=True, weight=2)
    yield Scenario("record, in the kernel", "record", "-o", "out.folded", calls, "0.1", samples=True, weight=2)
    yield Scenario("record, recording", "record", "-o", "out.data", calls, "0.1", samples=True)
    yield Scenario("record, a running process", "record", "--pid", "PID", "--duration", "0.2", "-o", "out.folded", running=[busy, "100"], samples=True)
    yield Scenario("record, all processes", "record", "--all-cpus", "--duration", "0.2", "-o", "out.folded", running=[calls, "100"], samples=True)
    yield Scenario("record, wall", "record", "--wall", "--repeat", "2", "-o", "out.folded", busy, "0.05", samples=True)
    yield Scenario("record, page", "record", "--call-graph", "fp", "--post-process", "cat", "-o", "out.html", "-o", "out.folded", busy, "0.1", samples=True)


def helping(at, busy, calls):
    """Scenarios in which other programs help: sudo, perf and cargo."""
    path = {"PATH": os.path.dirname(at("sudo")) + ":" + os.environ["PATH"]}
    yield Scenario("record, by root's helper", "record", "--root", "-e", "cpu-clock", "-o", "out.folded", "--", calls, "0.1", env=path, samples=True, weight=2)
    yield Scenario("record, by perf", "record", "--backend", "perf", "-o", "out.folded", "--", "true", env={"PERF": at("perf")}, weight=2)
    yield Scenario("cargo flamegraph", "cargo-flamegraph", "-o", "out.folded", "--", "0.1", env={"CARGO": at("cargo")}, samples=True, weight=2)


def fetching(at):
    """Yields a scenario of a debug file from a server."""
    server = {"DEBUGINFOD_URLS": "file://" + at("server"), "DEBUGINFOD_CACHE_PATH": "cache"}
    yield Scenario("collapse perf, a fetched debug file", "collapse", "perf", "--debuginfod", at("fetched.data"), env=server, weight=2)


def formats(inferno):
    """Yields a scenario for each format of the list."""
    for line in run(inferno, "commands").decode().splitlines():
        format = line[len("collapse-"):]
        if line.startswith("collapse-") and " " not in line and golden_input(format):
            yield Scenario("collapse " + format + ", a case", "collapse", format, golden_input(format), weight=1)


def can_sample(inferno):
    return subprocess.run([inferno, "doctor"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def all_scenarios(inferno, programs, folder):
    """Returns the scenarios, and those that are left out, with the reason."""
    def at(name):
        return os.path.join(folder, name)
    make_inputs(folder)
    found, left_out = [*reading(at), *speaking(), *formats(inferno)], []
    if not os.path.exists(at("small.perf.zst")):
        found = [one for one in found if at("small.perf.zst") not in one.args]
        left_out.append(("packed by zstd", "zstd is not here"))
    if make_symbols(folder):
        found += [*naming(at), *keeping(at)]
    else:
        left_out.append(("names from every kind of file", "a compiler, binutils or xz is not here"))
    if make_fetched(folder):
        found += fetching(at)
    else:
        left_out.append(("a fetched debug file", "binutils are not here"))
    if len(programs) < 2 or not can_sample(inferno):
        left_out.append(("record", "programs cannot be sampled here"))
    else:
        make_programs(folder, programs[0])
        found += [*sampling(*programs), *helping(at, *programs)]
    return found, left_out
