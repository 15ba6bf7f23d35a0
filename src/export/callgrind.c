/* callgrind: functions and calls in the format of callgrind, a tool of valgrind. KCachegrind,
 * callgrind_annotate and other programs read this format. For each function, the format has the
 * self costs of the function's lines, and the inclusive cost of each of its calls. */
#include <stdlib.h>

#include "base/utf8.h"
#include "export/exporter.h"
#include "profile/sites.h"

/** A function with its file and its module. The members are indices into `texts`. */
struct callgrind_place {
	uint32_t name, file, module;
};

/** The self count of a line of a function, or the count of a call from that line. */
struct callgrind_cost {
	uint32_t function, line;
	uint32_t callee; // UINT32_MAX: this is the self count of the line
	uint32_t next;   // next cost of the same function; UINT32_MAX: end of the list
	uint64_t count;
	uint64_t last_stack; // number of the last stack with this call, so that each stack counts
			     // only once
};

/** A frame of the stack that is being added. */
struct callgrind_frame {
	uint32_t function, line;
};

struct callgrind_writer {
	struct output *out;
	const struct view *view;
	struct intern texts, functions, costs;
	struct callgrind_cost *items; // the costs; the index is the id
	size_t items_n, items_capacity;
	uint32_t *first, *last; // for each function, its first and its last cost
	size_t first_capacity, last_capacity, functions_n;
	uint64_t *on_stack; // for each function, the number of the last stack that contains it
	size_t on_stack_capacity;
	uint64_t stack;
	struct callgrind_frame *frames; // frames of the stack, root first
	size_t frames_capacity;
	struct intern shown[3]; // names of functions, of files and of modules that were written
				// already
	struct buf line;
};

static uint32_t callgrind_add_text(struct callgrind_writer *writer, struct str text) {
	return intern_get(&writer->texts, text.p, text.n)->id;
}

/** Return the number of a function. */
static uint32_t callgrind_add_function(struct callgrind_writer *writer,
				       const struct callgrind_place *place) {
	uint32_t id = intern_get(&writer->functions, place, sizeof(*place))->id;
	if (id == writer->functions_n) {
		size_t n = ++writer->functions_n;
		MEM_GROW(writer->first, writer->first_capacity, n);
		MEM_GROW(writer->last, writer->last_capacity, n);
		MEM_GROW(writer->on_stack, writer->on_stack_capacity, n);
		writer->first[id] = writer->last[id] = UINT32_MAX;
		writer->on_stack[id] = 0;
	}
	return id;
}

/** Return the cost of a line, or of a call from this line. */
static struct callgrind_cost *callgrind_add_cost(struct callgrind_writer *writer,
						 struct callgrind_frame frame, uint32_t callee) {
	const uint32_t key[] = {frame.function, frame.line, callee};
	uint32_t id = intern_get(&writer->costs, key, sizeof(key))->id;
	if (id == writer->items_n) {
		MEM_GROW(writer->items, writer->items_capacity, id + (size_t)1);
		writer->items[writer->items_n++] = (struct callgrind_cost){
			frame.function, frame.line, callee, UINT32_MAX, 0, 0};
		uint32_t last = writer->last[frame.function];
		*(last == UINT32_MAX ? &writer->first[frame.function] : &writer->items[last].next) =
			id;
		writer->last[frame.function] = id;
	}
	return &writer->items[id];
}

/** Add a stack. Count each call only once in a stack. Do not count a call whose callee is already
 * one of the callers: otherwise the count of a recursive function would be added twice. */
static void callgrind_add_stack(struct callgrind_writer *writer, size_t n, uint64_t count) {
	const struct callgrind_frame *frames = writer->frames;
	writer->stack++;
	for (size_t i = 0; i < n; i++) {
		uint64_t *seen = &writer->on_stack[frames[i].function];
		if (i > 0 && *seen != writer->stack) {
			struct callgrind_cost *call =
				callgrind_add_cost(writer, frames[i - 1], frames[i].function);
			call->count += call->last_stack == writer->stack ? 0 : count;
			call->last_stack = writer->stack;
		}
		*seen = writer->stack;
	}
	if (n > 0) {
		callgrind_add_cost(writer, frames[n - 1], UINT32_MAX)->count += count;
	}
}

