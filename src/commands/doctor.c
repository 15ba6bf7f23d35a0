/* The command doctor: check whether programs can be sampled here, and how to fix it. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/cannot_run.h"
#include "base/process.h"
#include "base/read.h"
#include "commands/command.h"
#include "perf/data/runtime.h"
#include "record/counters.h"
#include "record/proc.h"
#include "record/rings.h"
#include "symbols/elf_symbols.h"
#include "symbols/file.h"
#include "symbols/gopclntab.h"
#include "symbols/dynlib.h"

enum doctor_verdict { OK, NOTE, BAD };

struct doctor {
	struct output *out;
	struct buf text; // scratch memory
};

/** Add a line with a finding. */
__attribute__((format(printf, 3, 4))) static void
doctor_found(struct doctor *doctor, enum doctor_verdict verdict, const char *format, ...) {
	static const char *const heads[] = {"ok    ", "note  ", "bad   "};
	va_list args;
	va_start(args, format);
	buf_clear(&doctor->text);
	buf_vprintf(&doctor->text, format, args);
	va_end(args);
	output_add_text(doctor->out, heads[verdict]);
	output_add_str(doctor->out, buf_str(&doctor->text));
	output_add_char(doctor->out, '\n');
}

/** Add a line that says how to fix a problem. */
__attribute__((format(printf, 2, 3))) static void doctor_mend(struct doctor *doctor,
							      const char *format, ...) {
	va_list args;
	va_start(args, format);
	buf_clear(&doctor->text);
	buf_vprintf(&doctor->text, format, args);
	va_end(args);
	output_add_text(doctor->out, "      mend: ");
	output_add_str(doctor->out, buf_str(&doctor->text));
	output_add_char(doctor->out, '\n');
}

/* --- Permission ----------------------------------------------------------------------------- */

/** Return a field of /proc/self/status, such as "CapEff:", as a number. */
static uint64_t doctor_own_status(const char *field, int base) {
	struct buf status = {0};
	proc_read("/proc/self/status", &status);
	size_t at = str_find_str(buf_str(&status), str_of(field));
	uint64_t value =
		at == STR_NONE ? 0 : strtoull(buf_text(&status) + at + strlen(field), NULL, base);
	buf_release(&status);
	return value;
}

static long long doctor_paranoid(void) {
	return (long long)proc_setting("/proc/sys/kernel/perf_event_paranoid", 2);
}

/** Check whether the kernel's own code can be sampled. */
static void doctor_check_kernel(struct doctor *doctor, const struct counters *counters) {
	if (!counters->attrs[0].exclude_kernel) {
		doctor_found(doctor, OK, "the kernel can be sampled");
		return;
	}
	char self[4096];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self));
	doctor_found(
		doctor, NOTE,
		"the kernel cannot be sampled: its time is one frame, [kernel, not permitted]");
	doctor_mend(doctor, "sudo sysctl kernel.perf_event_paranoid=1");
	if (n > 0 && (size_t)n < sizeof(self)) {
		doctor_mend(doctor, "or, for this program alone: sudo setcap cap_perfmon=ep '%.*s'",
			    (int)n, self);
	}
}

static void doctor_check_hardware(struct doctor *doctor, const struct counters *counters) {
	bool hardware = counters->attrs[0].type == PERF_TYPE_HARDWARE;
	doctor_found(doctor, hardware ? OK : NOTE, "%s",
		     hardware ? "a hardware counter samples cycles"
			      : "no hardware counter takes samples, as in most virtual machines: "
				"cpu-clock is sampled instead of cycles");
}

/** Check how much memory the kernel gives for samples with copies of stacks. Return false if the
 * kernel gives none. */
