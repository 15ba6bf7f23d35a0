/* Report the quality of a recording in one line. */
#include "perf/data/quality.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/stop.h"
#include "base/num.h"
#include "perf/data/package.h"
#include "profile/unit.h"

/** A share is reported if it exceeds its limit here, in thousandths. */
enum {
	MANY_TRUNCATED = 20,
	MUCH_NAMELESS = 50,
	MUCH_ORPHANED = 50,
	MUCH_HIDDEN = 5,
	MUCH_MISSING = 5,
	MUCH_UNSAMPLED = 50
};

uint32_t quality_image(struct quality *quality, const struct image *image) {
	size_t i = image == NULL ? 0 : 1 + (size_t)image->id;
	if (i >= quality->n) {
		MEM_GROW(quality->by_image, quality->capacity, i + 1);
		MEM_GROW(quality->images, quality->images_capacity, i + 1);
		MEM_GROW(quality->in_image, quality->in_capacity, i + 1);
		for (; quality->n <= i; quality->n++) {
			quality->by_image[quality->n] = 0;
			quality->in_image[quality->n] = 0;
			quality->images[quality->n] = NULL;
		}
	}
	quality->images[i] = image;
	return (uint32_t)i;
}

/** Return whether the file of an image is missing on this machine, or differs from the recorded
 * file. */
static bool quality_is_missing(const struct image *image) {
	if (image == NULL || image->object == NULL || object_kind(image->object) != OBJECT_ELF) {
		return false;
	}
	enum object_state state = object_state(image->object);
	return state == OBJECT_MISSING || state == OBJECT_REPLACED || state == OBJECT_UNREADABLE;
}

void quality_note_image(struct quality *quality, uint32_t image) {
	size_t i = 0;
	while (i < quality->stack.noted_n && quality->stack.noted[i] != image) {
		i++;
	}
	if (i == quality->stack.noted_n && i < QUALITY_NOTED) {
		quality->stack.noted[quality->stack.noted_n++] = image;
	}
}

void quality_count_images(struct quality *quality, uint64_t weight, bool unwound) {
	bool missing = false;
	for (size_t i = 0; i < quality->stack.noted_n; i++) {
		quality->in_image[quality->stack.noted[i]] += weight;
		missing |= quality_is_missing(quality->images[quality->stack.noted[i]]);
	}
	quality->missing += missing ? weight : 0;
	bool cut = unwound && quality->stack.last > 0 &&
		   quality_is_missing(quality->images[quality->stack.last - 1]);
	quality->cut += cut ? weight : 0;
}

/** Return whether a function is the first function of a thread, or so near to it that no useful
 * frame is missing. Ignore versions of symbols, as in `__libc_start_main@@GLIBC_2.34`. */
static bool quality_is_first(struct str name) {
	static const struct str names[] = {
		STR_INIT("_start"),
		STR_INIT("main"),
		STR_INIT("__libc_start_main"),
		STR_INIT("__libc_start_call_main"),
		STR_INIT("__libc_start_main_impl"),
		STR_INIT("start_thread"),
		STR_INIT("clone"),
		STR_INIT("__clone"),
		STR_INIT("clone3"),
		STR_INIT("__clone3"),
		STR_INIT("_dl_start_user"),
	};
	size_t version = str_find(name, '@');
	name = version == STR_NONE ? name : str_to(name, version);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (str_eq(name, names[i])) {
			return true;
		}
	}
	// Go starts threads and goroutines in functions of its runtime.
	return str_starts(name, STR("runtime.")) || str_starts(name, STR("_rt0_"));
}

enum quality_end quality_end_of(const struct perfdata_location *location,
				const struct symbol *symbols, size_t n) {
	if (location->image == NULL) {
		return QUALITY_INNER; // wrong frame pointers have led to this address
	}
	if (location->image->is_kernel || n == 0) {
		return QUALITY_OPEN;
	}
	return quality_is_first(symbols[n - 1].name) ? QUALITY_FIRST : QUALITY_INNER;
}

/** The remedies for frames without a name, by reason. `reader` is for users who read a recording.
 * `recorder` is for users of `inferno record`, which has fewer options. */
