/* firefox: a processed profile of the Firefox Profiler, in version 60 of its format. Newer versions
 * of the Firefox Profiler convert this version. In this version, all threads share their tables. A
 * call is a row in the table of stacks, whose column `prefix` has the caller. A row in the table of
 * frames has a line and an address. A row in the table of functions has a name and a file. */
#include "base/json_text.h"
#include "export/exporter.h"
#include "export/sited.h"
#include "profile/unit.h"

#define FIREFOX_META                                                                             \
	"\"processType\": 0, \"product\": \"inferno\", \"stackwalk\": 1, \"debug\": false, "     \
	"\"version\": 24, \"preprocessedProfileVersion\": 60, \"symbolicated\": true, "          \
	"\"markerSchema\": [], "                                                                 \
	"\"categories\": [{\"name\": \"Other\", \"color\": \"grey\", \"subcategories\": "        \
	"[\"Other\"]}], \"extensions\": {\"baseURL\": [], \"id\": [], \"length\": 0, \"name\": " \
	"[]}},\n\"pages\": [], \"counters\": [], \"profilerOverhead\": [],\n"

#define FIREFOX_THREAD                                                                           \
	", \"processName\": \"inferno\", \"isMainThread\": true, \"processType\": \"default\", " \
	"\"pid\": \"0\", \"processStartupTime\": 0, \"processShutdownTime\": null, "             \
	"\"registerTime\": 0, \"unregisterTime\": null, \"pausedRanges\": [], "                  \
	"\"showMarkersInTimeline\": false,\n"                                                    \
	"\"markers\": {\"length\": 0, \"category\": [], \"data\": [], \"endTime\": [], "         \
	"\"name\": [], \"phase\": [], \"startTime\": []}"

#define FIREFOX_SYMBOLS                                                                 \
	",\n\"nativeSymbols\": {\"length\": 0, \"address\": [], \"functionSize\": [], " \
	"\"libIndex\": [], \"name\": []}"

enum { FIREFOX_NS = -6 }; // power of ten that converts nanoseconds to milliseconds

/** A row of the table of functions. The struct is a key, so it must have no padding. Most fields
 * are indices of strings. */
struct firefox_function {
	uint32_t name, source, module, build_id, start_line;
};

struct firefox_writer {
	struct output *out;
	struct sited sited;
	struct intern strings;    // strings; the first string is empty, and stands for an unknown
				  // text
	struct intern functions;  // keys are struct firefox_function; the value is 1 + the index of
				  // the module
	struct ids function_of;   // for each frame, its function
	struct ids modules;       // for each module, a function in it
	struct intern sources;    // keys are strings: the names of files
	struct intern module_ids; // keys are modules: a path and a build id
	struct moments_cursor moment; // if times are known, the row of the last cell
	uint64_t last; // if times are known, the time of the last sample; otherwise, its
		       // count
	int power; // power of ten that converts counts to weights
	bool is_time, counts_bytes;
	struct buf text;
};

/** A function that adds a column's cell in a row to `writer->text`. If it adds nothing, the column
 * has no cell in this row. */
typedef void firefox_cell_fn(struct firefox_writer *writer, size_t row);

struct firefox_column {
	const char *name;
	firefox_cell_fn *cell;
};

/* --- Tables --------------------------------------------------------------------------------- */

/** Write a column, with the cells of the rows from `first` to before `end`. */
static void firefox_write_column(struct firefox_writer *writer, const char *name, size_t first,
				 size_t end, firefox_cell_fn *cell) {
	bool any = false;
	output_add_text(writer->out, ",\n\"");
	output_add_text(writer->out, name);
	output_add_text(writer->out, "\": [");
	for (size_t i = first; i < end; i++) {
		buf_clear(&writer->text);
		cell(writer, i);
		if (writer->text.n > 0) {
			output_add_text(writer->out, any ? "," : "");
			output_add_str(writer->out, buf_str(&writer->text));
			any = true;
		}
	}
	output_add_char(writer->out, ']');
}

static void firefox_begin_table(struct firefox_writer *writer, const char *name, size_t length) {
	buf_clear(&writer->text);
	buf_printf(&writer->text, ",\n\"%s\": {\"length\": %zu", name, length);
	output_add_str(writer->out, buf_str(&writer->text));
}

/** Write a table. The list of columns ends with a column without a name. */
static void firefox_write_table(struct firefox_writer *writer, const char *name, size_t first,
				size_t end, const struct firefox_column *columns) {
	firefox_begin_table(writer, name, end - first);
	for (; columns->name != NULL; columns++) {
		firefox_write_column(writer, columns->name, first, end, columns->cell);
	}
	output_add_char(writer->out, '}');
}