static bool doctor_check_memory(struct doctor *doctor, struct counters *counters) {
	enum { WANTED = 4 << 20, KIB = 1 << 10 };
	struct rings rings = {0};
	struct rlimit limit = {0};
	getrlimit(RLIMIT_MEMLOCK, &limit);
	bool mapped = rings_map(&rings, counters) == 0;
	long long each = (long long)proc_setting("/proc/sys/kernel/perf_event_mlock_kb", 0);
	if (mapped && rings.wanted >= WANTED) {
		doctor_found(doctor, OK, "the kernel gives enough memory for samples");
	} else {
		doctor_found(
			doctor, mapped ? NOTE : BAD,
			"the kernel gives %zu KiB for the samples of each processor instead of %d, "
			"so samples may be lost (kernel.perf_event_mlock_kb is %lld, 'ulimit -l' "
			"is %llu KiB)",
			mapped ? rings.wanted / KIB : 0, WANTED / KIB, each,
			(unsigned long long)limit.rlim_cur / KIB);
		doctor_mend(doctor, "sudo sysctl kernel.perf_event_mlock_kb=%zu",
			    (WANTED + (size_t)sysconf(_SC_PAGESIZE)) / KIB);
	}
	rings_release(&rings);
	return mapped;
}

/** Report a security policy that may prevent samples. */
static void doctor_check_policy(struct doctor *doctor) {
	if (doctor_own_status("Seccomp:\t", 10) != 0) {
		doctor_found(doctor, NOTE,
			     "this process runs under a seccomp filter, as in most containers");
	}
}

/** Try to sample this process, or all processes. Return whether sampling is possible. If sampling
 * is not possible, set `problem` to the reason. */
static bool doctor_try_sampling(struct doctor *doctor, bool everything, struct buf *problem) {
	static char nothing[] = "";
	char *const program[] = {nothing, NULL}; // the program, which is not run
	struct record_events events = {0};
	const struct record_options options = {
		.rate = 1,
		.events = &events,
		.program = everything ? NULL : program,
		.chains = record_copies_stacks() ? RECORD_DWARF : RECORD_FRAME_POINTERS,
		.stack_size = 8};
	struct diag diag = {0};
	struct counters counters;
	record_events_add_usual(&events);
	bool can = counters_init(&counters, &options, &diag) == 0 &&
		   counters_add(&counters, everything ? -1 : 0) == 0;
	buf_add_str(problem, buf_str(&diag.error));
	if (can && !everything) {
		doctor_found(doctor, OK,
			     "programs can be sampled (kernel.perf_event_paranoid is %lld)",
			     doctor_paranoid());
		doctor_check_kernel(doctor, &counters);
		doctor_check_hardware(doctor, &counters);
		can = doctor_check_memory(doctor, &counters);
	}
	counters_release(&counters);
	record_events_release(&events);
	diag_release(&diag);
	return can;
}

static bool doctor_check_sampling(struct doctor *doctor) {
	struct buf problem = {0};
	bool can = doctor_try_sampling(doctor, false, &problem);
	if (problem.n > 0) {
		doctor_found(doctor, BAD, "%s", buf_text(&problem));
		doctor_check_policy(doctor);
	} else if (can) {
		bool all = doctor_try_sampling(doctor, true, &problem);
		doctor_found(doctor, all ? OK : NOTE, "%s",
			     all ? "all processes can be sampled (--all-cpus)"
				 : buf_text(&problem));
	}
	buf_release(&problem);
	return can;
}

/* --- Limits and names ----------------------------------------------------------------------- */

static void doctor_check_rate(struct doctor *doctor) {
	enum { USUAL = 997 };
	long long most =
		(long long)proc_setting("/proc/sys/kernel/perf_event_max_sample_rate", 100000);
	doctor_found(
		doctor, most < USUAL ? NOTE : OK,
		"the kernel takes up to %lld samples a second (kernel.perf_event_max_sample_rate)",
		most);
	if (most < USUAL) {
		doctor_mend(doctor, "sudo sysctl kernel.perf_event_max_sample_rate=100000");
	}
}

/** Check how many threads of running processes can be sampled: each thread takes an open file for
 * each processor. */
