/* Find the hottest functions and the heaviest paths of one profile. */
#include "export/hottest.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/num.h"
#include "base/regexp.h"
#include "base/utf8.h"
#include "export/changes.h"
#include "export/source.h"
#include "profile/unit.h"

enum {
	MOST_INDENT = 16, // largest number of levels of indentation
	LEAST_PATH = 200, // a frame belongs to a path if its total is at least a 200th of the sum
};

static const char *hottest_check_by(const char *text) {
	bool is_label = str_starts(str_of(text), STR("label=")) && text[strlen("label=")] != '\0';
	return is_label || strcmp(text, "process") == 0 || strcmp(text, "thread") == 0 ||
			       strcmp(text, "module") == 0
		       ? NULL
		       : "process, thread, module or label=KEY";
}

static const char *hottest_check_rule(const char *text) {
	return strchr(text, '=') != NULL ? NULL : "FROM=TO, such as /build=/src/app";
}

const struct opt hottest_rows[] = {
	{OPT_IS_UINT(struct hottest_options, max_lines), .name = "max-lines", .value = "N",
	 .initial = "40", .least = 20, .most = 1000000, .group = "Report",
	 .help = "write at most this many lines in a report on one profile; for two profiles, see "
		 "--top"},
	{OPT_IS_TEXT(struct hottest_options, focus), .name = "focus", .value = "NAME",
	 .group = "Report", .conflicts = "tree",
	 .help = "list the callers and the callees of this function; NAME is its name, a part of "
		 "its name, or its handle in a report, such as f12"},
	{OPT_IS_TEXT(struct hottest_options, peek), .name = "peek", .value = "REGEX",
	 .check = regexp_check, .group = "Report", .conflicts = "focus tree by",
	 .help = "list the callers and the callees of each function that matches"},
	{OPT_IS_TEXT(struct hottest_options, by), .name = "by", .value = "WHAT",
	 .check = hottest_check_by, .group = "Report", .conflicts = "focus tree reverse",
	 .help = "add up counts by process, thread, module (program or library), or label of pprof "
		 "(label=KEY)"},
	{OPT_IS_TEXT(struct hottest_options, list), .name = "list", .value = "NAME",
	 .group = "Report", .conflicts = "focus peek tree by lines reverse",
	 .help = "show the source of a function with its counts; NAME is as for --focus"},
	{OPT_IS_TEXT(struct hottest_options, annotate), .name = "annotate", .value = "NAME",
	 .group = "Report", .conflicts = "focus peek tree by lines list reverse",
	 .help = "show the instructions of a function and their counts; NAME is as for --focus"},
	{OPT_IS_LIST(struct hottest_options, source_paths), .name = "source-path",
	 .value = "FROM=TO", .check = hottest_check_rule, .group = "Report",
	 .help = "look for a source file below TO if its path begins with FROM"},
	{OPT_IS_BOOL(struct hottest_options, debuginfod), .name = "debuginfod", .group = "Report",
	 .help = "ask the servers in DEBUGINFOD_URLS for missing debug files and sources of a "
		 "recording"},
	{OPT_IS_BOOL(struct hottest_options, lines), .name = "lines", .group = "Report",
	 .conflicts = "focus peek tree by reverse", .help = "list the hottest source lines"},
	{OPT_IS_BOOL(struct hottest_options, tree), .name = "tree", .group = "Report",
	 .help = "show only the heaviest paths, without the lists of functions"},
	{.type = OPT_END},
};

const char *const hottest_columns[HOTTEST_CELLS] = {"total", "of all", "self", "of all"};
const char *const hottest_paths_heading = "Heaviest paths";

/* --- Lists ---------------------------------------------------------------------------------- */

static int hottest_compare_total(const void *a, const void *b) {
	const struct function *x = *(const struct function *const *)a,
			      *y = *(const struct function *const *)b;
	return x->total.after != y->total.after ? (x->total.after < y->total.after ? 1 : -1)
						: str_compare(x->name, y->name);
}

/** Add the list of the functions that have self counts. */
static void hottest_list_by_self(struct hottest *hottest, const struct functions *functions,
				 struct hottest_list list) {
	list.by_self = list.has_self = true;
	while (list.n < functions->n && list.items[list.n]->self.after > 0) {
		list.n++;
	}
	hottest->lists[hottest->lists_n++] = list;
}

/** Fill a list with the functions whose totals are not 0, the largest total first. */
static void hottest_list_by_total(struct hottest_list *result, const struct functions *functions,
				  struct hottest_list list) {
	list.items = mem_new(functions->n, sizeof(*list.items));
	for (size_t i = 0; i < functions->n; i++) {
		if (functions->items[i].total.after > 0) {
			list.items[list.n++] = &functions->items[i];
		}
	}
	qsort(list.items, list.n, sizeof(*list.items), hottest_compare_total);
	*result = list;
}

/** Return the rank in a handle such as `f12`. If the text is not a handle, return 0. */
static uint64_t hottest_parse_handle(struct str text) {
	uint64_t rank = 0;
	bool is_handle = text.n > 1 && text.p[0] == 'f' && text.p[1] != '0' &&
			 num_parse_u64(str_from(text, 1), &rank);
	return is_handle ? rank : 0;
}

