/*
 * make-folded FRAMES [SEED]: writes a synthetic profile with FRAMES distinct frames in its call
 * tree, as sorted folded text.
 *
 * Stacks are added one after another by a Chinese restaurant process. At every frame, a stack goes
 * to an existing callee, with a probability in proportion to the number of stacks that went there
 * before, or to a new callee. A new callee gets a used name, with a probability in proportion to
 * its uses, or a new name. So few paths and few names are frequent and very many are rare, as in
 * recordings; the counts of stacks have a heavy tail, too. The same arguments give the same bytes
 * everywhere.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	SHALLOWEST = 11, // depth from which new frames may end a stack
	DEEPEST = 44,    // depth at which all frames end a stack
	NAME_ROOM = 64,
	WORD_BITS = 5,
	NAME_BITS = 5 * WORD_BITS
};

static const double NEW_CALLEE = 0.08; // weight of a new callee, relative to the number of stacks
static const double CALLEE_DISCOUNT = 0.02; // discount of each callee in favour of new ones
static const double END_IN_NEW = 0.47;      // chance that a new frame is the last of its stack
static const double NEW_NAME = 16;          // the same two parameters for names; with these values,
static const double NAME_DISCOUNT = 0.65;   // n frames have about 4 * n ^ 0.65 names
static const double TAIL = 1.45;            // exponent of the counts' Pareto distribution
static const double MOST = 1e6;             // the largest count

static const char *const PLACES[] = {
	"alloc",     "application", "async",   "audio",    "auth",   "base",   "cache",
	"cloud",     "core",        "data",    "database", "disk",   "engine", "graph",
	"interface", "http",        "image",   "index",    "input",  "kernel", "mathematics",
	"media",     "mesh",        "network", "query",    "remote", "scene",  "collections",
	"store",     "sync",        "text",    "video"};
static const char *const MODULES[] = {
	"arena",  "array",    "batch", "block",      "buffer",      "chunk",           "codec",
	"column", "cursor",   "event", "field",      "filter",      "format",          "frame",
	"handle", "document", "layer", "lexer",      "linked_list", "journal",         "hashtable",
	"matrix", "message",  "node",  "packet",     "page",        "connection_pool", "queue",
	"region", "schema",   "shard", "search_tree"};
static const char *const TYPES[] = {
	"Adapter",        "Backend",  "Bridge",    "Builder",  "Channel",  "Client",
	"Context",        "Driver",   "Engine",    "Executor", "Factory",  "Transaction",
	"Implementation", "Iterator", "Allocator", "Loader",   "Manager",  "Mapper",
	"Observer",       "Planner",  "Proxy",     "Reader",   "Registry", "Resolver",
	"Router",         "Server",   "Session",   "Stream",   "Table",    "Scheduler",
	"Visitor",        "Writer"};
static const char *const VERBS[] = {
	"apply",  "assign", "bind",    "build",  "close",  "commit", "compare",  "copy",
	"decode", "drain",  "emit",    "encode", "expand", "fetch",  "look_for", "flush",
	"hash",   "insert", "load",    "merge",  "open",   "parse",  "poll",     "push",
	"read",   "render", "resolve", "scan",   "send",   "split",  "update",   "write"};
static const char *const THINGS[] = {
	"all",   "batch", "bits",  "block", "body",   "bytes", "cell",   "chunk",
	"delta", "edge",  "entry", "field", "frame",  "group", "header", "item",
	"key",   "line",  "next",  "node",  "offset", "pair",  "path",   "range",
	"row",   "slice", "slot",  "step",  "tail",   "token", "value",  "word"};

struct make_folded_frame {
	uint32_t name;
	uint32_t first; // the first callee, in order of arrival; 0: none
	uint32_t last;
	uint32_t next; // the next callee of the same caller
	uint32_t callees;
	uint32_t profile; // number of stacks that continued to a callee
	uint64_t count;   // count of the stack that ends here
};

struct make_folded_maker {
	struct make_folded_frame *frames; // 0 is the caller of the outermost functions
	uint32_t *names; // names of all frames: a random item is a name in proportion to its uses
	uint32_t used;
	uint32_t wanted;
	uint32_t named; // number of distinct names
	uint64_t random;
};

static void *make_folded_allocate(size_t n, size_t size) {
	void *memory = calloc(n, size);
	if (!memory) {
		fputs("make-folded: out of memory\n", stderr);
		exit(1);
	}
	return memory;
}

/** splitmix64: the next 64 random bits of a sequence. */
static uint64_t make_folded_bits(struct make_folded_maker *m) {
	uint64_t z = m->random += 0x9e3779b97f4a7c15;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/** A random number of at least 0 and less than 1. */
static double make_folded_chance(struct make_folded_maker *m) {
	return (double)(make_folded_bits(m) >> 11) / 9007199254740992.0;
}

/**
 * A random count of 1 or more, by a Pareto distribution, in which a few large values carry much of
 * the sum.
 */
static uint64_t make_folded_heavy_count(struct make_folded_maker *m) {
	double left = 1 - make_folded_chance(m);
	double count = 1;
	// Compute left ^ (-1 / TAIL) without the mathematics library, whose results differ in the
	// last bit between systems.
	for (double step = 1 + TAIL / 16; left * step < 1 && count < MOST; left *= step) {
		count *= 1 + 1.0 / 16;
	}
	return (uint64_t)count;
}

// Names

/** Puts the numbers below 2^NAME_BITS into another order. */
static uint32_t make_folded_shuffled(uint32_t i) {
	const uint32_t mask = (1u << NAME_BITS) - 1;
	i = (i ^ i >> 13) * 0x2c1b3c6d & mask;
	i = (i ^ i >> 12) * 0x297a2d39 & mask;
	return i ^ i >> 14;
}

static void make_folded_write_name(uint32_t name, char text[static NAME_ROOM]) {
	uint32_t word[5];
	uint32_t left = make_folded_shuffled(name);
	for (int i = 0; i < 5; i++, left >>= WORD_BITS) {
		word[i] = left & ((1u << WORD_BITS) - 1);
	}
	snprintf(text, NAME_ROOM, "%s::%s::%s::%s_%s", PLACES[word[0]], MODULES[word[1]],
		 TYPES[word[2]], VERBS[word[3]], THINGS[word[4]]);
}

static bool make_folded_calls(const struct make_folded_maker *m, uint32_t caller, uint32_t name) {
	for (uint32_t i = m->frames[caller].first; i; i = m->frames[i].next) {
		if (m->frames[i].name == name) {
			return true;
		}
	}
	return false;
}

/** Returns a name that no callee of the caller has yet. */
static uint32_t make_folded_choose_name(struct make_folded_maker *m, uint32_t caller) {
	for (;;) {
		double at = make_folded_chance(m) * (m->used + NEW_NAME);
		if (at < NEW_NAME + NAME_DISCOUNT * m->named) {
			return m->named++;
		}
		// Apply the discount: keep a drawn name with n uses in (n - discount) of n draws.
		uint32_t by = (uint32_t)(make_folded_bits(m) % m->used);
		if (!make_folded_calls(m, caller, m->names[by])) {
			return m->names[by];
		}
	}
}

// Stacks

static uint32_t make_folded_add_callee(struct make_folded_maker *m, uint32_t caller) {
	uint32_t name = make_folded_choose_name(m, caller);
	uint32_t i = ++m->used;
	m->names[i - 1] = name;
	m->frames[i].name = name;
	struct make_folded_frame *from = &m->frames[caller];
	if (from->last) {
		m->frames[from->last].next = i;
	} else {
		from->first = i;
	}
	from->last = i;
	from->callees++;
	return i;
}

/** Returns the callee to which a stack continues from a frame, or 0 for a new callee. */
static uint32_t make_folded_choose_callee(struct make_folded_maker *m, uint32_t caller) {
	const struct make_folded_frame *from = &m->frames[caller];
	double at = make_folded_chance(m) * (from->profile + NEW_CALLEE) - NEW_CALLEE;
	at -= CALLEE_DISCOUNT * from->callees;
	uint32_t i = at < 0 ? 0 : from->first;
	while (i && (at -= m->frames[i].profile - CALLEE_DISCOUNT) >= 0) {
		i = m->frames[i].next;
	}
	return i;
}

/** Adds a stack that ends in at least one new frame. */
static void make_folded_add_stack(struct make_folded_maker *m) {
	uint32_t at = 0;
	bool fresh = false;
	for (int depth = 0; depth < DEEPEST && m->used < m->wanted; depth++) {
		uint32_t to = fresh ? 0 : make_folded_choose_callee(m, at);
		if (fresh && depth >= SHALLOWEST && make_folded_chance(m) < END_IN_NEW) {
			break;
		}
		fresh = to == 0;
		m->frames[at].profile++;
		at = fresh ? make_folded_add_callee(m, at) : to;
	}
	m->frames[at].count += make_folded_heavy_count(m);
}

// Text

struct callee {
	uint32_t frame;
	char name[NAME_ROOM];
};

static int make_folded_compare_names(const void *a, const void *b) {
	const struct callee *one = a, *other = b;
	return strcmp(one->name, other->name);
}

/** Writes the stacks that contain a frame, in the order of their text. `stack` is the text up to
 * that frame. */
static void make_folded_print(const struct make_folded_maker *m, uint32_t at, char *stack,
			      size_t length) {
	const struct make_folded_frame *frame = &m->frames[at];
	if (frame->count) {
		stack[length] = '\0';
		printf("%s %llu\n", stack, (unsigned long long)frame->count);
	}
	if (!frame->callees) {
		return;
	}
	struct callee *callees = make_folded_allocate(frame->callees, sizeof *callees);
	size_t n = 0;
	for (uint32_t i = frame->first; i; i = m->frames[i].next) {
		callees[n].frame = i;
		make_folded_write_name(m->frames[i].name, callees[n++].name);
	}
	qsort(callees, n, sizeof *callees, make_folded_compare_names);
	for (size_t i = 0; i < n; i++) {
		size_t end = length;
		if (end) {
			stack[end++] = ';';
		}
		memcpy(stack + end, callees[i].name, strlen(callees[i].name));
		make_folded_print(m, callees[i].frame, stack, end + strlen(callees[i].name));
	}
	free(callees);
}

int main(int argc, char **argv) {
	unsigned long wanted = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
	if (argc > 3 || wanted < 1 || wanted > 10000000) {
		fputs("usage: make-folded FRAMES [SEED], with at most 10000000 frames\n", stderr);
		return 2;
	}
	struct make_folded_maker m = {
		.frames = make_folded_allocate(wanted + 1, sizeof *m.frames),
		.names = make_folded_allocate(wanted, sizeof *m.names),
		.wanted = (uint32_t)wanted,
		.random = argc > 2 ? strtoull(argv[2], NULL, 10) : 1,
	};
	while (m.used < m.wanted) {
		make_folded_add_stack(&m);
	}
	static char stack[(DEEPEST + 1) * NAME_ROOM];
	make_folded_print(&m, 0, stack, 0);
	free(m.frames);
	free(m.names);
	if (fflush(stdout) || ferror(stdout)) {
		perror("make-folded");
		return 1;
	}
	return 0;
}