static void doctor_check_files(struct doctor *doctor) {
	enum { OTHERS = 32, MANY_THREADS = 100 };
	struct rlimit limit = {0};
	getrlimit(RLIMIT_NOFILE, &limit);
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned long long files = limit.rlim_cur == RLIM_INFINITY ? INT32_MAX : limit.rlim_cur;
	unsigned long long each = processors < 1 ? 1 : (unsigned long long)processors;
	unsigned long long threads = files > OTHERS ? (files - OTHERS) / each : 0;
	doctor_found(doctor, threads < MANY_THREADS ? NOTE : OK,
		     "%llu open files are enough to sample %llu threads with --pid ('ulimit -n')",
		     files, threads);
	if (threads < MANY_THREADS) {
		doctor_mend(doctor, "ulimit -n %llu", OTHERS + MANY_THREADS * each);
	}
}

static void doctor_check_kernel_symbols(struct doctor *doctor) {
	enum { FIRST_LINE = 64 };
	long long restricted = (long long)proc_setting("/proc/sys/kernel/kptr_restrict", 0);
	struct buf symbols = {0};
	proc_read("/proc/kallsyms", &symbols);
	bool shown = symbols.n > FIRST_LINE && strtoull(buf_text(&symbols), NULL, 16) != 0;
	buf_release(&symbols);
	doctor_found(doctor, shown ? OK : NOTE,
		     "the kernel's symbols can%s be read (kernel.kptr_restrict is %lld)",
		     shown ? "" : "not", restricted);
	if (!shown && restricted > 0) {
		doctor_mend(doctor, "sudo sysctl kernel.kptr_restrict=0");
	}
	if (!shown && doctor_paranoid() > 1) {
		doctor_mend(doctor, "sudo sysctl kernel.perf_event_paranoid=1");
	}
}

/** Report the libraries that are missing. */
static void doctor_check_libraries(struct doctor *doctor) {
	static const struct dynlib_function none[] = {DYNLIB_END};
	static struct {
		struct dynlib_library library;
		const char *gives;
	} wanted[] = {{{"libdw.so.1", none, false, false}, "inlined functions and source lines"},
		      {{"liblzma.so.5", none, false, false}, "symbols packed by xz"}};
	for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
		if (!dynlib_load(&wanted[i].library)) {
			doctor_found(doctor, NOTE, "%s cannot be loaded: %s are left out",
				     wanted[i].library.file, wanted[i].gives);
			doctor_mend(doctor, "install the package that has %s",
				    wanted[i].library.file);
		}
	}
	if (!dynlib_can_load()) {
		doctor_found(doctor, NOTE,
			     "this program is static: it cannot load libdebuginfod.so.1, so "
			     "--debuginfod fetches nothing");
	}
}

/* --- A program ------------------------------------------------------------------------------ */

/** Return whether a file, or its separate debug file, has a section with bytes. */
static bool doctor_has_section(const struct file *file, struct str name) {
	static const struct symbols_options options = {.debug_dir = STR_INIT("/usr/lib/debug")};
	const struct elf_section *section = elf_section(&file->elf, name);
	if (section != NULL && section->type != SHT_NOBITS) {
		return true;
	}
	const struct object_file wanted = {.path = str_of(file->path), .build_id = file->build_id};
	struct file *debug = find_debug(&options, &wanted, file, name);
	file_free(debug);
	return debug != NULL;
}

/** How to build programs with names and debug information: for C and C++, and for languages that
 * differ from C. */
enum language { LANGUAGE_OTHER, LANGUAGE_GO, LANGUAGE_RUST };

