/* Make rows of a report for modules and source lines. */
#include "analysis/site_groups.h"

#include <stdlib.h>

/** Return the rank of the function of each name, or 0 for a name without a function. The caller
 * releases the result with free(). */
static size_t *site_groups_ranks(const struct view *view, const struct functions *ranked) {
	size_t n = names_count(&view->profile->names), at = 0;
	size_t *ranks = mem_new(n, sizeof(*ranks));
	for (uint32_t id = 0; id < n && at < ranked->n; id++) { // functions are in the order of
								// their ids
		if (profile_name(view->profile, id).p == ranked->items[at].name.p) {
			ranks[id] = ranked->items[at++].rank;
		}
	}
	return ranks;
}

void site_groups_add_path(struct buf *out, struct str path) {
	size_t slash = str_find_last(path, '/');
	size_t before = slash == STR_NONE ? STR_NONE : str_find_last(str_to(path, slash), '/');
	buf_add_str(out, before == STR_NONE ? path : str_from(path, before + 1));
}

/** Write the label of a sum in a report: the line and its function, or the module. */
static void site_groups_name(struct buf *name, const struct view *view, const struct site_sum *sum,
			     enum site_sums_by by) {
	const struct sites *sites = view->profile->sites;
	struct str module = sites_text_of(sites, sites_module_of(sites, sum->module).file);
	module = module.n > 0 ? module : STR("(unknown)");
	if (sum->line > 0) {
		site_groups_add_path(name, sites_text_of(sites, sum->file));
		buf_printf(name, ":%u ", sum->line);
		buf_add_str(name, profile_name(view->profile, sum->name));
	} else {
		buf_add_text(name, by == BY_LINE ? "(no line) " : "");
		buf_add_str(name, sum->name == SITE_NO_NAME
					  ? module
					  : profile_name(view->profile, sum->name));
	}
}

/** Leave out sums without counts. If the sums are by line, a sum whose line is not known keeps only
 * its self count, and none of the counts of its callees. */
static void site_groups_drop(struct site_sums *sums, enum site_sums_by by) {
	size_t n = 0;
	for (size_t i = 0; i < sums->n; i++) {
		struct site_sum *sum = &sums->items[i];
		bool is_line = by == BY_MODULE || sum->line > 0;
		sum->total = is_line ? sum->total : sum->self;
		if (sum->total > 0) {
			sums->items[n++] = *sum;
		}
	}
	sums->n = n;
}

void site_groups_collect(struct site_groups *groups, const struct view *view, enum site_sums_by by,
			 const struct functions *ranked) {
	struct site_sums *sums = &groups->sums;
	size_t *ranks = site_groups_ranks(view, ranked);
	struct buf name = {0};
	site_sums_collect(sums, view, by, SITE_NO_NAME);
	site_groups_drop(sums, by);
	groups->rows = (struct functions){mem_new(sums->n, sizeof(*groups->rows.items)), sums->n};
	for (size_t i = 0; i < sums->n; i++) {
		const struct site_sum *sum = &sums->items[i];
		buf_clear(&name);
		site_groups_name(&name, view, sum, by);
		groups->rows.items[i] = (struct function){
			.name = {arena_copy(&groups->texts, name.p, name.n), name.n},
			.self = {.after = sum->self},
			// Leave out a caller without a line, such as the root.
			.total = {.after =
					  by == BY_LINE && sum->line == 0 ? sum->self : sum->total},
			.rank = sum->name != SITE_NO_NAME ? ranks[sum->name] : 0};
	}
	buf_release(&name);
	free(ranks);
}

void site_groups_explain(struct buf *out, const struct view *view, uint32_t only) {
	const struct sites *sites = view->profile->sites;
	const struct site_sum *most = NULL;
	struct site_sums sums = {0};
	site_sums_collect(&sums, view, BY_MODULE, only);
	for (size_t i = 0; i < sums.n; i++) {
		bool is_better = most == NULL || sums.items[i].total > most->total;
		most = sums.items[i].module != 0 && is_better ? &sums.items[i] : most;
	}
	if (most == NULL) {
		buf_add_text(out, "the input has none; recordings of perf and of 'inferno record', "
				  "pprof, speedscope and cpuprofile have them");
	} else {
		struct str file = sites_text_of(sites, sites_module_of(sites, most->module).file);
		buf_printf(out,
			   "'%s' has no debug information; compile with -g, install the package "
			   "with its debug symbols, or set DEBUGINFOD_URLS and add --debuginfod",
			   quote(file).text);
	}
	site_sums_release(&sums);
}

void site_groups_release(struct site_groups *groups) {
	site_sums_release(&groups->sums);
	functions_release(&groups->rows);
	arena_release(&groups->texts);
}