static void callgrind_put_frame(struct callgrind_writer *writer, size_t at,
				const struct callgrind_place *place, uint32_t line) {
	MEM_GROW(writer->frames, writer->frames_capacity, at + 1);
	writer->frames[at] = (struct callgrind_frame){callgrind_add_function(writer, place), line};
}

/** Add the stacks of a tree, whose frames have only names. */
static void callgrind_add_tree(struct callgrind_writer *writer) {
	const struct tree *tree = writer->view->tree;
	for (size_t i = 0; i < tree->n; i++) {
		const struct call_item *frame = &tree->frames[i];
		if (frame->depth > 0) {
			const struct callgrind_place place = {
				callgrind_add_text(writer, tree_name(writer->view->profile, frame)),
				0, 0};
			callgrind_put_frame(writer, frame->depth - 1, &place, 0);
		}
		if (frame->count > 0) {
			callgrind_add_stack(writer, frame->depth, frame->count);
		}
	}
}

/** Add the stacks of sites, whose frames have files, lines and modules. */
static void callgrind_add_sites(struct callgrind_writer *writer, const struct sites *sites) {
	struct ids room = {0};
	for (uint32_t i = 0; i < sites->stacks.table.count; i++) {
		struct stack_row row = stacks_get(&sites->stacks, i, &room);
		size_t n = 0;
		for (size_t k = 0; k < row.depth; k++) {
			const struct site *site = sites_get(sites, row.ids[k]);
			if (site->kind == SITE_LABEL) {
				continue;
			}
			struct str name = profile_name(writer->view->profile,
						       sites->names[row.ids[k] & ~SITE_FLAG]);
			struct site_module module = sites_module_of(sites, site->module);
			const struct callgrind_place place = {
				callgrind_add_text(writer, name),
				callgrind_add_text(writer, sites_text_of(sites, site->file)),
				callgrind_add_text(writer, sites_text_of(sites, module.file))};
			callgrind_put_frame(writer, n++, &place, site->line);
		}
		if (row.count > 0) {
			callgrind_add_stack(writer, n, row.count);
		}
	}
	ids_release(&room);
}

/* --- Lines ----------------------------------------------------------------------------------- */

enum { CALLGRIND_SHOWN_NAMES, CALLGRIND_SHOWN_FILES, CALLGRIND_SHOWN_MODULES };

/** Write `KEY=(ID) NAME`. If the name was written before, write only `KEY=(ID)`. */
static void callgrind_write_name(struct callgrind_writer *writer, const char *key, unsigned kind,
				 uint32_t text) {
	const struct intern_key *name = writer->texts.keys[text];
	uint32_t before = writer->shown[kind].count;
	uint32_t id = intern_get(&writer->shown[kind], &text, sizeof(text))->id;
	buf_printf(&writer->line, "%s=(%u)", key, (unsigned)id + 1);
	if (id == before) {
		buf_add_char(&writer->line, ' ');
		if (name->len == 0) {
			buf_add_text(&writer->line,
				     kind == CALLGRIND_SHOWN_NAMES ? "[unknown]" : "???");
		} else {
			utf8_repair(&writer->line, intern_str(name));
		}
	}
	buf_add_char(&writer->line, '\n');
}

static void callgrind_write_call(struct callgrind_writer *writer, const struct callgrind_cost *cost,
				 const struct callgrind_place *caller) {
	struct callgrind_place callee;
	memcpy(&callee, writer->functions.keys[cost->callee]->bytes, sizeof(callee));
	if (callee.module != caller->module) {
		callgrind_write_name(writer, "cob", CALLGRIND_SHOWN_MODULES, callee.module);
	}
	callgrind_write_name(writer, "cfi", CALLGRIND_SHOWN_FILES, callee.file);
	callgrind_write_name(writer, "cfn", CALLGRIND_SHOWN_NAMES, callee.name);
	buf_add_text(&writer->line, "calls=1 0\n"); // write 1, because the number of calls is not
						    // known
}