static const struct remedies {
	// remedies for missing names, debug information, build-ids and unwind tables
	const char *names, *inlined, *build_id, *tables;
} remedies_of[] = {
	[LANGUAGE_OTHER] = {"install its debug symbols, or build it without -s and strip",
			    "install its debug symbols, or build it with -g",
			    "build it with -Wl,--build-id",
			    "build it with -fasynchronous-unwind-tables"},
	[LANGUAGE_GO] = {"build it with Go 1.2 or later", "build it without -w and -s in -ldflags",
			 NULL, NULL},
	[LANGUAGE_RUST] = {"strip = false in [profile.release] of Cargo.toml, or "
			   "CARGO_PROFILE_RELEASE_STRIP=false",
			   "debug = true, without strip, in [profile.release] of Cargo.toml, or "
			   "CARGO_PROFILE_RELEASE_DEBUG=true",
			   "RUSTFLAGS=-Clink-arg=-Wl,--build-id",
			   "RUSTFLAGS=-Cforce-unwind-tables=yes"},
};

/** Return the language that most of a program was compiled from. */
static enum language doctor_language_of(const struct elf *elf) {
	struct str compilers = elf_data(elf, elf_section(elf, STR(".comment")));
	struct str constants = elf_data(elf, elf_section(elf, STR(".rodata")));
	// The texts /rustc/ and /rustc- occur in the messages of Rust's library.
	bool rust = str_has(compilers, STR("rustc version")) ||
		    str_has(constants, STR("/rustc/")) || str_has(constants, STR("/rustc-"));
	return gopclntab_is_go(elf) ? LANGUAGE_GO : rust ? LANGUAGE_RUST : LANGUAGE_OTHER;
}

/** Return whether a program has Go's table of functions. */
static bool doctor_has_go_functions(const struct elf *elf) {
	struct table table = {0};
	struct arena arena = {0};
	gopclntab_add(elf, &arena, &table);
	bool any = table.n > 0;
	table_release(&table);
	arena_release(&arena);
	return any;
}

/** Return whether a unit belongs to Rust's library, in the build of the Rust project or of a
 * distribution. */
static bool doctor_is_rust_library(struct str name) {
	static const char *const folders[] = {"/rustc/", "/rust/deps/", "/usr/src/rustc-",
					      "library/", "vendor/"};
	bool is_library = false;
	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++) {
		is_library |= str_starts(name, str_of(folders[i]));
	}
	return is_library;
}

/** Return whether a Rust program has debug information of its own code. All Rust programs have
 * debug information of Rust's library. Units are named as in "src/main.rs/@/main.5f1c-cgu.0". */
static bool doctor_has_rust_units(const struct elf *elf) {
	const struct elf_section *section = elf_section(elf, STR(".debug_str"));
	struct str texts = elf_data(elf, section);
	bool own = texts.n == 0 && section != NULL; // a compressed section: not known
	for (size_t at; !own && (at = str_find_str(texts, STR("/@/"))) != STR_NONE;) {
		size_t start = at;
		while (start > 0 && texts.p[start - 1] != '\0') {
			start--;
		}
		own = !doctor_is_rust_library(str_from(texts, start));
		texts = str_from(texts, at + 1);
	}
	return own;
}

/** Return whether the inlined functions of a program have names. */
static bool doctor_has_inlined(const struct file *file, enum language language) {
	bool any = doctor_has_section(file, STR(".debug_info")) ||
		   doctor_has_section(file, STR(".zdebug_info"));
	bool own = elf_section(&file->elf, STR(".debug_info")) != NULL;
	return any && (language != LANGUAGE_RUST || !own || doctor_has_rust_units(&file->elf));
}

static void doctor_check_names(struct doctor *doctor, const struct file *file, const char *remedy) {
	bool missing = false;
	bool symbols = doctor_has_section(file, STR(".symtab"));
	struct file *packed = symbols ? NULL : file_packed_symbols(file, &missing);
	if (packed != NULL || symbols) {
		doctor_found(doctor, OK, "its functions have names");
	} else if (doctor_has_go_functions(&file->elf)) {
		doctor_found(doctor, OK, "it is stripped, but Go keeps the names of its functions");
	} else {
		doctor_found(doctor, NOTE,
			     "it is stripped: only functions that it exports have names");
		doctor_mend(doctor, "%s", remedy);
	}
	file_free(packed);
}