/* --- Cells ---------------------------------------------------------------------------------- */

static void firefox_add_zero(struct firefox_writer *writer, size_t row) {
	(void)row;
	buf_add_char(&writer->text, '0');
}

static void firefox_add_null(struct firefox_writer *writer, size_t row) {
	(void)row;
	buf_add_text(&writer->text, "null");
}

static void firefox_add_false(struct firefox_writer *writer, size_t row) {
	(void)row;
	buf_add_text(&writer->text, "false");
}

static void firefox_add_one(struct firefox_writer *writer, size_t row) {
	(void)row;
	buf_add_char(&writer->text, '1');
}

/** Add a number. A number of 0 is not known: add null. */
static void firefox_add_known(struct firefox_writer *writer, uint64_t number) {
	if (number == 0) {
		buf_add_text(&writer->text, "null");
	} else {
		buf_add_u64(&writer->text, number);
	}
}

static void firefox_add_row(struct firefox_writer *writer, size_t row) {
	buf_add_u64(&writer->text, row);
}

static const struct firefox_function *firefox_function(const struct firefox_writer *writer,
						       size_t number) {
	return (const void *)writer->functions.keys[number]->bytes;
}

/* --- Frames --------------------------------------------------------------------------------- */

static void firefox_add_function(struct firefox_writer *writer, size_t row) {
	buf_add_u64(&writer->text, writer->function_of.items[row]);
}

static void firefox_add_address(struct firefox_writer *writer, size_t row) {
	struct sited_frame frame = sited_frame(&writer->sited, (uint32_t)row);
	if (frame.module.n == 0 || frame.address > INT64_MAX) {
		buf_add_text(&writer->text, "-1");
	} else {
		buf_add_u64(&writer->text, frame.address);
	}
}

static void firefox_add_depth(struct firefox_writer *writer, size_t row) {
	buf_add_char(&writer->text, sited_frame(&writer->sited, (uint32_t)row).inlined ? '1' : '0');
}

static void firefox_add_line(struct firefox_writer *writer, size_t row) {
	firefox_add_known(writer, sited_frame(&writer->sited, (uint32_t)row).line);
}

static void firefox_add_column(struct firefox_writer *writer, size_t row) {
	firefox_add_known(writer, sited_frame(&writer->sited, (uint32_t)row).column);
}

static const struct firefox_column frame_columns[] = {
	{"address", firefox_add_address},    {"inlineDepth", firefox_add_depth},
	{"category", firefox_add_zero},      {"subcategory", firefox_add_zero},
	{"func", firefox_add_function},      {"nativeSymbol", firefox_add_null},
	{"innerWindowID", firefox_add_zero}, {"line", firefox_add_line},
	{"column", firefox_add_column},      {NULL, NULL},
};

/* --- Functions, modules, strings ------------------------------------------------------------ */

static void firefox_add_name(struct firefox_writer *writer, size_t row) {
	buf_add_u64(&writer->text, firefox_function(writer, row)->name);
}

static void firefox_add_resource(struct firefox_writer *writer, size_t row) {
	uint64_t module = writer->functions.keys[row]->value;
	if (module == 0) {
		buf_add_text(&writer->text, "-1");
	} else {
		buf_add_u64(&writer->text, module - 1);
	}
}

/** Add the number of the function's file, or null if the file is not known. */
static void firefox_add_source(struct firefox_writer *writer, size_t row) {
	uint32_t source = firefox_function(writer, row)->source;
	if (source == 0) {
		buf_add_text(&writer->text, "null");
	} else {
		buf_add_u64(&writer->text, source - UINT32_C(1));
	}
}

/** Add the string of a file's name. */
static void firefox_add_file(struct firefox_writer *writer, size_t row) {
	uint32_t string;
	memcpy(&string, writer->sources.keys[row]->bytes, sizeof(string));
	buf_add_u64(&writer->text, string);
}

static void firefox_add_start(struct firefox_writer *writer, size_t row) {
	firefox_add_known(writer, firefox_function(writer, row)->start_line);
}

static const struct firefox_column function_columns[] = {
	{"name", firefox_add_name},           {"isJS", firefox_add_false},
	{"relevantForJS", firefox_add_false}, {"resource", firefox_add_resource},
	{"source", firefox_add_source},       {"lineNumber", firefox_add_start},
	{"columnNumber", firefox_add_null},   {NULL, NULL},
};

