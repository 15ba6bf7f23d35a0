/* vtune: the CSV of `amplxe-cl -R top-down`. The CSV is a tree of calls: the indentation of a row
 * gives the depth of the call. */
#include <math.h>

#include "base/num.h"
#include "base/utf8.h"
#include "collapse/collapser.h"
#include "collapse/csv.h"

struct vtune_options {
	bool no_modules;
};

struct vtune_state {
	STATE_HEAD(struct vtune_options);
	bool in_tree;
	struct ids ids; // frames from the root to the current line
	struct buf function, time, module;
};

#define HEADER STR("Function Stack,CPU Time:Self,Module")

/** Convert a time from seconds to milliseconds, rounded to the nearest number. Round halves up.
 * Return false if the text is not a time, or if the time is too large. */
static bool vtune_parse_time(struct str text, uint64_t *count) {
	double seconds;
	if (!num_parse_real(text, &seconds) || !isfinite(seconds) || seconds < 0 ||
	    round(seconds * 1000) >= 0x1p64) {
		return false;
	}
	*count = (uint64_t)round(seconds * 1000);
	return true;
}

static int vtune_node_line(struct vtune_state *state, struct str line, uint64_t number) {
	struct str text = utf8_repaired(&state->run->text, line), function, time, module = STR("");
	size_t depth = 0;
	while (depth < text.n && text.p[depth] == ' ') {
		depth++;
	}
	if (depth > state->ids.n) {
		return run_bad(state->run, number, "skipped indentation level: '%s'",
			       quote(line).text);
	}
	struct csv csv = csv_start(str_from(text, depth));
	bool parsed = csv_next(&csv, &state->function, &function) == CSV_FIELD &&
		      csv_next(&csv, &state->time, &time) == CSV_FIELD;
	if (!parsed ||
	    (csv_next(&csv, &state->module, &module) != CSV_FIELD && !state->options->no_modules)) {
		return run_bad(state->run, number, "unable to parse stack line: '%s'",
			       quote(line).text);
	}
	uint64_t count;
	if (!vtune_parse_time(time, &count)) {
		return run_bad(state->run, number, "invalid CPU Time:Self field: '%s'",
			       quote(time).text);
	}
	buf_clear(&state->run->name);
	if (module.n > 0 && !state->options->no_modules) {
		buf_add_str(&state->run->name, module);
		buf_add_char(&state->run->name, '`');
	}
	buf_add_str(&state->run->name, function);
	state->ids.n = depth;
	ids_push(&state->ids, profile_frame(state->run->profile, buf_str(&state->run->name)));
	state->run->samples++;
	if (count > 0) {
		profile_add(state->run->profile, state->ids.items, state->ids.n, count);
	}
	return 0;
}

static int vtune_line(void *memory, struct str line, uint64_t number) {
	struct vtune_state *state = memory;
	if (!state->in_tree) {
		state->in_tree = str_starts(line, HEADER);
		return 0;
	}
	line = str_trim_end(line);
	return line.n == 0 ? 0 : vtune_node_line(state, line, number);
}

static int vtune_block(void *memory, const struct block *block) {
	struct vtune_state *state = memory;
	int result = run_lines(state->run, block, state, vtune_line);
	if (result == 0 && block->last) {
		result = state->in_tree ? 0 : run_warn(state->run, 0, "file ended before header");
		state->in_tree = false;
		state->ids.n = 0;
	}
	return result;
}

static void vtune_release(void *memory) {
	struct vtune_state *state = memory;
	buf_release(&state->function);
	buf_release(&state->time);
	buf_release(&state->module);
	ids_release(&state->ids);
}

static int vtune_sniff(struct str bytes, bool whole) {
	struct lines lines = {.rest = bytes};
	bool other_columns = false;
	for (struct str line; lines_next(&lines, &line);) {
		if (str_starts(line, HEADER)) {
			return 4 * SNIFF_MAGIC;
		}
		other_columns |= str_starts(line, STR("Function Stack,"));
	}
	return !whole ? SNIFF_MORE : other_columns ? SNIFF_COULD_BE : SNIFF_NO;
}

static const struct opt options[] = {
	{OPT_IS_BOOL(struct vtune_options, no_modules), .name = "no-modules",
	 .help = "leave out the names of modules"},
	{.type = OPT_END},
};

static const struct example examples[] = {
	{"amplxe-cl -R top-down -format csv -csv-delimiter comma -report-out out.csv",
	 "report what 'amplxe-cl -collect hotspots' recorded; see below for the columns"},
	{"inferno collapse vtune out.csv > out.folded", "fold the report"},
	{NULL, NULL},
};

const struct collapser collapse_vtune = {
	.name = "vtune",
	.aliases = (const char *const[]){"stackcollapse-vtune", NULL},
	.brief = "fold the CSV of Intel VTune's top-down report",
	.about = "Reads the columns Function Stack, CPU Time:Self and Module, in this order. To "
		 "get them, give amplxe-cl the options -call-stack-mode all -column='CPU "
		 "Time:Self','Module' -filter 'Function Stack'. Everything before the header is "
		 "skipped. Counts are milliseconds. Functions are named MODULE`FUNCTION.",
	.examples = examples,
	.options = {options, sizeof(struct vtune_options)},
	.state_size = sizeof(struct vtune_state),
	.sniff = vtune_sniff,
	.block = vtune_block,
	.release = vtune_release,
	.unit = "milliseconds",
};