/** Return the function with this name or handle. If there is none, return the function with the
 * largest total of those whose names contain the text. If there is none, return NULL after
 * diag_error(). */
static const struct function *hottest_find(struct hottest *hottest, const char *option,
					   struct str text, struct diag *diag) {
	enum { NONE, PART, HANDLE, NAME } best = NONE, found;
	const struct function *result = NULL;
	uint64_t rank = hottest_parse_handle(text);
	for (size_t i = 0; i < hottest->functions.n; i++) {
		const struct function *function = &hottest->functions.items[i];
		bool has = str_has(function->name, text);
		bool equal =
			str_eq(function->name, text) || str_eq(tree_label(function->name), text);
		found = equal ? NAME : function->rank == rank ? HANDLE : has ? PART : NONE;
		hottest->matches += has;
		if (found > best || (found == best && found != NONE &&
				     function->total.after > result->total.after)) {
			result = function;
			best = found;
		}
	}
	hottest->matches = best == HANDLE ? 1 : hottest->matches;
	if (result == NULL) {
		diag_error(diag,
			   "--%s '%s': no function has this in its name; leave out --%s for "
			   "a list of functions",
			   option, quote(text).text, option);
	}
	return result;
}

/** Add a function with its callers and callees to `arounds`. */
static void hottest_look_around(struct hottest *hottest, const struct function *function) {
	struct hottest_around *around = &hottest->arounds[hottest->arounds_n++];
	around->function = function;
	functions_collect_callers(&around->callers, hottest->view, function->name);
	functions_collect_callees(&around->callees, hottest->view, function->name);
	functions_take_ranks(&around->callers, &hottest->functions);
	functions_take_ranks(&around->callees, &hottest->functions);
	hottest_list_by_total(&around->lists[0], &around->callers,
			      (struct hottest_list){.heading = "Callers"});
	hottest_list_by_total(&around->lists[1], &around->callees,
			      (struct hottest_list){.heading = "Callees"});
}

/** Collect the callers and callees of the function of --focus. Return 0, or -1 after diag_error().
 */
static int hottest_focus(struct hottest *hottest, const char *name, struct diag *diag) {
	const struct function *function = hottest_find(hottest, "focus", str_of(name), diag);
	if (function == NULL) {
		return -1;
	}
	hottest->focus = true;
	hottest->arounds = mem_new(1, sizeof(*hottest->arounds));
	hottest_look_around(hottest, function);
	return 0;
}

/** Collect the callers and callees of at most `most` functions that --peek matches. Take those with
 * the largest totals. Return 0, or -1 after diag_error(). */
static int hottest_peek(struct hottest *hottest, const char *pattern, size_t most,
			struct diag *diag) {
	struct hottest_list matches;
	struct regexp regexp;
	struct buf name = {0};
	if (!regexp_init(&regexp, pattern, REG_NOSUB, NULL)) {
		return 0; // this cannot fail, because the option was checked before
	}
	hottest_list_by_total(&matches, &hottest->functions, (struct hottest_list){0});
	hottest->arounds = mem_new(most, sizeof(*hottest->arounds));
	for (size_t i = 0; i < matches.n; i++) {
		buf_set_str(&name, tree_label(matches.items[i]->name));
		if (regexp_matches(&regexp, buf_text(&name), 0, NULL, 0) &&
		    hottest->matches++ < most) {
			hottest_look_around(hottest, matches.items[i]);
		}
	}
	free(matches.items);
	buf_release(&name);
	regexp_release(&regexp);
	return hottest->arounds_n > 0 ? 0
				      : diag_error(diag, "--peek '%s': no function matches",
						   quote(str_of(pattern)).text);
}

/** Add the list of the first frames of stacks. This list comes before the lists of functions. */
static void hottest_group(struct hottest *hottest, const char *by) {
	functions_collect_first(&hottest->groups, hottest->view);
	functions_take_ranks(&hottest->groups, &hottest->functions);
	// the lists of functions come after the list of first frames
	hottest->lists[hottest->lists_n++] = hottest->lists[0];
	hottest_list_by_total(&hottest->lists[0], &hottest->groups,
			      (struct hottest_list){.heading = by});
}

/** Add up the counts of modules or lines. Only a profile with sites has modules and lines. Return
 * 0, or -1 after diag_error() if the profile has no modules or lines. */