static void doctor_check_symbols(struct doctor *doctor, const struct file *file,
				 enum language language) {
	const struct remedies *remedies = &remedies_of[language];
	doctor_check_names(doctor, file, remedies->names);
	if (doctor_has_inlined(file, language)) {
		doctor_found(doctor, OK, "its inlined functions have names");
	} else {
		doctor_found(doctor, NOTE,
			     "it has no debug information: inlined functions are not shown");
		doctor_mend(doctor, "%s", remedies->inlined);
	}
	if (file->build_id.size == 0 && remedies->build_id != NULL) {
		doctor_found(doctor, NOTE,
			     "it has no build-id, by which its debug symbols are found");
		doctor_mend(doctor, "%s", remedies->build_id);
	}
}

/** Return whether a function keeps a frame pointer: it sets %rbp to %rsp near its start. */
static bool doctor_sets_frame_pointer(struct str code) {
	static const struct str moves[] = {STR_INIT("\x48\x89\xe5"), STR_INIT("\x48\x8b\xec")};
	enum { NEAR = 48 };
	struct str start = str_to(code, code.n < NEAR ? code.n : NEAR);
	return str_find_str(start, moves[0]) != STR_NONE ||
	       str_find_str(start, moves[1]) != STR_NONE;
}

/** Return the percentage of functions that keep frame pointers, or -1 if the percentage is not
 * known. */
static int doctor_frame_pointers(const struct elf *elf) {
	enum { SMALL = 16 };
	const struct elf_starts starts = elf_starts(elf);
	size_t functions = 0, with = 0;
	for (size_t i = 1; elf->machine == EM_X86_64 && i < starts.n; i++) {
		uint64_t start = elf_start(&starts, i - 1), next = elf_start(&starts, i);
		struct str code = next < start ? STR("") : elf_bytes_at(elf, start, next - start);
		if (next >= start + SMALL && next - start <= code.n) {
			functions++;
			with += doctor_sets_frame_pointer(code);
		}
	}
	return functions == 0 ? -1 : (int)(100 * with / functions);
}

static void doctor_check_stacks(struct doctor *doctor, const struct file *file,
				const char *remedy) {
	int with = doctor_frame_pointers(&file->elf);
	if (with >= 0) {
		doctor_found(doctor, OK, "%d %% of its functions keep frame pointers", with);
	}
	if (doctor_has_section(file, STR(".eh_frame")) ||
	    doctor_has_section(file, STR(".debug_frame"))) {
		doctor_found(doctor, OK, "its stacks can be unwound");
	} else if (remedy == NULL) {
		doctor_found(doctor, OK,
			     "its functions keep frame pointers, as all that Go compiles do");
	} else {
		doctor_found(doctor, NOTE, "it has no tables to unwind its stacks with");
		doctor_mend(doctor, "%s", remedy);
	}
}

/** If the program is a runtime, such as node or Java, report how the functions that it runs get
 * names. */
static void doctor_check_runtime(struct doctor *doctor, struct str path) {
	unsigned minor;
	char real[PATH_MAX];
	const char *resolved = realpath(path.p, real);
	enum runtime runtime = resolved == NULL ? RUNTIMES : runtime_of(str_of(resolved), &minor);
	struct buf advice = {0};
	if (runtime == RUNTIMES) {
		return;
	}
	runtime_advise(runtime, minor, &advice);
	if (runtime == RUNTIME_PYTHON && minor < runtime_first_python()) {
		doctor_found(doctor, NOTE, "the functions of scripts have no names");
		doctor_mend(doctor, "%s", buf_text(&advice));
	} else {
		doctor_found(doctor, OK,
			     "'inferno record' makes this runtime publish the names of the "
			     "functions that it compiles");
		doctor_found(doctor, NOTE,
			     "a running process publishes these names only if it was started "
			     "with the setting below%s",
			     runtime == RUNTIME_JAVA ? ", or on request" : "");
		doctor_mend(doctor, "%s", buf_text(&advice));
	}
	buf_release(&advice);
}