static const struct remedy {
	const char *reader, *recorder;
} remedies[] = {
	[OBJECT_UNTRIED] = {"", ""},
	[OBJECT_NAMED] = {"", ""},
	[OBJECT_MISSING] = {"copy them from where it was recorded, and use --symfs FOLDER",
			    "its file was removed, or its container has ended: record as root, who "
			    "can open it while it runs"},
	[OBJECT_REPLACED] = {"its file was replaced since: use --symfs FOLDER with the one that "
			     "ran",
			     "its file was replaced after it was started: start it again, or "
			     "record as root"},
	[OBJECT_UNREADABLE] = {"its file cannot be read",
			       "its file cannot be read: record as root"},
	[OBJECT_DISTRUSTED] =
		{"its perf map or jitdump file belongs to another user than the process: "
		 "give it to root by chown, if you trust it",
		 "its perf map or jitdump file belongs to another user than the process"},
	[OBJECT_RESTRICTED] = {"its symbols are hidden: run as root, or use --kallsyms FILE",
			       "its symbols are hidden: use --root, or: sudo sysctl "
			       "kernel.kptr_restrict=0"},
	[OBJECT_FOREIGN] = {"the recorded kernel is not this one: copy its /proc/kallsyms here, "
			    "and use --kallsyms FILE",
			    "the recorded kernel is not this one: copy its /proc/kallsyms here, "
			    "and use: inferno collapse perf --kallsyms FILE"},
	[OBJECT_GIVEN_UP] = {"reading it took too long", "reading it took too long"},
	[OBJECT_UNSURE] = {"the recording is cut off and does not name its kernel: use --kallsyms "
			   "/proc/kallsyms if that is this one",
			   "the recording does not name its kernel: use: inferno collapse perf "
			   "--kallsyms /proc/kallsyms"},
};

/** The remedies for root, who can read all files except those of ended processes. NULL: use the
 * remedy in `remedies`. */
static const char *const for_root[] = {
	[OBJECT_MISSING] = "its file was removed, or its container has ended",
	[OBJECT_REPLACED] = "its file was replaced, and it has ended since",
	[OBJECT_UNREADABLE] = "its file cannot be read, or is larger than 16 GiB",
	[OBJECT_UNSURE] = NULL,
};

static void quality_add_count(struct buf *text, const char *what, uint64_t count) {
	buf_add_text(text, "; ");
	buf_add_text(text, what);
	buf_add_text(text, ": ");
	buf_add_u64(text, count);
}

static void quality_add_fixed(struct buf *text, double value) {
	char number[NUM_FIXED_MAX];
	buf_add(text, number, num_format_fixed(number, value, 1));
}

static void quality_add_share(struct buf *text, uint64_t part, uint64_t whole) {
	quality_add_fixed(text, whole == 0 ? 0 : 100 * (double)part / (double)whole);
	buf_add_char(text, '%');
}

/** Return whether a part is more than the given number of thousandths of the whole. */
static bool quality_is_much(uint64_t part, uint64_t whole, unsigned thousandths) {
	return (double)part * 1000 > (double)whole * thousandths;
}

/** Add advice in brackets. If `advice` is empty, add nothing. */
static void quality_add_advice(struct buf *text, const char *advice) {
	if (advice[0] != '\0') {
		buf_printf(text, " (%s)", advice);
	}
}

/** Return the first event with samples, or the first event if no event has samples. */
static const struct perfdata_event *quality_main_event(const struct perfdata *data) {
	static const struct perfdata_event none = {.name = STR_INIT("no event")};
	const struct perfdata_events *events = perfdata_events(data);
	for (size_t i = 0; i < events->n; i++) {
		if (events->items[i]->samples > 0) {
			return events->items[i];
		}
	}
	return events->n > 0 ? events->items[0] : &none;
}

/** Add the remedy for lost samples. */
static void quality_advise_lost(struct buf *text, const struct quality *quality,
				const struct perfdata *data) {
	const struct perfdata_event *event = quality_main_event(data);
	const unsigned long long rate = event->rate / 4, size = event->stack_size / 2;
	if (!quality->recorder) {
		quality_add_advice(text,
				   "record with a larger buffer, -m 4M, or less often, -F 99");
	} else if (event->is_frequency && rate > 0) {
		buf_printf(text, " (record less often, -F %llu", rate);
		if (size > 0) {
			buf_printf(text, ", or less of each stack, --call-graph dwarf,%llu", size);
		}
		buf_add_text(text, ")");
	}
}