static int hottest_group_sites(struct hottest *hottest, enum site_sums_by by, struct diag *diag) {
	struct site_groups *sites = &hottest->sites;
	const struct functions *rows = &sites->rows;
	bool any = false;
	hottest->by_site = true;
	site_groups_collect(sites, hottest->view, by, &hottest->functions);
	for (size_t i = 0; i < sites->sums.n; i++) {
		any |= sites->sums.items[i].line > 0 ||
		       (by == BY_MODULE && sites->sums.items[i].module > 0);
	}
	if (!any) {
		struct buf why = {0};
		site_groups_explain(&why, hottest->view, SITE_NO_NAME);
		diag_error(diag, "no %s is known: %s", by == BY_LINE ? "source line" : "module",
			   buf_text(&why));
		buf_release(&why);
		return -1;
	}
	struct hottest_list functions = hottest->lists[0];
	hottest->lists_n = 0;
	hottest_list_by_self(hottest, rows,
			     (struct hottest_list){
				     .heading = by == BY_LINE ? "Hottest source lines by self count"
							      : "Modules by self count",
				     .noun = by == BY_LINE ? "line" : "module",
				     .items = functions_by_self(rows)});
	if (by == BY_LINE) {
		free(functions.items);
		hottest_list_by_total(
			&hottest->lists[hottest->lists_n++], rows,
			(struct hottest_list){.heading = "Hottest source lines by total",
					      .noun = "line",
					      .has_self = true});
	} else {
		hottest->lists[hottest->lists_n++] = functions;
	}
	return 0;
}

/* --- Paths ---------------------------------------------------------------------------------- */

/** Return whether a frame belongs to a path. */
static bool hottest_is_heavy(const struct view *view, size_t i) {
	return view->tree->totals[i] >= view->sum / LEAST_PATH && view->tree->totals[i] > 0;
}

/** Collect the frames that belong to paths. Find the largest total of all other frames. */
static void hottest_collect_heavy(struct hottest *hottest) {
	const struct view *view = hottest->view;
	for (size_t i = 1; i < view->tree->n; i++) {
		if (hottest_is_heavy(view, i)) {
			ids_push(&hottest->heavy, (uint32_t)i);
		} else if (view->tree->totals[i] > hottest->lighter) {
			hottest->lighter = view->tree->totals[i];
		}
	}
}

/** The frame at one depth on the way from the root to the current frame. */
struct hottest_step {
	size_t at, path; // index of the frame in `heavy`; index of its path in `paths`
};

/** Return the number of heavy callees of each heavy frame. The caller releases the result. */
static uint32_t *hottest_count_callees(const struct hottest *hottest, struct hottest_step *open) {
	const struct call_item *frames = hottest->view->tree->frames;
	uint32_t *callees = mem_new(hottest->heavy.n, sizeof(*callees));
	for (size_t at = 0; at < hottest->heavy.n; at++) {
		uint32_t depth = frames[hottest->heavy.items[at]].depth;
		open[depth].at = at;
		if (depth > 1) {
			callees[open[depth - 1].at]++;
		}
	}
	return callees;
}

/** Return the total of a path, which is the total of its first frame. */
static uint64_t hottest_path_total(const struct hottest *hottest, const struct hottest_path *path) {
	return hottest->view->tree->totals[hottest->heavy.items[path->first]];
}

/** Join the heavy frames to paths. A frame continues the path of its caller if the caller has no
 * other heavy callee, and the frame has at least nine tenths of the path's total. Such a frame
 * comes directly after its caller in the list. */
static void hottest_join(struct hottest *hottest) {
	const struct tree *tree = hottest->view->tree;
	struct hottest_step *open = mem_new(tree->levels + 1, sizeof(*open));
	uint32_t *callees = hottest_count_callees(hottest, open);
	hottest->paths = mem_new(hottest->heavy.n, sizeof(*hottest->paths));
	for (size_t at = 0; at < hottest->heavy.n; at++) {
		uint32_t i = hottest->heavy.items[at], depth = tree->frames[i].depth;
		struct hottest_path *above =
			depth > 1 ? &hottest->paths[open[depth - 1].path] : NULL;
		if (above != NULL && callees[open[depth - 1].at] == 1 &&
		    tree->totals[i] >= hottest_path_total(hottest, above) / 10 * 9) {
			above->frames++;
			open[depth] = (struct hottest_step){at, (size_t)(above - hottest->paths)};
		} else {
			open[depth] = (struct hottest_step){at, hottest->paths_n};
			hottest->paths[hottest->paths_n++] =
				(struct hottest_path){at, 1, above == NULL ? 0 : above->indent + 1};
		}
	}
	free(callees);
	free(open);
}

/** A path and its total, for sorting by total. */
struct hottest_choice {
	uint64_t total;
	size_t path;
};

static int hottest_compare_choices(const void *a, const void *b) {
	const struct hottest_choice *x = a, *y = b;
	return x->total != y->total ? (x->total < y->total ? 1 : -1) : x->path < y->path ? -1 : 1;
}

static int hottest_compare_places(const void *a, const void *b) {
	const struct hottest_choice *x = a, *y = b;
	return x->path < y->path ? -1 : x->path > y->path;
}

/** Sort the `n` paths below one caller by their totals. After each path, keep the paths that it
 * calls. */
static void hottest_sort_paths(const struct hottest *hottest, struct hottest_path *paths,
			       size_t n) {
	struct hottest_choice *choices = mem_new(n, sizeof(*choices));
	struct hottest_path *sorted = mem_new(n, sizeof(*sorted)), *next = sorted;
	size_t callees = 0;
	for (size_t i = 0; i < n; i++) {
		if (paths[i].indent == paths[0].indent) {
			choices[callees++] =
				(struct hottest_choice){hottest_path_total(hottest, &paths[i]), i};
		}
	}
	qsort(choices, callees, sizeof(*choices), hottest_compare_choices);
	for (size_t i = 0; i < callees; i++) {
		size_t first = choices[i].path, end = first + 1;
		while (end < n && paths[end].indent > paths[first].indent) {
			end++;
		}
		if (end > first + 1) {
			hottest_sort_paths(hottest, &paths[first + 1], end - first - 1);
		}
		memcpy(next, &paths[first], (end - first) * sizeof(*next));
		next += end - first;
	}
	memcpy(paths, sorted, n * sizeof(*paths));
	free(sorted);
	free(choices);
}

