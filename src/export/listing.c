/* Show the source of one function, with the counts of its lines. */
#include "export/listing.h"

#include <stdlib.h>

#include "analysis/instructions.h"
#include "base/utf8.h"
#include "export/changes.h"
#include "export/source.h"

enum {
	AROUND_LINE = 2,  // number of lines that are shown before and after a line with counts
	LISTING_ENDS = 7, // number of lines of a report besides the lines of the source
};

bool listing_is_wanted(const struct opt_set *options) {
	const struct hottest_options *given = OPT_OF(options, hottest_rows, struct hottest_options);
	return given != NULL && given->list != NULL;
}

/* --- Sources -------------------------------------------------------------------------------- */

/** Return the offset of each line of a source. The last item is the length of the source. The
 * caller releases the result with free(). */
static size_t *listing_starts(struct str source, size_t *n) {
	size_t *starts = NULL, capacity = 0;
	*n = 0;
	for (size_t at = 0; at < source.n;) {
		MEM_GROW(starts, capacity, *n + 2);
		starts[(*n)++] = at;
		size_t end = str_find(str_from(source, at), '\n');
		at = end == STR_NONE ? source.n : at + end + 1;
		starts[*n] = at;
	}
	return starts;
}

/** Fill in the text of all lines. */
static void listing_set_texts(struct listing_file *file) {
	size_t n;
	struct str source = buf_str(&file->source);
	size_t *starts = listing_starts(source, &n);
	for (size_t i = 0; i < file->n; i++) {
		struct listing_line *line = &file->lines[i];
		if (line->number <= n) {
			size_t start = starts[line->number - 1];
			line->text =
				str_trim_end(str_from(str_to(source, starts[line->number]), start));
		} else {
			file->is_other |= line->counted && file->error == 0;
		}
	}
	free(starts);
}

/* --- Lines ---------------------------------------------------------------------------------- */

/** Compare lines by their totals. Self counts would rank a line that calls a hot function too
 * low. */
static int listing_compare_heat(const void *a, const void *b) {
	const struct listing_line *x = a, *y = b;
	return x->total != y->total    ? (x->total < y->total ? 1 : -1)
	       : x->self != y->self    ? (x->self < y->self ? 1 : -1)
	       : x->number < y->number ? -1
				       : x->number > y->number;
}

/** Compare lines by their numbers. If two numbers are equal, the line with counts comes first. */
static int listing_compare_numbers(const void *a, const void *b) {
	const struct listing_line *x = a, *y = b;
	return x->number != y->number ? (x->number < y->number ? -1 : 1)
				      : (int)y->counted - (int)x->counted;
}

/** Add the lines around the lines with counts, sort all lines, and mark the gaps. */
static void listing_surround(struct listing_file *file) {
	size_t counted = file->n, room = file->n, n = 0;
	for (size_t i = 0; i < counted; i++) {
		uint32_t number = file->lines[i].number;
		uint32_t from = number > AROUND_LINE ? number - AROUND_LINE : 1;
		for (uint64_t at = from; at <= number + (uint64_t)AROUND_LINE; at++) {
			*MEM_APPEND(file->lines, file->n, room) =
				(struct listing_line){.number = (uint32_t)at};
		}
	}
	qsort(file->lines, file->n, sizeof(*file->lines), listing_compare_numbers);
	for (size_t i = 0; i < file->n; i++) {
		bool is_first = n == 0,
		     is_again = !is_first && file->lines[n - 1].number == file->lines[i].number;
		if (!is_again) {
			struct listing_line line = file->lines[i];
			line.after_gap = !is_first && file->lines[n - 1].number + 1 < line.number;
			file->lines[n++] = line;
		}
	}
	file->n = n;
}

/** Leave out lines after the end of the source, except those with counts. */
static void listing_cut_end(struct listing_file *file) {
	size_t n = 0;
	for (size_t i = 0; i < file->n; i++) {
		if (file->lines[i].counted || file->lines[i].text.p != NULL) {
			file->lines[n++] = file->lines[i];
		}
	}
	file->n = n;
}