/** Add the remedy for stacks that are cut off. */
static void quality_advise_truncated(struct buf *text, const struct quality *quality,
				     const struct perfdata *data) {
	enum { USUAL = 64000, MOST = 65528 };
	const struct perfdata_quality *recording = perfdata_quality(data);
	uint32_t size = quality_main_event(data)->stack_size;
	if (recording->limited > recording->truncated / 2) {
		quality_add_advice(
			text, quality->recorder
				      ? "they have more frames than kernel.perf_event_max_stack: "
					"record with --call-graph auto, or: sudo sysctl "
					"kernel.perf_event_max_stack=1024"
				      : "they have more frames than kernel.perf_event_max_stack: "
					"record again after sudo sysctl "
					"kernel.perf_event_max_stack=1024");
	} else if (size < (quality->recorder ? USUAL : MOST)) {
		quality_add_advice(text, quality->recorder
						 ? "record more of each stack, --call-graph auto"
						 : "record with --call-graph dwarf,65528");
	} else {
		quality_add_advice(
			text, quality->recorder
				      ? "they are larger than what can be copied: build with "
					"-fno-omit-frame-pointer, and record with --call-graph fp"
				      : "they are larger than what can be copied: build with "
					"-fno-omit-frame-pointer, and record with perf record -g");
	}
}

/** Return the remedy for frames without a name in an image. */
static const char *quality_remedy_of(const struct quality *quality, const struct image *image) {
	if (image->object == NULL) {
		return "";
	}
	enum object_state state = object_state(image->object);
	if (quality->recorder && geteuid() == 0 && for_root[state] != NULL) {
		return for_root[state];
	}
	return quality->recorder ? remedies[state].recorder : remedies[state].reader;
}

/** Return whether an image is generated code whose program wrote no perf map. */
static bool quality_is_made(const struct image *image) {
	enum object_state state =
		image->object == NULL ? OBJECT_UNTRIED : object_state(image->object);
	return (state == OBJECT_MISSING || state == OBJECT_NAMELESS) &&
	       object_kind(image->object) == OBJECT_JIT;
}

/** Add the setting that makes a runtime publish its symbols. */
static void quality_advise_made(struct buf *text, const struct perfdata *data,
				const struct image *image) {
	unsigned minor;
	enum runtime runtime = machine_runtime(perfdata_machine(data), image, &minor);
	buf_add_text(text, " (");
	if (runtime == RUNTIMES) {
		buf_add_text(text, "code that was made while it ran, without a perf map");
	} else {
		runtime_advise(runtime, minor, text);
	}
	buf_add_text(text, ")");
}

/** Add a hint on how to get the symbols of a stripped file. On Debian and Ubuntu, libc6-dbg
 * contains the debug symbols of the C library. */
static void quality_advise_stripped(struct buf *text, const struct quality *quality,
				    const struct image *image) {
	struct buf package = {0};
	buf_add_text(text, " (it is stripped: install ");
	if (!package_of(image->name, &package)) {
		buf_add_text(text, "its debug symbols");
	} else if (str_eq(buf_str(&package), STR("libc6"))) {
		buf_add_text(text, "libc6-dbg");
	} else {
		buf_add_text(text, "the debug symbols of its package ");
		buf_add_str(text, buf_str(&package));
	}
	buf_add_text(text, quality->recorder ? ")" : ", or use --debuginfod)");
	buf_release(&package);
}

static bool quality_is_stripped(const struct image *image) {
	enum object_state state =
		image->object == NULL ? OBJECT_UNTRIED : object_state(image->object);
	return state == OBJECT_STRIPPED || state == OBJECT_NAMELESS;
}

/** Return the index of the next missing file, in descending order of weight. `before` is the index
 * of the previous missing file, or 0. */
static size_t quality_next_missing(const struct quality *quality, size_t before) {
	size_t next = 0;
	for (size_t i = 1; i < quality->n; i++) {
		uint64_t weight = quality->in_image[i], last = quality->in_image[before];
		bool later = before == 0 || weight < last || (weight == last && i > before);
		if (weight > 0 && later && quality_is_missing(quality->images[i]) &&
		    (next == 0 || weight > quality->in_image[next])) {
			next = i;
		}
	}
	return next;
}