/** Keep only the `most` heaviest paths. Keep their order: after each path come the paths that it
 * calls. A path that calls a kept path is kept, too, because it is at least as heavy. */
static void hottest_cut_paths(struct hottest *hottest, size_t most) {
	size_t n = hottest->paths_n;
	hottest->paths_shown = n < most ? n : most;
	struct hottest_choice *choices = mem_new(n, sizeof(*choices));
	for (size_t i = 0; i < n; i++) {
		choices[i] =
			(struct hottest_choice){hottest_path_total(hottest, &hottest->paths[i]), i};
	}
	qsort(choices, n, sizeof(*choices), hottest_compare_choices);
	if (most < n && choices[most].total > hottest->lighter) {
		hottest->lighter = choices[most].total;
	}
	qsort(choices, hottest->paths_shown, sizeof(*choices), hottest_compare_places);
	for (size_t i = 0; i < hottest->paths_shown; i++) {
		hottest->paths[i] = hottest->paths[choices[i].path];
	}
	if (hottest->paths_shown > 0) {
		hottest_sort_paths(hottest, hottest->paths, hottest->paths_shown);
	}
	free(choices);
}

/* --- Report --------------------------------------------------------------------------------- */

/** Divide the lines of the report among `parts` parts. The first `n` parts are the lists. Return
 * the number of lines that are left for the last part. */
static size_t hottest_share(struct hottest_list *lists, size_t n, size_t parts, size_t lines) {
	for (size_t i = 0; i < n; i++) {
		size_t share = lines / (parts - i);
		lists[i].shown = lists[i].n < share ? lists[i].n : share;
		lines -= lists[i].shown;
	}
	return lines;
}

/** Divide the lines of the report among the lists, and use the remaining lines for the paths. Each
 * list needs `fixed` lines besides its rows. */
static void hottest_share_lines(struct hottest *hottest, size_t lines, size_t fixed) {
	size_t lists = hottest->tree ? 0 : hottest->lists_n;
	size_t parts = lists + hottest_has_paths(hottest);
	lines = lines > parts * fixed ? lines - parts * fixed : 0;
	lines = hottest_share(hottest->lists, lists, parts, lines);
	if (hottest_has_paths(hottest)) {
		hottest_collect_heavy(hottest);
		hottest_join(hottest);
		hottest_cut_paths(hottest, lines);
	}
}

enum {
	AROUND_HEAD = 3,    // lines before the lists: a blank line, the function, its shares
	AROUND_ROWS = 3,    // smallest number of rows of callers, and of callees
	AROUNDS_MOST = 100, // limit of functions, because each takes time
};

/** Divide the lines among the functions with callers and callees. */
static void hottest_share_around(struct hottest *hottest, size_t lines, size_t fixed) {
	for (size_t i = 0; i < hottest->arounds_n; i++) {
		struct hottest_around *around = &hottest->arounds[i];
		size_t share = lines / (hottest->arounds_n - i);
		size_t used = HOTTEST_LISTS * fixed + (hottest->focus ? 0 : AROUND_HEAD);
		size_t rows = share > used ? share - used : 0;
		size_t left = hottest_share(around->lists, HOTTEST_LISTS, HOTTEST_LISTS, rows);
		lines -= share - left < lines ? share - left : lines;
	}
}

static bool hottest_is_by_module(const struct hottest_options *options) {
	return options->by != NULL && strcmp(options->by, "module") == 0;
}

bool hottest_wants_sites(const struct opt_set *options) {
	const struct hottest_options *given = OPT_OF(options, hottest_rows, struct hottest_options);
	return given != NULL && (given->lines || given->list != NULL || given->annotate != NULL ||
				 hottest_is_by_module(given));
}

/** Choose the parts of the report by the options. Return 0, or -1 after diag_error(). */
static int hottest_choose(struct hottest *hottest, const struct hottest_options *options,
			  size_t lines, size_t fixed, struct diag *diag) {
	size_t each = HOTTEST_LISTS * (fixed + AROUND_ROWS) + AROUND_HEAD, most = lines / each;
	most = most < 1 ? 1 : most > AROUNDS_MOST ? AROUNDS_MOST : most;
	if (options->focus != NULL) {
		return hottest_focus(hottest, options->focus, diag);
	}
	if (options->peek != NULL) {
		return hottest_peek(hottest, options->peek, most, diag);
	}
	if (options->list != NULL || options->annotate != NULL) {
		bool list = options->list != NULL;
		hottest->listed =
			hottest_find(hottest, list ? "list" : "annotate",
				     str_of(list ? options->list : options->annotate), diag);
		return hottest->listed == NULL ? -1 : 0;
	}
	if (options->lines || hottest_is_by_module(options)) {
		return hottest_group_sites(hottest, options->lines ? BY_LINE : BY_MODULE, diag);
	}
	if (options->by != NULL) {
		hottest_group(hottest, options->by);
		return 0;
	}
	hottest_list_by_total(
		&hottest->lists[hottest->lists_n++], &hottest->functions,
		(struct hottest_list){.heading = "Hottest functions by total", .has_self = true});
	return 0;
}

