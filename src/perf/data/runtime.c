/* Recognise runtimes that generate code. */
#include "perf/data/runtime.h"

#include "base/num.h"

/** Starts of the names of each runtime's files. After a start that ends in a full stop, a file name
 * has the minor version. */
static const char *const files[RUNTIMES] = {
	[RUNTIME_NODE] = "node nodejs libnode.so",
	[RUNTIME_JAVA] = "libjvm.so java",
	[RUNTIME_PYTHON] = "python3. libpython3.",
	[RUNTIME_DOTNET] = "libcoreclr.so dotnet",
};

/** Return the number at the start of a text. If the text does not start with a number, return 0. */
static unsigned runtime_number_of(struct str text) {
	enum { DIGITS = 4 };
	size_t n = 0;
	uint64_t number = 0;
	while (n < text.n && n < DIGITS && is_digit(text.p[n])) {
		n++;
	}
	return num_parse_u64(str_to(text, n), &number) ? (unsigned)number : 0;
}

static bool runtime_belongs(enum runtime runtime, struct str name, unsigned *minor) {
	struct str rest = str_of(files[runtime]), start;
	while ((start = str_next_word(&rest)).n > 0) {
		bool versioned = str_ends(start, STR("."));
		if (!str_starts(name, start)) {
			continue;
		}
		*minor = versioned ? runtime_number_of(str_from(name, start.n)) : 0;
		if (*minor > 0 ||
		    (!versioned && (name.n == start.n || str_ends(start, STR(".so"))))) {
			return true;
		}
	}
	return false;
}

enum runtime runtime_of(struct str file, unsigned *minor) {
	size_t slash = str_find_last(file, '/');
	struct str name = slash == STR_NONE ? file : str_from(file, slash + 1);
	for (enum runtime runtime = 0; runtime < RUNTIMES; runtime++) {
		if (runtime_belongs(runtime, name, minor)) {
			return runtime;
		}
	}
	*minor = 0;
	return RUNTIMES;
}

void runtime_advise(enum runtime runtime, unsigned minor, struct buf *text) {
	static const char *const advice[RUNTIMES] = {
		[RUNTIME_NODE] = "restart node with NODE_OPTIONS=--perf-basic-prof, or start it "
				 "with: inferno record -- node",
		[RUNTIME_JAVA] = "while Java runs: jcmd PID Compiler.perfmap, from Java 17 on; or "
				 "start it with: inferno record -- java",
		[RUNTIME_PYTHON] = "restart Python with -X perf, or have it call "
				   "sys.activate_stack_trampoline(\"perf\")",
		[RUNTIME_DOTNET] = "restart .NET with DOTNET_PerfMapEnabled=1, or start it with: "
				   "inferno record --",
	};
	if (runtime == RUNTIME_PYTHON && minor < runtime_first_python()) {
		buf_printf(text,
			   "Python 3.%u has no perf support, which came with 3.%u: use that, or a "
			   "later one",
			   minor, runtime_first_python());
	} else {
		buf_add_text(text, advice[runtime]);
	}
}