static const struct firefox_column source_columns[] = {
	{"id", firefox_add_null}, {"filename", firefox_add_file}, {NULL, NULL}};

/** Add the number of a module's path. */
static void firefox_add_module(struct firefox_writer *writer, size_t row) {
	buf_add_u64(&writer->text, firefox_function(writer, writer->modules.items[row])->module);
}

static const struct firefox_column resource_columns[] = {
	{"lib", firefox_add_row},
	{"name", firefox_add_module},
	{"host", firefox_add_null},
	{"type", firefox_add_one},
	{NULL, NULL},
};

static void firefox_add_string(struct firefox_writer *writer, size_t row) {
	json_add_string(&writer->text, intern_str(writer->strings.keys[row]));
}

/** Add the id that Breakpad derives from a build id. Breakpad takes the build id for a GUID: in its
 * first three parts, the lowest byte comes first. */
static void firefox_add_breakpad_id(struct buf *text, struct str build_id) {
	static const unsigned char order[] = {3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};
	if (build_id.n < 2 * sizeof(order)) {
		return;
	}
	for (size_t i = 0; i < 2 * sizeof(order); i++) {
		char digit = build_id.p[2 * order[i / 2] + i % 2];
		buf_add_char(text,
			     digit >= 'a' && digit <= 'f' ? (char)(digit - 'a' + 'A') : digit);
	}
	buf_add_char(text, '0');
}

static void firefox_write_modules(struct firefox_writer *writer) {
	struct buf id = {0};
	for (size_t i = 0; i < writer->modules.n; i++) {
		const struct firefox_function *function =
			firefox_function(writer, writer->modules.items[i]);
		struct str path = intern_str(writer->strings.keys[function->module]);
		struct str build_id = intern_str(writer->strings.keys[function->build_id]);
		struct str name =
			str_from(path, str_find_last(path, '/') + 1); // if the path has no slash,
								      // this starts at 0
		const struct {
			const char *key;
			struct str text;
		} members[] = {{"arch", STR("")},      {"name", name},      {"path", path},
			       {"debugName", name},    {"debugPath", path}, {"codeId", build_id},
			       {"breakpadId", STR("")}};
		enum { MEMBERS = sizeof(members) / sizeof(members[0]) };
		buf_clear(&id);
		firefox_add_breakpad_id(&id, build_id);
		buf_set_text(&writer->text, i == 0 ? "\n" : ",\n");
		for (size_t k = 0; k < MEMBERS; k++) {
			buf_printf(&writer->text, "%s\"%s\": ", k == 0 ? "{" : ", ",
				   members[k].key);
			json_add_string(&writer->text,
					k + 1 < MEMBERS ? members[k].text : buf_str(&id));
		}
		buf_add_char(&writer->text, '}');
		output_add_str(writer->out, buf_str(&writer->text));
	}
	buf_release(&id);
}

static uint32_t firefox_string(struct firefox_writer *writer, struct str text) {
	return intern_get(&writer->strings, text.p, text.n)->id;
}

/** Give a number to the module of a new function. */
static void firefox_number_module(struct firefox_writer *writer, struct intern_key *key) {
	const struct firefox_function *function = (const void *)key->bytes;
	uint32_t module[] = {function->module, function->build_id};
	uint32_t id = intern_get(&writer->module_ids, module, sizeof(module))->id;
	if (id == writer->modules.n) {
		ids_push(&writer->modules, key->id);
	}
	key->value = id + UINT64_C(1);
}

/** Return 1 + the number of a file, or 0 if the file is not known. */
static uint32_t firefox_source(struct firefox_writer *writer, struct str file) {
	uint32_t string = firefox_string(writer, file);
	return string == 0 ? 0 : intern_get(&writer->sources, &string, sizeof(string))->id + 1;
}

/** Give functions, modules, files and strings their numbers. */
static void firefox_number(struct firefox_writer *writer) {
	firefox_string(writer, STR(""));
	for (uint32_t i = 0; i < writer->sited.frames.n; i++) {
		struct sited_frame frame = sited_frame(&writer->sited, i);
		const struct firefox_function function = {
			.name = firefox_string(writer, frame.name),
			.source = firefox_source(writer, frame.file),
			.module = firefox_string(writer, frame.module),
			.build_id = firefox_string(writer, frame.build_id),
			.start_line = frame.start_line,
		};
		struct intern_key *key =
			intern_get(&writer->functions, &function, sizeof(function));
		if (frame.module.n > 0 && key->value == 0) {
			firefox_number_module(writer, key);
		}
		ids_push(&writer->function_of, key->id);
	}
}