int hottest_init(struct hottest *hottest, const struct view *view, const struct opt_set *options,
		 size_t fixed, struct diag *diag) {
	static const struct hottest_options usual = {.max_lines = 40};
	enum {
		ENDS = 6
	}; // lines besides the parts: the totals, the remarks, two lines for --focus, a blank line,
	   // the last line
	const struct hottest_options *given = OPT_OF(options, hottest_rows, struct hottest_options);
	given = given == NULL ? &usual : given;
	*hottest = (struct hottest){.view = view,
				    .unit = buf_str(&view->profile->unit),
				    .tree = given->tree,
				    .sources = &given->source_paths};
	if (view->sum == 0) {
		return diag_error(diag, "no stack counts found");
	}
	functions_collect(&hottest->functions, view);
	hottest_list_by_self(hottest, &hottest->functions,
			     (struct hottest_list){.heading = "Hottest functions by self count",
						   .items = functions_rank(&hottest->functions)});
	size_t lines = (size_t)given->max_lines - ENDS;
	if (hottest_choose(hottest, given, lines, fixed, diag) != 0) {
		return -1;
	}
	if (hottest->arounds_n > 0) {
		hottest_share_around(hottest, lines, fixed);
	} else {
		hottest_share_lines(hottest, lines, fixed);
	}
	return 0;
}

uint32_t hottest_listed_name(const struct hottest *hottest) {
	const struct profile *profile = hottest->view->profile;
	uint32_t id = 0;
	while (profile_name(profile, id).p != hottest->listed->name.p) {
		id++;
	}
	return id;
}

int hottest_refuse(const struct opt_set *options, const char *names, const char *why,
		   struct diag *diag) {
	struct str rest = str_of(names), name;
	while ((name = str_next_word(&rest)).n > 0) {
		char text[32];
		snprintf(text, sizeof(text), "%.*s", (int)name.n, name.p);
		if (opt_given(options, text)) {
			return diag_error(diag, "--%s is for %s", text, why);
		}
	}
	return 0;
}

int hottest_check(const struct opt_set *options, bool two, struct diag *diag) {
	return two ? hottest_refuse(
			     options,
			     "focus peek by tree lines list annotate source-path debuginfod "
			     "max-lines",
			     "a report on one profile; for two profiles, --top limits the number "
			     "of functions",
			     diag)
		   : hottest_refuse(
			     options, "top",
			     "a report on two profiles; for one profile, --max-lines limits the "
			     "length",
			     diag);
}

void hottest_release(struct hottest *hottest) {
	for (size_t i = 0; i < hottest->lists_n; i++) {
		free(hottest->lists[i].items);
	}
	for (size_t i = 0; i < hottest->arounds_n; i++) {
		struct hottest_around *around = &hottest->arounds[i];
		free(around->lists[0].items);
		free(around->lists[1].items);
		functions_release(&around->callers);
		functions_release(&around->callees);
	}
	free(hottest->arounds);
	functions_release(&hottest->functions);
	functions_release(&hottest->groups);
	site_groups_release(&hottest->sites);
	free(hottest->heavy.items);
	free(hottest->paths);
}

/* --- Words ---------------------------------------------------------------------------------- */

void hottest_add_count(struct buf *cells, const struct hottest *hottest, uint64_t count) {
	struct unit unit = unit_of(hottest->unit);
	cells[0].n += unit_format(buf_room(&cells[0], UNIT_MAX), &unit, count);
	changes_add_percent(&cells[1], count, hottest->view->sum);
}

void hottest_add_cells(struct buf *cells, const struct hottest *hottest,
		       const struct function *function, size_t n) {
	hottest_add_count(&cells[0], hottest, function->total.after);
	if (n == HOTTEST_CELLS) {
		hottest_add_count(&cells[2], hottest, function->self.after);
	}
}

void hottest_add_path_cells(struct buf *cells, const struct hottest *hottest,
			    const struct hottest_path *path) {
	hottest_add_count(cells, hottest, hottest_path_total(hottest, path));
}

void hottest_add_totals(struct buf *out, const struct hottest *hottest) {
	struct unit unit = unit_of(hottest->unit);
	size_t n = hottest->functions.n;
	buf_add_text(out, "All: ");
	out->n += unit_format(buf_room(out, UNIT_MAX), &unit, hottest->view->sum);
	changes_add_subject(out, hottest->unit);
	buf_printf(out, " in %zu function%s", n, n == 1 ? "" : "s");
}