/** Add the names of missing files, the weight of stacks with frames in these files, and the
 * remedy. */
static void quality_add_missing_files(struct buf *text, const struct quality *quality,
				      bool advise) {
	enum { SHOWN = 3 };
	size_t n = 0, first = quality_next_missing(quality, 0);
	for (size_t i = first; i != 0; i = quality_next_missing(quality, i)) {
		buf_add_text(text, n == 0 ? "; files that are missing: " : n < SHOWN ? ", " : "");
		if (n++ < SHOWN) {
			buf_printf(text, "'%s' in ", quote(quality->images[i]->name).text);
			quality_add_share(text, quality->in_image[i], quality->weight);
		}
	}
	if (n > SHOWN) {
		buf_printf(text, " and %zu more", n - SHOWN);
	}
	buf_add_text(text, " of the weight");
	if (quality->cut > 0) {
		buf_add_text(text, ", and with them the callers of ");
		quality_add_share(text, quality->cut, quality->weight);
	}
	quality_add_advice(text, advise ? quality_remedy_of(quality, quality->images[first]) : "");
}

/** Return the weight of stacks whose innermost function has no name, although the function's file
 * is on this machine. */
static uint64_t quality_nameless_here(const struct quality *quality) {
	uint64_t weight = quality->nameless;
	for (size_t i = 1; i < quality->n; i++) {
		weight -= quality_is_missing(quality->images[i]) ? quality->by_image[i] : 0;
	}
	return weight;
}

/** Add the share of the weight that has no name, the file to which most of this weight belongs, and
 * the remedy. */
static void quality_add_nameless(struct buf *text, const struct quality *quality,
				 const struct perfdata *data, bool advise) {
	size_t most = 0;
	for (size_t i = 1; i < quality->n; i++) {
		bool more = quality->by_image[i] > quality->by_image[most];
		most = more && !quality_is_missing(quality->images[i]) ? i : most;
	}
	buf_add_text(text, "; without a name: ");
	quality_add_share(text, quality_nameless_here(quality), quality->weight);
	const struct image *image = quality->images[most];
	if (image == NULL) {
		buf_add_text(text, " of the weight, most where nothing is mapped");
		return;
	}
	buf_printf(text, " of the weight, most in '%s'", quote(image->name).text);
	if (advise && quality_is_made(image)) {
		quality_advise_made(text, data, image);
	} else if (advise && quality_is_stripped(image)) {
		quality_advise_stripped(text, quality, image);
	} else {
		quality_add_advice(text, advise ? quality_remedy_of(quality, image) : "");
	}
}

/** Add a phrase for each kind of data that was left out because a library or a file is missing. */
static void quality_add_missing(struct buf *text, const struct symbols_missing *missing) {
	if (missing->libdw) {
		buf_add_text(text, "; inlined functions and source lines are left out (cannot load "
				   "libdw.so.1)");
	}
	if (missing->split_debug) {
		buf_add_text(text, "; inlined functions and source lines are left out where their "
				   "debug information is in another file that cannot be read "
				   "(-gsplit-dwarf, dwz)");
	}
	if (missing->unwinder) {
		buf_add_text(text, "; recorded stacks are not unwound (cannot load libdw.so.1)");
	}
	if (missing->debuginfod) {
		buf_add_text(text, "; debug files are not fetched (cannot load "
				   "libdebuginfod.so.1)");
	}
	if (missing->given_up) {
		buf_add_text(text, stop_age() < 0
					   ? "; some names are left out, as reading a file took "
					     "too long"
					   : "; some names are left out, as a signal left no time "
					     "to read them (--duration does)");
	}
	if (missing->liblzma) {
		buf_add_text(text, "; symbols packed by xz are left out (cannot load "
				   "liblzma.so.5)");
	}
	if (missing->libiberty) {
		buf_add_text(text, "; names of C++ and Rust stay mangled (this inferno was built "
				   "without libiberty)");
	}
}