/* --- Stacks and samples --------------------------------------------------------------------- */

static void firefox_add_prefix(struct firefox_writer *writer, size_t row) {
	uint32_t caller = writer->sited.nodes[row].caller;
	if (caller == 0) {
		buf_add_text(&writer->text, "null");
	} else {
		buf_add_u64(&writer->text, caller - UINT32_C(1));
	}
}

static void firefox_add_frame(struct firefox_writer *writer, size_t row) {
	buf_add_u64(&writer->text, writer->sited.nodes[row].frame);
}

static void firefox_add_stack(struct firefox_writer *writer, size_t row) {
	if (writer->sited.nodes[row].count > 0) {
		buf_add_u64(&writer->text, row - 1);
	}
}

static void firefox_add_weight(struct firefox_writer *writer, size_t row) {
	if (writer->sited.nodes[row].count > 0) {
		buf_add_power(&writer->text, writer->sited.nodes[row].count, writer->power);
	}
}

/** Add the time since the previous sample. If counts are times, this time is the count of the
 * previous sample, so that all samples together last as long as the total. */
static void firefox_add_delta(struct firefox_writer *writer, size_t row) {
	uint64_t count = writer->sited.nodes[row].count;
	if (count > 0) {
		buf_add_power(&writer->text, writer->is_time ? writer->last : 1, writer->power);
		writer->last = count;
	}
}

static const struct firefox_column stack_columns[] = {
	{"prefix", firefox_add_prefix}, {"frame", firefox_add_frame}, {NULL, NULL}};

static const struct firefox_column sample_columns[] = {{"stack", firefox_add_stack},
						       {"weight", firefox_add_weight},
						       {"timeDeltas", firefox_add_delta},
						       {NULL, NULL}};

/* --- Samples with times --------------------------------------------------------------------- */

/** Return the moment of the next row. */
static const struct moment *firefox_next_moment(struct firefox_writer *writer) {
	(void)moments_next(&writer->moment);
	return &writer->moment.now;
}

static void firefox_add_moment_stack(struct firefox_writer *writer, size_t row) {
	(void)row;
	uint32_t node = writer->sited.ends[firefox_next_moment(writer)->stack];
	if (node == 0) {
		buf_add_text(&writer->text, "null");
	} else {
		buf_add_u64(&writer->text, node - UINT32_C(1));
	}
}

static void firefox_add_moment_weight(struct firefox_writer *writer, size_t row) {
	(void)row;
	buf_add_power(&writer->text, firefox_next_moment(writer)->count, writer->power);
}

/** Add the time since the previous sample of the thread, in milliseconds. For the first sample of a
 * thread, add the time since the first sample of all threads. */
static void firefox_add_moment_delta(struct firefox_writer *writer, size_t row) {
	(void)row;
	uint64_t time = firefox_next_moment(writer)->from;
	buf_add_power(&writer->text, time - writer->last, FIREFOX_NS);
	writer->last = time;
}

static const struct firefox_column moment_columns[] = {{"stack", firefox_add_moment_stack},
						       {"weight", firefox_add_moment_weight},
						       {"timeDeltas", firefox_add_moment_delta},
						       {NULL, NULL}};

/* --- Threads -------------------------------------------------------------------------------- */

/** Write a thread, with its moments, or with all nodes if times are not known. `moments` is the
 * index of the thread's moments. */
static void firefox_write_thread(struct firefox_writer *writer, struct str name, uint32_t tid,
				 uint32_t moments) {
	const struct sited *sited = &writer->sited;
	bool timed = sited->moments != NULL;
	size_t n = timed ? sited->moments->threads[moments].n : sited->stacks;
	const struct firefox_column *columns = timed ? moment_columns : sample_columns;
	buf_set_text(&writer->text, tid == 0 ? "{\"name\": " : ",\n{\"name\": ");
	json_add_string(&writer->text, name);
	buf_printf(&writer->text, ", \"tid\": %lu", (unsigned long)tid);
	output_add_str(writer->out, buf_str(&writer->text));
	output_add_text(writer->out, FIREFOX_THREAD);
	firefox_begin_table(writer, "samples", n);
	output_add_text(writer->out, ", \"weightType\": \"");
	output_add_text(writer->out, writer->is_time        ? "tracing-ms"
				     : writer->counts_bytes ? "bytes"
							    : "samples");
	output_add_char(writer->out, '"');
	for (; columns->name != NULL; columns++) {
		if (timed) {
			writer->moment = moments_start(sited->moments, moments);
			firefox_write_column(writer, columns->name, 0, n, columns->cell);
		} else {
			firefox_write_column(writer, columns->name, 1, sited->n, columns->cell);
		}
	}
	output_add_text(writer->out, "}}");
}