void hottest_add_cut(struct buf *out, struct str text, size_t width) {
	static const struct str gap = STR_INIT("...");
	struct buf shown = {0};
	utf8_add_shown(&shown, text);
	size_t n = utf8_count(buf_str(&shown));
	if (n <= width) {
		buf_add_str(out, buf_str(&shown));
	} else {
		size_t tail = (width - gap.n) / 2, head = width - gap.n - tail;
		buf_add_str(out, str_to(buf_str(&shown), utf8_prefix(buf_str(&shown), head)));
		buf_add_str(out, gap);
		buf_add_str(out, str_from(buf_str(&shown), utf8_prefix(buf_str(&shown), n - tail)));
	}
	buf_release(&shown);
}

void hottest_add_handle(struct buf *out, const struct function *function) {
	if (function->rank > 0) { // modules have no rank
		buf_printf(out, "f%zu", function->rank);
	}
}

void hottest_add_name(struct buf *out, struct str name, size_t width) {
	struct str label = tree_label(name);
	hottest_add_cut(out, label.n == 0 ? STR("(no name)") : label, width);
}

/** Add a source line and its function. The end of the path and the number of the line take at most
 * half of the width. */
static void hottest_add_line(struct buf *out, const struct hottest *hottest,
			     const struct site_sum *line, size_t width) {
	const struct profile *profile = hottest->view->profile;
	struct str path = sites_text_of(profile->sites, line->file);
	struct buf place = {0}, number = {0};
	size_t start = out->n;
	buf_printf(&number, ":%u ", line->line);
	site_groups_add_path(&place, path);
	if (place.n + number.n > width / 2) {
		buf_set_str(&place, str_from(path, str_find_last(path, '/') + 1));
	}
	hottest_add_cut(out, buf_str(&place), width / 2 > number.n + 8 ? width / 2 - number.n : 8);
	buf_add_str(out, buf_str(&number));
	size_t used = utf8_count(str_from(buf_str(out), start));
	hottest_add_name(out, profile_name(profile, line->name),
			 width > used + 8 ? width - used : 8);
	buf_release(&place);
	buf_release(&number);
}

void hottest_add_item(struct buf *out, const struct hottest *hottest, const struct function *item,
		      size_t width) {
	const struct functions *rows = &hottest->sites.rows;
	bool is_site = rows->n > 0 && item >= rows->items && item < rows->items + rows->n;
	const struct site_sum *sum =
		is_site ? &hottest->sites.sums.items[item - rows->items] : NULL;
	if (sum != NULL && sum->line > 0) {
		hottest_add_line(out, hottest, sum, width);
	} else {
		hottest_add_name(out, item->name, width);
	}
}

void hottest_add_remarks(struct buf *out, const struct hottest *hottest, size_t width) {
	struct str remarks = buf_str(&hottest->view->profile->remarks);
	if (remarks.n > 0) {
		hottest_add_cut(out, remarks, width);
		buf_add_char(out, '\n');
	}
}

void hottest_add_function_shares(struct buf *out, const struct hottest *hottest,
				 const struct function *function) {
	changes_add_percent(out, function->total.after, hottest->view->sum);
	buf_add_text(out, " total, ");
	changes_add_percent(out, function->self.after, hottest->view->sum);
	buf_add_text(out, " self");
}

void hottest_add_shares(struct buf *out, const struct hottest *hottest,
			const struct hottest_around *around) {
	hottest_add_function_shares(out, hottest, around->function);
	if (hottest->focus && hottest->matches > 1) {
		buf_printf(out, "; %zu functions have the text in their names", hottest->matches);
	}
}

/** Return the name of a frame of a path. */
static struct str hottest_frame(const struct hottest *hottest, const struct hottest_path *path,
				size_t i) {
	const struct view *view = hottest->view;
	uint32_t frame = hottest->heavy.items[path->first + i];
	return tree_name(view->profile, &view->tree->frames[frame]);
}

/** Add the first and the last name of a path, and the number of names between them. */
static void hottest_add_ends(struct buf *out, const struct hottest *hottest,
			     const struct hottest_path *path, size_t width) {
	struct buf between = {0};
	if (path->frames > 2) {
		buf_printf(&between, "(%zu more) > ", path->frames - 2);
	}
	size_t rest = width - between.n - strlen(" > "), start = out->n;
	hottest_add_name(out, hottest_frame(hottest, path, 0), rest / 2);
	rest -= utf8_count(str_from(buf_str(out), start));
	buf_add_text(out, " > ");
	buf_add_str(out, buf_str(&between));
	hottest_add_name(out, hottest_frame(hottest, path, path->frames - 1), rest);
	buf_release(&between);
}

void hottest_add_path(struct buf *out, const struct hottest *hottest,
		      const struct hottest_path *path, size_t width) {
	size_t indent = path->indent < MOST_INDENT ? path->indent : MOST_INDENT, start = out->n;
	for (size_t i = 0; i < indent; i++) {
		buf_add_char(out, ' ');
	}
	width -= indent;
	for (size_t i = 0; i < path->frames && out->n - start <= 4 * width; i++) {
		buf_add_text(out, i == 0 ? "" : " > ");
		hottest_add_name(out, hottest_frame(hottest, path, i),
				 path->frames == 1 ? width : HOTTEST_NAME);
	}
	if (utf8_count(str_from(buf_str(out), start + indent)) > width) {
		out->n = start + indent;
		hottest_add_ends(out, hottest, path, width);
	}
}