/** Return the number of rows that line `i` needs in addition to the rows of kept lines. A line with
 * counts is shown with `around` lines before it and after it. */
static size_t listing_rows_of(const struct listing_file *file, size_t i, int64_t around) {
	size_t rows = 0;
	for (int64_t at = file->lines[i].number - around; at <= file->lines[i].number + around;
	     at++) {
		bool shown = at < 1;
		for (size_t other = 0; other < i && !shown; other++) {
			shown = llabs(at - (int64_t)file->lines[other].number) <= around;
		}
		rows += !shown;
	}
	return rows;
}

/** Keep only the hottest lines, so that the file takes at most `rows` rows. */
static void listing_cut(struct listing_file *file, size_t rows) {
	int64_t around = file->error == 0 ? AROUND_LINE : 0;
	size_t kept = 0;
	qsort(file->lines, file->n, sizeof(*file->lines), listing_compare_heat);
	for (size_t used = 0; kept < file->n; kept++) {
		used += listing_rows_of(file, kept, around);
		if (used > rows && kept > 0) {
			break;
		}
	}
	for (size_t i = kept; i < file->n; i++) {
		file->left_out++;
		file->left_self += file->lines[i].self;
	}
	file->n = kept;
}

/** Return the file with a path. Add the file if it is new. */
static struct listing_file *listing_file_of(struct source_list *listing, struct str path,
					    size_t *capacity) {
	for (size_t i = 0; i < listing->n; i++) {
		if (str_eq(listing->files[i].path, path)) {
			return &listing->files[i];
		}
	}
	struct listing_file *file = MEM_APPEND(listing->files, listing->n, *capacity);
	*file = (struct listing_file){.path = path};
	return file;
}

/** Assign the sums to their files. */
static void listing_take(struct source_list *listing, const struct site_sums *sums) {
	const struct sites *sites = listing->hottest->view->profile->sites;
	size_t capacity = 0;
	for (size_t i = 0; i < sums->n; i++) {
		const struct site_sum *sum = &sums->items[i];
		if (sum->line == 0) {
			listing->unknown += sum->self;
			continue;
		}
		struct listing_file *file =
			listing_file_of(listing, sites_text_of(sites, sum->file), &capacity);
		size_t room = file->n;
		*MEM_APPEND(file->lines, file->n, room) =
			(struct listing_line){.number = sum->line,
					      .counted = true,
					      .self = sum->self,
					      .total = sum->total};
	}
}

static uint64_t listing_largest(const struct listing_file *file) {
	uint64_t most = 0;
	for (size_t i = 0; i < file->n; i++) {
		most = file->lines[i].total > most ? file->lines[i].total : most;
	}
	return most;
}

static int listing_compare_files(const void *a, const void *b) {
	uint64_t x = listing_largest(a), y = listing_largest(b);
	return x != y ? (x < y ? 1 : -1)
		      : str_compare(((const struct listing_file *)a)->path,
				    ((const struct listing_file *)b)->path);
}

/** Report that no line of the function is known. Return -1. */
static int listing_fail(const struct source_list *listing, uint32_t name, struct diag *diag) {
	struct buf why = {0};
	site_groups_explain(&why, listing->hottest->view, name);
	diag_error(diag, "no source line of '%s' is known: %s",
		   quote(listing->hottest->listed->name).text, buf_text(&why));
	buf_release(&why);
	return -1;
}

/** Return the build-id of a module with code from a source file. If no build-id is known, return an
 * empty text. */
static struct str listing_build_id(const struct sites *sites, struct str file) {
	for (uint32_t i = 0; i < sites->table.count; i++) {
		const struct site *site = sites_get(sites, i);
		if (site->module != 0 && str_eq(sites_text_of(sites, site->file), file)) {
			return sites_text_of(sites, sites_module_of(sites, site->module).build_id);
		}
	}
	return STR("");
}

/** Read a source file from this machine. If this machine does not have the file, fetch a copy from
 * a server and read it. */