/** Write the samples of each thread. If the times of samples are not known, write all samples as
 * one thread. */
static void firefox_write_threads(struct firefox_writer *writer) {
	const struct time_buckets *buckets = writer->sited.view->profile->time_buckets;
	const struct moments *moments = writer->sited.moments;
	uint32_t tid = 0;
	if (moments == NULL) {
		firefox_write_thread(writer, STR("all"), 0, 0);
		return;
	}
	for (uint32_t i = 0; i < moments->threads_n; i++) {
		if (moments->threads[i].n > 0) {
			struct str name = intern_str(buckets->threads.keys[i]);
			writer->last = buckets->first;
			firefox_write_thread(writer, name.n > 0 ? name : STR("others"), tid++, i);
		}
	}
}

static void firefox_write_shared(struct firefox_writer *writer) {
	output_add_text(writer->out, "],\n\"shared\": {\"stringArray\": [");
	for (size_t i = 0; i < writer->strings.count; i++) {
		buf_set_text(&writer->text, i > 0 ? "," : "");
		firefox_add_string(writer, i);
		output_add_str(writer->out, buf_str(&writer->text));
	}
	output_add_char(writer->out, ']');
	firefox_write_table(writer, "stackTable", 1, writer->sited.n, stack_columns);
	firefox_write_table(writer, "frameTable", 0, writer->sited.frames.n, frame_columns);
	firefox_write_table(writer, "funcTable", 0, writer->functions.count, function_columns);
	firefox_write_table(writer, "resourceTable", 0, writer->modules.n, resource_columns);
	firefox_write_table(writer, "sources", 0, writer->sources.count, source_columns);
	output_add_text(writer->out, FIREFOX_SYMBOLS "}}\n");
}

/** Choose the type of weights for the counts of a profile. */
static void firefox_find_weights(struct firefox_writer *writer, struct str unit) {
	int power = unit_power(unit);
	writer->is_time = power >= 0;
	writer->power = power >= 0 ? power + FIREFOX_NS : 0;
	writer->counts_bytes = unit_of(unit).kind == UNIT_BYTES;
}

/** Write the start of the file. All times are relative to the first sample. */
static void firefox_write_meta(struct firefox_writer *writer) {
	const struct time_buckets *buckets = writer->sited.view->profile->time_buckets;
	buf_set_text(&writer->text, "{\"meta\": {\"interval\": 1, \"startTime\": ");
	buf_add_power(&writer->text, writer->sited.moments == NULL ? 0 : buckets->first,
		      FIREFOX_NS);
	buf_add_text(&writer->text, ", ");
	output_add_str(writer->out, buf_str(&writer->text));
	output_add_text(writer->out, FIREFOX_META "\"libs\": [");
	firefox_write_modules(writer);
	output_add_text(writer->out, "],\n\"threads\": [");
}

static int firefox_write(void *state, struct output *out, const struct view *view,
			 const struct opt_set *options, struct diag *diag) {
	(void)state, (void)options;
	struct firefox_writer writer = {.out = out};
	sited_init(&writer.sited, view);
	int result = sited_take_moments(&writer.sited, diag);
	firefox_number(&writer);
	firefox_find_weights(&writer, buf_str(&view->profile->unit));
	firefox_write_meta(&writer);
	firefox_write_threads(&writer);
	firefox_write_shared(&writer);
	sited_release(&writer.sited);
	intern_release(&writer.strings);
	intern_release(&writer.functions);
	intern_release(&writer.sources);
	intern_release(&writer.module_ids);
	ids_release(&writer.function_of);
	ids_release(&writer.modules);
	buf_release(&writer.text);
	return result;
}

const struct exporter exporter_firefox = {
	.name = "firefox",
	.suffixes = ".firefox.json .profile.json",
	.brief = "a profile for the Firefox Profiler",
	.needs = EXPORT_ONE | EXPORT_TREE | EXPORT_SITES | EXPORT_MOMENTS | EXPORT_EACH,
	.bits = 62, // readers support this number of bits
	.write = firefox_write,
};
