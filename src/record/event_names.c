/* The kernel's numbers of events by their names. */
#include "record/event_names.h"

#include <stdlib.h>
#include <strings.h>

struct event_name {
	const char *name;
	const char *other; // second name; NULL: it has only one
	uint32_t type, config;
};

static const struct event_name event_names[] = {
	{"cycles", "cpu-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
	{"instructions", NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
	{"cache-references", NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
	{"cache-misses", NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
	{"branches", "branch-instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
	{"branch-misses", NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
	{"bus-cycles", NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES},
	{"stalled-cycles-frontend", "idle-cycles-frontend", PERF_TYPE_HARDWARE,
	 PERF_COUNT_HW_STALLED_CYCLES_FRONTEND},
	{"stalled-cycles-backend", "idle-cycles-backend", PERF_TYPE_HARDWARE,
	 PERF_COUNT_HW_STALLED_CYCLES_BACKEND},
	{"ref-cycles", NULL, PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES},
	{"cpu-clock", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK},
	{"task-clock", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
	{"page-faults", "faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
	{"context-switches", "cs", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
	{"cpu-migrations", "migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
	{"minor-faults", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN},
	{"major-faults", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ},
	{"alignment-faults", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS},
	{"emulation-faults", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS},
	{"dummy", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY},
	{"bpf-output", NULL, PERF_TYPE_SOFTWARE, 10 /* PERF_COUNT_SW_BPF_OUTPUT */},
	{"cgroup-switches", NULL, PERF_TYPE_SOFTWARE, 11 /* PERF_COUNT_SW_CGROUP_SWITCHES */},
};
enum { EVENT_NAMES = sizeof(event_names) / sizeof(event_names[0]) };

/* --- Events of caches ----------------------------------------------------------------------- */

/** Names of one part of a cache event, separated by blanks. The first name is the usual one. The
 * items are in the order of the kernel's numbers. */
static const char *const cache_levels[] = {
	"L1-dcache l1-d l1d L1-data",
	"L1-icache l1-i l1i L1-instruction",
	"LLC L2",
	"dTLB d-tlb Data-TLB",
	"iTLB i-tlb Instruction-TLB",
	"branch branches bpu btb bpc",
	"node",
};
static const char *const cache_accesses[] = {
	"load loads read",
	"store stores write",
	"prefetch prefetches speculative-read speculative-load",
};
static const char *const cache_outcomes[] = {"refs Reference ops access", "misses miss"};

enum {
	CACHE_LEVELS = sizeof(cache_levels) / sizeof(cache_levels[0]),
	CACHE_ACCESSES = sizeof(cache_accesses) / sizeof(cache_accesses[0]),
	CACHE_OUTCOMES = sizeof(cache_outcomes) / sizeof(cache_outcomes[0]),
	CACHE_ACCESS_AT = 8, // bit positions in the number of an event
	CACHE_OUTCOME_AT = 16,
};

/** A bit mask of the accesses that each cache has. */
static const uint8_t cache_has[CACHE_LEVELS] = {7, 5, 7, 7, 1, 1, 7};

/** Find the longest of the names with which the text begins, and cut it off. Unless `first` is
 * true, a hyphen must come before the name, and is cut off, too. Return the index of the name, or
 * -1. */
static int event_names_take_part(struct str *text, const char *const *names, int n, bool first) {
	size_t longest = 0;
	int found = -1;
	if (!first && !str_starts(*text, STR("-"))) {
		return -1;
	}
	struct str rest = str_from(*text, first ? 0 : 1);
	for (int i = 0; i < n; i++) {
		struct str words = str_of(names[i]);
		for (struct str word; (word = str_next_word(&words)).n > 0;) {
			bool fits = rest.n >= word.n && word.n > longest &&
				    strncasecmp(rest.p, word.p, word.n) == 0 &&
				    (rest.n == word.n || rest.p[word.n] == '-');
			found = fits ? i : found;
			longest = fits ? word.n : longest;
		}
	}
	*text = found < 0 ? *text : str_from(rest, longest);
	return found;
}

/** Find a cache event such as L1-dcache-load-misses, whose second and third part may be missing.
 * Return false if there is no such event. */
static bool event_names_cache_by_name(struct str name, struct perf_event_attr *attr) {
	int level = event_names_take_part(&name, cache_levels, CACHE_LEVELS, true);
	int access = event_names_take_part(&name, cache_accesses, CACHE_ACCESSES, false);
	int outcome = event_names_take_part(&name, cache_outcomes, CACHE_OUTCOMES, false);
	access = access < 0 ? event_names_take_part(&name, cache_accesses, CACHE_ACCESSES, false)
			    : access;
	access = access < 0 ? 0 : access;
	outcome = outcome < 0 ? 0 : outcome;
	if (level < 0 || name.n > 0 || (cache_has[level] >> access & 1) == 0) {
		return false;
	}
	attr->type = PERF_TYPE_HW_CACHE;
	attr->config = (unsigned)level | (unsigned)access << CACHE_ACCESS_AT |
		       (unsigned)outcome << CACHE_OUTCOME_AT;
	return true;
}

static struct str event_names_first_word(const char *words) {
	struct str rest = str_of(words);
	return str_next_word(&rest);
}

/** Call `each` with the usual names of the events of a cache, such as LLC-loads. */
static void event_names_each_cache_name(int level, void (*each)(void *context, struct str name),
					void *context) {
	static const char *const words[CACHE_ACCESSES] = {"load", "store", "prefetch"};
	static const char *const plurals[CACHE_ACCESSES] = {"loads", "stores", "prefetches"};
	struct buf name = {0};
	for (int access = 0; access < CACHE_ACCESSES; access++) {
		if ((cache_has[level] >> access & 1) == 0) {
			continue;
		}
		struct str first = event_names_first_word(cache_levels[level]);
		buf_clear(&name);
		buf_printf(&name, "%.*s-%s", (int)first.n, first.p, plurals[access]);
		each(context, buf_str(&name));
		buf_clear(&name);
		buf_printf(&name, "%.*s-%s-misses", (int)first.n, first.p, words[access]);
		each(context, buf_str(&name));
	}
	buf_release(&name);
}

/* --- All ------------------------------------------------------------------------------------ */

bool event_by_name(struct str name, struct perf_event_attr *attr) {
	for (size_t i = 0; i < EVENT_NAMES; i++) {
		const struct event_name *known = &event_names[i];
		if (str_eq(name, str_of(known->name)) ||
		    (known->other != NULL && str_eq(name, str_of(known->other)))) {
			attr->type = known->type;
			attr->config = known->config;
			return true;
		}
	}
	return event_names_cache_by_name(name, attr);
}

bool event_parse_hex(struct str text, uint64_t *value) {
	enum { MOST_DIGITS = 16 };
	char digits[MOST_DIGITS + 1] = "";
	if (text.n == 0 || text.n > MOST_DIGITS || !str_all_hex(text)) {
		return false;
	}
	memcpy(digits, text.p, text.n);
	*value = strtoull(digits, NULL, 16);
	return true;
}

bool event_raw(struct str name, __u64 *config) {
	uint64_t value;
	if (!str_starts(name, STR("r"))) {
		return false;
	}
	name = str_from(name, str_starts(name, STR("r0x")) ? 3 : 1);
	if (!event_parse_hex(name, &value)) {
		return false;
	}
	*config = value;
	return true;
}

/** Return whether an event counts time. */
static bool event_names_is_clock(const struct perf_event_attr *attr) {
	return attr->type == PERF_TYPE_SOFTWARE && (attr->config == PERF_COUNT_SW_CPU_CLOCK ||
						    attr->config == PERF_COUNT_SW_TASK_CLOCK);
}

bool event_is_occurrence(const struct perf_event_attr *attr) {
	return attr->type == PERF_TYPE_TRACEPOINT || attr->type == PERF_TYPE_BREAKPOINT ||
	       (attr->type == PERF_TYPE_SOFTWARE && !event_names_is_clock(attr));
}

void event_each_name(void (*each)(void *context, struct str name), void *context) {
	for (size_t i = 0; i < EVENT_NAMES; i++) {
		each(context, str_of(event_names[i].name));
		if (event_names[i].other != NULL) {
			each(context, str_of(event_names[i].other));
		}
	}
	for (int level = 0; level < CACHE_LEVELS; level++) {
		event_names_each_cache_name(level, each, context);
	}
}