static void listing_read_source(struct source_list *listing, struct listing_file *file,
				const struct opt_list *rules) {
	const struct view *view = listing->hottest->view;
	const struct code_reader *reader = view->code;
	struct buf path = {0};
	file->error = source_read(file->path, rules, &file->source);
	listing->asks_servers = reader != NULL && reader->fetch_source != NULL;
	if (file->error != 0 && listing->asks_servers &&
	    reader->fetch_source(reader->context, file->path,
				 listing_build_id(view->profile->sites, file->path), &path)) {
		const struct opt_list none = {0};
		file->error = source_read(buf_str(&path), &none, &file->source);
	}
	buf_release(&path);
}

int listing_init(struct source_list *listing, const struct hottest *hottest,
		 const struct opt_set *options, bool cut, struct diag *diag) {
	const struct hottest_options *given = OPT_OF(options, hottest_rows, struct hottest_options);
	struct site_sums sums = {0};
	uint32_t name = hottest_listed_name(hottest);
	*listing = (struct source_list){.hottest = hottest};
	site_sums_collect(&sums, hottest->view, BY_LINE, name);
	listing_take(listing, &sums);
	site_sums_release(&sums);
	if (listing->n == 0) {
		return listing_fail(listing, name, diag);
	}
	qsort(listing->files, listing->n, sizeof(*listing->files), listing_compare_files);
	size_t rows = (size_t)given->max_lines - LISTING_ENDS;
	for (size_t i = 0; i < listing->n; i++) {
		struct listing_file *file = &listing->files[i];
		listing_read_source(listing, file, &given->source_paths);
		if (cut) {
			listing_cut(file, rows > 2 ? rows - 2 : 0);
		}
		if (cut && file->error == 0) {
			listing_surround(file);
		} else {
			qsort(file->lines, file->n, sizeof(*file->lines), listing_compare_numbers);
		}
		listing_set_texts(file);
		listing_cut_end(file);
		rows -= rows < file->n + 2 ? rows : file->n + 2;
	}
	return 0;
}

/* --- Words ---------------------------------------------------------------------------------- */

void listing_add_source(struct buf *out, struct str text, size_t width) {
	enum { TAB = 4 };
	const struct str dots = STR("...");
	struct buf blanks = {0}, shown = {0};
	for (size_t i = 0; i < text.n; i++) {
		if (text.p[i] == '\t') {
			buf_add_str(&blanks, str_to(STR("    "), TAB - blanks.n % TAB));
		} else {
			buf_add_char(&blanks, text.p[i]);
		}
	}
	utf8_add_shown(&shown, buf_str(&blanks));
	size_t fits = utf8_prefix(buf_str(&shown), width);
	if (fits < shown.n && width > dots.n) {
		buf_add_str(out,
			    str_to(buf_str(&shown), utf8_prefix(buf_str(&shown), width - dots.n)));
		buf_add_str(out, dots);
	} else {
		buf_add_str(out, str_to(buf_str(&shown), fits));
	}
	buf_release(&blanks);
	buf_release(&shown);
}

void listing_add_remark(struct buf *out, const struct source_list *listing,
			const struct listing_file *file) {
	if (file->error != 0) {
		buf_printf(out,
			   "the source cannot be read: %s%s; give its folder with --source-path "
			   "FROM=TO",
			   strerror(file->error),
			   listing->asks_servers ? ", and no server in DEBUGINFOD_URLS has it"
						 : "");
	} else if (file->is_other) {
		buf_add_text(out,
			     "the file has fewer lines now than when the program was compiled");
	}
	if (file->left_out > 0) {
		buf_printf(out, "%s%zu more line%s with counts, ", out->n > 0 ? "; " : "",
			   file->left_out, file->left_out == 1 ? "" : "s");
		changes_add_percent(out, file->left_self, listing->hottest->view->sum);
		buf_add_text(out, " self");
	}
}

void listing_release(struct source_list *listing) {
	for (size_t i = 0; i < listing->n; i++) {
		buf_release(&listing->files[i].source);
		free(listing->files[i].lines);
	}
	free(listing->files);
}