/** Write a function: the counts of its lines, and of its calls. */
static void callgrind_write_function(struct callgrind_writer *writer, uint32_t function) {
	struct callgrind_place place;
	memcpy(&place, writer->functions.keys[function]->bytes, sizeof(place));
	buf_clear(&writer->line);
	buf_add_char(&writer->line, '\n');
	callgrind_write_name(writer, "ob", CALLGRIND_SHOWN_MODULES, place.module);
	callgrind_write_name(writer, "fl", CALLGRIND_SHOWN_FILES, place.file);
	callgrind_write_name(writer, "fn", CALLGRIND_SHOWN_NAMES, place.name);
	for (unsigned calls = 0; calls < 2; calls++) { // write the lines first, and then the calls,
						       // as the format requires
		for (uint32_t i = writer->first[function]; i != UINT32_MAX;
		     i = writer->items[i].next) {
			const struct callgrind_cost *cost = &writer->items[i];
			if ((cost->callee != UINT32_MAX) != (calls == 1)) {
				continue;
			}
			if (calls == 1) {
				callgrind_write_call(writer, cost, &place);
			}
			buf_printf(&writer->line, "%u %llu\n", (unsigned)cost->line,
				   (unsigned long long)cost->count);
		}
	}
	output_add_str(writer->out, buf_str(&writer->line));
}

/** Write the header with the name of the counts and their sum. */
static void callgrind_write_head(struct callgrind_writer *writer) {
	struct buf unit = {0};
	utf8_repair(&unit, buf_str(&writer->view->profile->unit));
	for (size_t i = 0; i < unit.n; i++) {
		unit.p[i] = is_graphic(unit.p[i]) ? unit.p[i] : '_'; // the name must be one word
	}
	buf_printf(&writer->line,
		   "# callgrind format\nversion: 1\ncreator: inferno\npositions: line\nevents: "
		   "%s\nsummary: %llu\n",
		   unit.n > 0 ? buf_text(&unit) : "samples", (unsigned long long)writer->view->sum);
	output_add_str(writer->out, buf_str(&writer->line));
	buf_release(&unit);
}

static void callgrind_free(struct callgrind_writer *writer) {
	struct intern *tables[] = {&writer->texts,    &writer->functions, &writer->costs,
				   &writer->shown[0], &writer->shown[1],  &writer->shown[2]};
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		intern_release(tables[i]);
	}
	free(writer->items);
	free(writer->first);
	free(writer->last);
	free(writer->on_stack);
	free(writer->frames);
	buf_release(&writer->line);
}

static int callgrind_write(void *state, struct output *out, const struct view *view,
			   const struct opt_set *options, struct diag *diag) {
	(void)state, (void)options, (void)diag;
	struct callgrind_writer writer = {.out = out, .view = view};
	const struct sites *sites = view_sites(view);
	callgrind_add_text(&writer, STR("")); // index 0 stands for an unknown file or module
	if (sites != NULL) {
		callgrind_add_sites(&writer, sites);
	} else {
		callgrind_add_tree(&writer);
	}
	callgrind_write_head(&writer);
	for (uint32_t i = 0; i < writer.functions_n; i++) {
		callgrind_write_function(&writer, i);
	}
	callgrind_free(&writer);
	return 0;
}

const struct exporter exporter_callgrind = {
	.name = "callgrind",
	.suffixes = ".callgrind",
	.prefix = "callgrind.out.",
	.brief = "functions and calls, for KCachegrind and callgrind_annotate",
	.needs = EXPORT_ONE | EXPORT_TREE | EXPORT_SITES,
	.bits = 63,
	.write = callgrind_write,
};