/** Add the reason why samples do not cover all of the time, and what to do about it. */
static void quality_advise_unsampled(struct buf *text, const struct quality *quality,
				     const struct perfdata *data) {
	static const char *const remedies_of[] = {
		[REASON_SHORT] = "use --root",
		[REASON_SHORT_AS_ROOT] = "record all processes, --all-cpus",
		[REASON_LEFT] = "",
		[REASON_BARRED] = "",
	};
	const struct perfdata_event *event = quality_main_event(data);
	if (quality->reason >= sizeof(remedies_of) / sizeof(remedies_of[0])) {
		return;
	}
	if (quality->reason == REASON_BARRED) {
		const struct thread *thread = perfdata_quality(data)->barred;
		if (thread == NULL) { // recordings of inferno always have such a thread
			return;
		}
		buf_printf(text, " ('%s' runs with the rights of another user: record as root)",
			   quote(thread->comm).text);
		return;
	}
	if (quality->reason == REASON_LEFT) {
		quality_add_advice(text,
				   "processes have left the control group that is sampled: record "
				   "all processes, --all-cpus");
		return;
	}
	buf_add_text(text, " (threads that run for less than ");
	quality_add_fixed(text,
			  event->is_frequency && event->rate > 0 ? 1e3 / (double)event->rate : 0);
	buf_printf(text, " ms get no sample: %s)", remedies_of[quality->reason]);
}

/** If more than 5 % of the time is in no sample, add how much of the time is in samples. Lost
 * samples are reported separately. */
static void quality_add_unsampled(struct buf *text, const struct quality *quality,
				  const struct perfdata *data, bool advise) {
	enum { PLACES = 2 };
	const double second = 1e9;
	uint64_t used = quality->counted - quality->hidden, sampled = used - quality->unsampled;
	const struct perfdata_events *events = perfdata_events(data);
	if (events->n == 0 || !quality_is_much(quality->unsampled, used, MUCH_UNSAMPLED)) {
		return;
	}
	bool is_clock = events->items[0]->type == EVENT_SOFTWARE;
	buf_add_text(text, "; sampled ");
	if (is_clock) {
		buf_add_fixed(text, (double)sampled / second, PLACES);
		buf_add_text(text, " of ");
		buf_add_fixed(text, (double)used / second, PLACES);
		buf_add_text(text, " s");
	} else {
		quality_add_share(text, sampled, used);
	}
	const struct perfdata_quality *recording = perfdata_quality(data);
	bool lost = quality_is_much(recording->lost, recording->lost + recording->samples,
				    MUCH_UNSAMPLED);
	if (advise && quality->recorder && !lost) {
		quality_advise_unsampled(text, quality, data);
	}
}

/** Add the numbers of samples and other parts that the kernel left out of the recording. */
static void quality_add_losses(struct buf *text, const struct quality *quality,
			       const struct perfdata *data, bool advise) {
	const struct perfdata_quality *recording = perfdata_quality(data);
	if (recording->lost > 0) {
		quality_add_count(text, "lost", recording->lost);
		buf_add_text(text, ", ");
		quality_add_share(text, recording->lost, recording->samples + recording->lost);
		if (advise) {
			quality_advise_lost(text, quality, data);
		}
	}
	if (recording->shortened > recording->first) {
		const double second = 1e9;
		buf_add_text(text, "; stacks shortened to 8 KB from ");
		quality_add_fixed(text, (double)(recording->shortened - recording->first) / second);
		buf_add_text(text, " s on");
		quality_add_advice(
			text,
			!advise ? ""
				: "this machine is busy: record less often, -F 99, or as root");
	}
	quality_add_unsampled(text, quality, data, advise);
	if (quality->recorder && quality->hidden * 1000 > quality->counted * MUCH_HIDDEN) {
		buf_add_text(text, "; in the kernel, which may not be sampled: ");
		quality_add_share(text, quality->hidden, quality->counted);
		quality_add_advice(
			text,
			advise ? "use --root, or: sudo sysctl kernel.perf_event_paranoid=1" : "");
	}
}