void hottest_add_rest(struct buf *out, const struct hottest *hottest,
		      const struct hottest_list *list) {
	uint64_t rest = 0;
	size_t n = list->n - list->shown;
	if (n == 0) {
		buf_add_text(out, list->n == 0 ? "none" : "");
		return;
	}
	for (size_t i = list->shown; i < list->n && list->by_self; i++) {
		rest += list->items[i]->self.after;
	}
	rest = list->by_self ? rest : list->items[list->shown]->total.after;
	buf_printf(out, "%zu more %s%s, %s", n, list->noun == NULL ? "function" : list->noun,
		   n == 1 ? "" : "s", list->by_self ? "" : "each at most ");
	changes_add_percent(out, rest, hottest->view->sum);
}

void hottest_add_lighter(struct buf *out, const struct hottest *hottest) {
	if (hottest->lighter > 0) {
		buf_add_text(out, "other paths, each at most ");
		changes_add_percent(out, hottest->lighter, hottest->view->sum);
	}
}

/** A function whose source the report may suggest. */
struct hottest_listable {
	const struct function *function;
	struct str file; // file of some line of the function
	uint64_t line;   // the largest total of a line; 0: no line has counts
	bool there;      // the file exists on this machine
};

/** Return whether the source of `a` is more useful than the source of `b`. A source that exists is
 * more useful than a missing source. A function with at least half of all counts is more useful
 * than a function with less. If both have half, the smaller total is better, because it belongs to
 * the callee. Otherwise, the larger total is better. If the totals are equal, the function whose
 * hottest line has the smaller total is better. */
static bool hottest_lists_better(const struct hottest *hottest, const struct hottest_listable *a,
				 const struct hottest_listable *b) {
	uint64_t half = hottest->view->sum / 2 + 1;
	uint64_t a_total = a->function->total.after, b_total = b->function->total.after;
	bool a_half = a_total >= half, b_half = b_total >= half;
	return a->there != b->there ? a->there
	       : a_half != b_half   ? a_half
	       : a_total != b_total ? a_half == (a_total < b_total)
				    : a->line < b->line;
}

/** Return an array of the functions that have lines. The index is the rank of a function. The
 * caller frees the array. */
static struct hottest_listable *hottest_listables(const struct hottest *hottest) {
	const struct functions *functions = &hottest->functions;
	const struct site_groups *sites = &hottest->sites;
	struct hottest_listable *items = mem_new(functions->n + 1, sizeof(*items));
	for (size_t i = 0; i < functions->n; i++) {
		items[functions->items[i].rank].function = &functions->items[i];
	}
	for (size_t i = 0; i < sites->sums.n; i++) {
		const struct site_sum *sum = &sites->sums.items[i];
		struct hottest_listable *item = &items[sites->rows.items[i].rank];
		if (sum->line > 0 && sum->total > item->line) {
			item->line = sum->total;
			item->file = sites_text_of(hottest->view->profile->sites, sum->file);
		}
	}
	return items;
}

/** Return the rank of the function whose source is suggested. */
static size_t hottest_find_listable(const struct hottest *hottest) {
	struct hottest_listable *items = hottest_listables(hottest), *best = NULL;
	for (size_t rank = 1; rank <= hottest->functions.n; rank++) {
		struct hottest_listable *item = &items[rank];
		item->there = true;
		if (item->line == 0 ||
		    (best != NULL && !hottest_lists_better(hottest, item, best))) {
			continue;
		}
		item->there = source_exists(item->file, hottest->sources);
		best = best == NULL || hottest_lists_better(hottest, item, best) ? item : best;
	}
	size_t rank = best == NULL ? 1 : best->function->rank;
	free(items);
	return rank;
}

/** Return whether a name is the name of a wait, such as `[waiting: lock]`. */
static bool hottest_is_wait(struct str name) {
	bool is_wait = str_starts(name, STR("[waiting")) || str_eq(name, STR("[runnable]"));
	for (size_t i = 1; i + 1 < name.n; i++) {
		is_wait &=
			(name.p[i] >= 'a' && name.p[i] <= 'z') || strchr(" :", name.p[i]) != NULL;
	}
	return is_wait && name.p[name.n - 1] == ']';
}

/** Suggest the next command after --focus. For a wait, suggest a report on the paths to it. For a
 * function, suggest its source and the source of its largest caller, which may be a part of the
 * program itself. */
static void hottest_add_next_of_focus(struct buf *out, const struct hottest_around *around) {
	struct str name = around->function->name;
	const struct hottest_list *callers = &around->lists[0];
	if (hottest_is_wait(name)) {
		buf_add_text(out, "Next: inferno report --keep '");
		buf_add_str(out, (struct str){name.p + 1, name.n - 2});
		buf_add_text(out, "' FILE, the paths to it");
		return;
	}
	buf_printf(out, "Next: inferno report --list f%zu FILE, its source",
		   around->function->rank);
	if (callers->n > 0) {
		buf_printf(out, "; or --list f%zu, of a caller", callers->items[0]->rank);
	}
}