/** Return whether a file is a script. */
static bool doctor_is_script(const char *path) {
	char start[2];
	return read_start_of(path, start, sizeof(start)) == sizeof(start) && start[0] == '#' &&
	       start[1] == '!';
}

/** Report which symbols and tables a program lacks. Return 0, or -1 after diag_error(). */
static int doctor_check_program(struct doctor *doctor, const char *name, struct diag *diag) {
	struct buf path = {0};
	enum object_state state = OBJECT_MISSING;
	bool there = process_find(name, &path);
	struct file *file = there ? file_open(buf_text(&path), &state) : NULL;
	int result = 0;
	if (file != NULL) {
		doctor_found(doctor, OK, "%s is a program", quote(buf_str(&path)).text);
		enum language language = doctor_language_of(&file->elf);
		doctor_check_symbols(doctor, file, language);
		doctor_check_stacks(doctor, file, remedies_of[language].tables);
		doctor_check_runtime(doctor, str_of(buf_text(&path)));
		file_free(file);
	} else if (there && doctor_is_script(buf_text(&path))) {
		doctor_found(doctor, NOTE,
			     "%s is a script: name the program that runs it to check that",
			     quote(buf_str(&path)).text);
	} else {
		struct buf why = {0};
		int error = access(name, F_OK) == 0 ? EACCES : ENOENT;
		if (there) {
			buf_add_text(&why, "it is not a program, or may not be read");
		} else {
			cannot_run_why(&why, name, error);
		}
		result = diag_error(diag, "%s: %s", quote(str_of(name)).text, buf_text(&why));
		buf_release(&why);
	}
	buf_release(&path);
	return result;
}

static int doctor_run(const struct command_run *run) {
	struct doctor doctor = {.out = run->out};
	bool can = doctor_check_sampling(&doctor);
	doctor_check_rate(&doctor);
	doctor_check_files(&doctor);
	doctor_check_kernel_symbols(&doctor);
	doctor_check_libraries(&doctor);
	int result = run->sources_n == 0
			     ? 0
			     : doctor_check_program(&doctor, run->sources[0].path, run->diag);
	buf_release(&doctor.text);
	if (result == 0 && proc_warn(run->diag) != 0) {
		result = -1;
	}
	if (result == 0 && !can) {
		*run->program_status = EXIT_FAILURE;
		diag_error(run->diag, "no samples can be taken here");
		return COMMAND_PROGRAM_FAILED; // the status of 1 is not an error of the command
	}
	return result;
}

static const struct example examples[] = {
	{"inferno doctor", "check whether this user can sample programs on this machine"},
	{"inferno doctor ./program", "also check whether the frames of a program will have names"},
	{NULL, NULL},
};

const struct command command_doctor = {
	.name = "doctor",
	.brief = "check whether programs can be sampled here, and how to fix it",
	.task = TASK_RECORD,
	.about = "Checks everything that 'inferno record' needs: the permission to sample "
		 "programs, the kernel and all processes, hardware counters, memory for samples, "
		 "the kernel's limits and symbols. For a PROGRAM, it also checks the symbols, "
		 "debug information, frame pointers and tables for unwinding. 'inferno doctor' "
		 "changes nothing and runs no program.\n"
		 "\n"
		 "The command prints a line for each check. The line starts with ok, with note if "
		 "something is missing, or with bad if no samples can be taken. The line after a "
		 "problem says how to fix it. The exit "
		 "status is 0 if programs can be sampled, and 1 if they cannot.",
	.examples = examples,
	.operands = "[PROGRAM]",
	.operands_most = 1,
	.suffixes = ".txt",
	.run = doctor_run,
	.lacks_nthreads = true,
	.runs_program = true,
};