/** Add the numbers of incomplete stacks, by reason. */
static void quality_add_stacks(struct buf *text, const struct quality *quality,
			       const struct perfdata *data, bool advise) {
	const struct perfdata_quality *recording = perfdata_quality(data);
	if (quality->empty > 0) {
		quality_add_count(text, "without frames", quality->empty);
	}
	if (quality->idle > 0) {
		quality_add_count(text, "of the idle loop (left out)", quality->idle);
	}
	if (quality->unlocked > 0) {
		quality_add_count(text, "of threads without the GIL (left out)", quality->unlocked);
	}
	if (recording->truncated * 1000 > recording->samples * MANY_TRUNCATED) {
		quality_add_count(text, "stacks that are cut off", recording->truncated);
		buf_add_text(text, ", ");
		quality_add_share(text, recording->truncated, recording->samples);
		if (advise) {
			quality_advise_truncated(text, quality, data);
		}
	}
	if (recording->other_stack * 1000 > recording->samples * MANY_TRUNCATED) {
		quality_add_count(text, "stacks that continue on another stack",
				  recording->other_stack);
		buf_add_text(text, ", ");
		quality_add_share(text, recording->other_stack, recording->samples);
	}
}

/** Return the remedy for stacks with missing callers. */
static const char *quality_advice_of_orphaned(const struct quality *quality,
					      const struct perfdata *data) {
	bool unwound = quality_main_event(data)->stack_size > 0;
	return !quality->recorder ? "programs without frame pointers need --call-graph dwarf"
	       : unwound          ? ""
				  : "programs without frame pointers need --call-graph auto";
}

/** Add a phrase for each fault of the recording. */
static void quality_format_all(struct buf *text, const struct quality *quality,
			       const struct perfdata *data, bool advise) {
	const struct perfdata_quality *recording = perfdata_quality(data);
	if (recording->cut_off) {
		buf_add_text(text, "; the recording is cut off at byte ");
		buf_add_u64(text, recording->end);
	}
	quality_add_losses(text, quality, data, advise);
	if (recording->broken > 0) {
		quality_add_count(text, "damaged", recording->broken);
		buf_add_text(text, ", the first at byte ");
		buf_add_u64(text, recording->broken_at);
	}
	quality_add_stacks(text, quality, data, advise);
	buf_add_text(text, quality->unread_scripts.n > 0 ? "; " : "");
	buf_add_str(text, buf_str(&quality->unread_scripts));
	quality_add_missing(text, symbols_missing(perfdata_symbols(data)));
	const struct unread *unread = symbols_unread(perfdata_symbols(data));
	if (unread->n > 0) {
		buf_add_text(text, "; cannot be read: ");
		unread_format(unread, text);
	}
	if (quality_is_much(quality->orphaned, quality->weight, MUCH_ORPHANED)) {
		buf_add_text(text, "; without callers: ");
		quality_add_share(text, quality->orphaned, quality->weight);
		buf_add_text(text, " of the weight");
		quality_add_advice(text, advise ? quality_advice_of_orphaned(quality, data) : "");
	}
	if (quality_is_much(quality->missing, quality->weight, MUCH_MISSING)) {
		quality_add_missing_files(text, quality, advise);
	}
	if (quality_is_much(quality_nameless_here(quality), quality->weight, MUCH_NAMELESS)) {
		quality_add_nameless(text, quality, data, advise);
	}
}

/** Return the number of events that have samples. */
static size_t quality_sampled_events(const struct perfdata_events *events) {
	size_t n = 0;
	for (size_t i = 0; i < events->n; i++) {
		n += events->items[i]->samples > 0;
	}
	return n;
}

/** Add the count for which the samples stand, such as a time, and a blank. If several events have
 * samples, if the count is 0, or if the event is not sampled by frequency, add nothing. */
static void quality_add_amount(struct buf *text, const struct quality *quality,
			       const struct perfdata *data) {
	char number[UNIT_MAX];
	const struct perfdata_events *events = perfdata_events(data);
	const struct perfdata_event *event = quality_main_event(data);
	struct buf name = {0};
	if (quality_sampled_events(events) != 1 || quality->counted == 0 || !event->is_frequency) {
		return;
	}
	unit_name_of_event(&name, event->name);
	const struct unit unit = unit_of(buf_str(&name));
	buf_add(text, number, unit_format(number, &unit, quality->counted));
	buf_add_text(text, unit_is_spaced(&unit) ? " " : "");
	buf_add_str(text, unit.subject);
	buf_add_char(text, ' ');
	buf_release(&name);
}