/** Suggest an option that keeps the stacks of the first group. */
static void hottest_add_next_of_groups(struct buf *out, const struct hottest *hottest) {
	struct str name = hottest->lists[0].items[0]->name;
	buf_add_text(out, "Next: add --keep '^");
	for (size_t i = 0; i < name.n; i++) {
		if (strchr(".[]()*+?{}|^$\\", name.p[i]) != NULL) {
			buf_add_char(out, '\\');
		}
		buf_add_char(out, name.p[i] == '\'' ? '.' : name.p[i]); // the shell's quote
	}
	buf_add_text(out, "$', for the functions of the first one");
}

static void hottest_add_next(struct buf *out, const struct hottest *hottest) {
	if (hottest->matches > hottest->arounds_n && !hottest->focus) {
		buf_printf(out, "Next: --max-lines N, for %zu more functions that match",
			   hottest->matches - hottest->arounds_n);
	} else if (hottest->groups.n > 0) {
		hottest_add_next_of_groups(out, hottest);
	} else if (hottest->by_site && hottest->sites.sums.any_line) {
		size_t handle = hottest_find_listable(hottest);
		buf_printf(out,
			   "Next: inferno report --list f%zu FILE, the source of function f%zu",
			   handle, handle);
	} else if (hottest->focus && hottest->view->profile->has_lines) {
		hottest_add_next_of_focus(out, &hottest->arounds[0]);
	} else if (hottest->arounds_n > 0 && profile_has_table(hottest->view->profile)) {
		buf_add_text(out, "Next: inferno report --estimate-stacks FILE, with likely paths");
	} else if (hottest->arounds_n > 0) {
		buf_add_text(out, "Next: inferno flamegraph -o out.html FILE, a page to explore");
	} else if (hottest->view->profile->has_lines) {
		buf_add_text(out, "Next: inferno report --lines FILE, the source lines; or "
				  "--focus f1, its callers");
	} else {
		buf_add_text(out, "Next: inferno report --focus f1 FILE, the callers and callees "
				  "of function f1");
	}
}

/* --- Whole reports -------------------------------------------------------------------------- */

/** Add the functions with callers and callees. If there are none, add the lists and the paths. Then
 * add suggestions for the next command. */
static void hottest_add_body(struct buf *out, const struct hottest *hottest,
			     const struct hottest_form *form) {
	for (size_t i = 0; i < hottest->arounds_n; i++) {
		const struct hottest_around *around = &hottest->arounds[i];
		buf_add_text(out, hottest->focus ? "" : "\n");
		form->add_around(out, hottest, around);
		form->add_list(out, hottest, &around->lists[0]);
		form->add_list(out, hottest, &around->lists[1]);
	}
	for (size_t i = 0; i < hottest->lists_n && hottest->arounds_n == 0 && !hottest->tree; i++) {
		form->add_list(out, hottest, &hottest->lists[i]);
	}
	if (hottest_has_paths(hottest)) {
		form->add_paths(out, hottest);
	}
	buf_add_char(out, '\n');
	hottest_add_next(out, hottest);
	buf_add_char(out, '\n');
}

/** Add a report on one profile. Return 0, or -1 after diag_error(). */
static int hottest_add_one(struct buf *out, const struct view *view, const struct opt_set *options,
			   struct diag *diag, const struct hottest_form *form) {
	struct hottest hottest;
	int result = hottest_init(&hottest, view, options, form->fixed, diag);
	if (result == 0) {
		buf_add_text(out, form->heading);
		hottest_add_totals(out, &hottest);
		buf_add_char(out, '\n');
		form->add_remarks(out, &hottest);
	}
	if (result == 0 && hottest.listed != NULL) {
		result = form->add_listed(out, &hottest, options, diag);
	} else if (result == 0) {
		hottest_add_body(out, &hottest, form);
	}
	hottest_release(&hottest);
	return result;
}

/** Add a report on two profiles. */
static void hottest_add_two(struct buf *out, const struct view *view, const struct opt_set *options,
			    const struct hottest_form *form) {
	struct changes changes;
	changes_init(&changes, view, options);
	buf_add_text(out, form->heading);
	changes_add_headline(out, &changes, form->add_changed);
	buf_add_text(out, form->heading[0] != '\0' ? "\n\n" : "\n");
	changes_add_totals(out, &changes);
	buf_add_char(out, '\n');
	form->add_changes(out, &changes, &changes.self, changes_headings[0]);
	form->add_changes(out, &changes, &changes.total, changes_headings[1]);
	buf_add_char(out, '\n');
	changes_add_next(out);
	buf_add_char(out, '\n');
	changes_release(&changes);
}

int hottest_write(struct output *out, const struct view *view, const struct opt_set *options,
		  struct diag *diag, const struct hottest_form *form) {
	bool two = view->compared != NULL;
	struct buf text = {0};
	int result = hottest_check(options, two, diag);
	if (result == 0 && two) {
		hottest_add_two(&text, view, options, form);
	} else if (result == 0) {
		result = hottest_add_one(&text, view, options, diag, form);
	}
	if (result == 0) {
		output_add_str(out, buf_str(&text));
	}
	buf_release(&text);
	return result;
}