/** Add which event was sampled, and how often. */
static void quality_add_event(struct buf *text, const struct perfdata_event *event) {
	buf_printf(text, " of %s", quote(event->name).text);
	if (event->is_frequency) {
		buf_printf(text, " at %llu Hz", (unsigned long long)event->rate);
	}
}

/** Add the number of samples of each event after the first event with samples. */
static void quality_add_other_events(struct buf *text, const struct perfdata_events *events,
				     const struct perfdata_event *first) {
	for (size_t i = 0; i < events->n; i++) {
		const struct perfdata_event *event = events->items[i];
		if (event != first && event->samples > 0) {
			buf_printf(text, ", %llu", (unsigned long long)event->samples);
			quality_add_event(text, event);
		}
	}
}

/** Add the name of a recording and its number of samples. For users of `inferno record`, add the
 * event, the rate and the duration, too. */
static void quality_add_samples(struct buf *text, const struct quality *quality,
				const struct perfdata *data, const char *name) {
	const double second = 1e9;
	const struct perfdata_quality *recording = perfdata_quality(data);
	const struct perfdata_events *events = perfdata_events(data);
	const struct perfdata_event *event = quality_main_event(data);
	bool is_empty = recording->samples == 0 && quality->switches > 0;
	bool is_one =
		!quality->recorder || quality_sampled_events(events) <= 1 || quality->wakings > 0;
	if (is_empty) {
		buf_printf(text, "%s: switches of threads: %llu, without stacks", name,
			   (unsigned long long)quality->switches);
	} else {
		buf_printf(text, "%s: samples: %llu", name,
			   (unsigned long long)(is_one ? recording->samples - quality->wakings
						       : event->samples));
	}
	if (!quality->recorder) {
		return;
	}
	if (!is_empty) {
		quality_add_event(text, event);
	}
	if (!is_one) {
		quality_add_other_events(text, events, event);
	}
	buf_add_text(text, ", ");
	quality_add_amount(text, quality, data);
	buf_add_text(text, "in ");
	quality_add_fixed(text, (double)(recording->last - recording->first) / second);
	buf_add_text(text, " s");
	buf_add_text(text, quality->scripts.n > 0 ? "; " : "");
	buf_add_str(text, buf_str(&quality->scripts));
}

void quality_format(struct buf *text, const struct quality *quality, const struct perfdata *data,
		    const char *name) {
	quality_add_samples(text, quality, data, name);
	quality_format_all(text, quality, data, false);
}

/** Report how the unwinding of stacks ended. */
static void quality_note_unwound(const struct perfdata *data, const char *name, struct diag *diag) {
	struct perfdata_unwound unwound = perfdata_unwound(data);
	uint64_t all = unwound.whole + unwound.cut + unwound.other_stack + unwound.lost;
	struct buf text = {0};
	if (all == 0) {
		return;
	}
	buf_printf(&text, "%s: unwound stacks: %llu, to the start of their thread: ", name,
		   (unsigned long long)all);
	quality_add_share(&text, unwound.whole, all);
	quality_add_count(&text, "with callers that were found otherwise", unwound.extended);
	quality_add_count(&text, "cut off", unwound.cut);
	quality_add_count(&text, "continued on another stack", unwound.other_stack);
	quality_add_count(&text, "lost", unwound.lost);
	diag_note(diag, "%s", buf_text(&text));
	buf_release(&text);
}

int quality_report(const struct quality *quality, const struct perfdata *data, const char *name,
		   struct diag *diag) {
	struct buf text = {0};
	quality_add_samples(&text, quality, data, name);
	size_t well = text.n;
	int result = 0;
	quality_format_all(&text, quality, data, true);
	if (text.n > well) {
		result = diag_warn_text(diag, "the quality of a recording", buf_text(&text), 1);
	} else if (quality->recorder) {
		diag_done(diag, "%s", buf_text(&text));
	} else {
		diag_note(diag, "%s", buf_text(&text));
	}
	buf_release(&text);
	quality_note_unwound(data, name, diag);
	return result;
}

void quality_release(struct quality *quality) {
	free(quality->by_image);
	free(quality->in_image);
	buf_release(&quality->scripts);
	buf_release(&quality->unread_scripts);
	free(quality->images);
}
