/*
 * Fuzz targets for pictures: each must be well-formed, and must run no script except the viewer.
 * The profile that is packed into the picture must equal the profile that was read.
 *
 *     packed     a profile of any format, as an SVG picture
 *     page       the same as an HTML page
 *     compared   two profiles, as an SVG picture or as an HTML page
 *     palette    a file palette.map and a profile
 *
 * A line of two per cent signs separates the two parts of an input.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <expat.h>
#ifdef HAVE_LIBDEFLATE
#include <libdeflate.h>
#endif

#include "base/input.h"
#include "base/num.h"
#include "base/utf8.h"
#include "profile/names.h"

#include "job.h"

#if XML_MAJOR_VERSION == 2 && XML_MINOR_VERSION < 9 // later versions deprecate the old name
#define XML_GetCurrentByteIndex64 XML_GetCurrentByteIndex
#endif

/* --- Well-formed ---------------------------------------------------------------------------- */

/** Parts of a document that could run a script. */
struct seen {
	size_t scripts, handlers, links;
};

static void fuzz_pictures_see_element(void *context, const char *name, const char **attributes) {
	struct seen *seen = context;
	seen->scripts += strcmp(name, "script") == 0;
	seen->links += strcmp(name, "a") == 0;
	for (size_t i = 0; attributes[i] != NULL; i += 2) {
		seen->handlers += strncmp(attributes[i], "on", 2) == 0;
	}
}

static void fuzz_pictures_check_xml(struct str picture, struct seen *seen) {
	XML_Parser parser = XML_ParserCreate(NULL);
	XML_SetUserData(parser, seen);
	XML_SetStartElementHandler(parser, fuzz_pictures_see_element);
	bool sound = XML_Parse(parser, picture.p, (int)picture.n, 1) == XML_STATUS_OK;
	size_t at = sound ? 0 : (size_t)XML_GetCurrentByteIndex64(parser);
	fuzz_require(sound, XML_ErrorString(XML_GetErrorCode(parser)), str_from(picture, at));
	XML_ParserFree(parser);
}

static size_t fuzz_pictures_count(struct str text, struct str word) {
	size_t n = 0;
	for (size_t at; (at = str_find_str(text, word)) != STR_NONE; n++) {
		text = str_from(text, at + word.n);
	}
	return n;
}

/** Return the first picture of a page, including pictures nested in it. */
static struct str fuzz_pictures_in(struct str page) {
	static const struct str open = STR_INIT("<svg"), close = STR_INIT("</svg>");
	size_t start = str_find_str(page, open), end = start == STR_NONE ? page.n : start,
	       depth = 0;
	do {
		struct str rest = str_from(page, end);
		size_t opening = str_find_str(rest, open), closing = str_find_str(rest, close);
		fuzz_require(closing != STR_NONE, "the page is cut off", page);
		depth = opening < closing ? depth + 1 : depth - 1;
		end += opening < closing ? opening + open.n : closing + close.n;
	} while (depth > 0);
	return str_from(str_to(page, end), start);
}

/** Check an SVG picture, or a page with one. A picture of an error message has no script.
 */
static void fuzz_pictures_check_picture(struct str picture, bool is_page) {
	struct seen seen = {0};
	fuzz_require(utf8_valid(picture), "the picture is no UTF-8", picture);
	if (is_page) {
		fuzz_require(str_ends(str_trim(picture), STR("</html>")), "the page is cut off",
			     picture);
		fuzz_require(fuzz_pictures_count(picture, STR("<script")) <= 1,
			     "the page has another script", picture);
		if (!str_has(picture, STR("<svg"))) {
			return; // the page has the message that there is nothing to draw
		}
		picture = fuzz_pictures_in(picture);
	}
	fuzz_pictures_check_xml(picture, &seen);
	size_t own = is_page ? 0 : 1;
	fuzz_require(seen.scripts <= own && seen.handlers <= own && seen.links == 0,
		     "the picture has another script", picture);
}

/* --- The packed profile --------------------------------------------------------------------- */

static int fuzz_pictures_digit(char c) {
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = c == '\0' ? NULL : strchr(digits, c);
	return at == NULL ? -1 : (int)(at - digits);
}

static void fuzz_pictures_unpack_base64(struct buf *out, struct str text) {
	uint32_t bits = 0;
	unsigned n = 0;
	for (size_t i = 0; i < text.n && text.p[i] != '='; i++) {
		int value = fuzz_pictures_digit(text.p[i]);
		fuzz_require(value >= 0, "the profile is not base64", str_from(text, i));
		bits = bits << 6 | (uint32_t)value;
		n += 6;
		if (n >= 8) {
			n -= 8;
			buf_add_char(out, (char)(bits >> n & 0xff));
		}
	}
}

/** Unpack deflate streams, one after the other. */
static void fuzz_pictures_inflate(struct buf *out, struct str packed) {
#ifdef HAVE_LIBDEFLATE
	struct libdeflate_decompressor *unpacker = libdeflate_alloc_decompressor();
	size_t room = 1 << 16;
	while (packed.n > 0) {
		size_t in = 0, n = 0;
		enum libdeflate_result result = libdeflate_deflate_decompress_ex(
			unpacker, packed.p, packed.n, buf_room(out, room), room, &in, &n);
		if (result == LIBDEFLATE_INSUFFICIENT_SPACE) {
			room *= 2;
			continue;
		}
		fuzz_require(result == LIBDEFLATE_SUCCESS && in > 0, "the profile is cut off",
			     STR(""));
		out->n += n;
		packed = str_from(packed, in);
	}
	libdeflate_free_decompressor(unpacker);
#else
	(void)out;
	(void)packed;
#endif
}

/** Cut a number off the front of the unpacked bytes. */
static uint64_t fuzz_pictures_take_number(struct str *rest) {
	uint64_t value = 0;
	for (unsigned shift = 0;; shift += 7) {
		fuzz_require(rest->n > 0 && shift < 64, "a number is cut off", *rest);
		unsigned char byte = (unsigned char)rest->p[0];
		*rest = str_from(*rest, 1);
		value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80) {
			return value;
		}
	}
}

enum { DELTAS = 1, GAPS = 2, HIDDEN_NAMES = 4, CHANGES = 8 };

/** The columns that are compared. */
struct packed {
	uint64_t flags, frames, names;
	uint64_t *pops, *name, *self, *before, *after;
	struct str *table;
	struct buf bytes, texts;
};

static uint64_t *fuzz_pictures_take_column(const struct packed *packed, struct str *rest,
					   bool present) {
	uint64_t *column = mem_new(packed->frames, sizeof(*column));
	for (uint64_t i = 0; present && i < packed->frames; i++) {
		column[i] = fuzz_pictures_take_number(rest);
	}
	return column;
}

/** Read the names. A name is stored without the bytes that it shares with the start of the previous
 * name. */
static void fuzz_pictures_take_names(struct packed *packed, struct str *rest) {
	size_t *ends = mem_new(packed->names, sizeof(*ends)), start = 0;
	for (uint64_t i = 0; i < packed->names; i++) {
		size_t shared = (size_t)fuzz_pictures_take_number(rest),
		       n = (size_t)fuzz_pictures_take_number(rest);
		fuzz_require(n <= rest->n && shared <= packed->texts.n - start, "a name is cut off",
			     *rest);
		size_t at = start;
		start = packed->texts.n;
		for (size_t k = 0; k < shared; k++) {
			buf_add_char(&packed->texts, packed->texts.p[at + k]);
		}
		buf_add(&packed->texts, rest->p, n);
		*rest = str_from(*rest, n);
		ends[i] = packed->texts.n;
	}
	packed->table = mem_new(packed->names, sizeof(*packed->table));
	for (uint64_t i = 0; i < packed->names; i++) {
		size_t from = i == 0 ? 0 : ends[i - 1];
		packed->table[i] = str_from(str_to(buf_str(&packed->texts), ends[i]), from);
	}
	free(ends);
}

/** Unpack the profile of a picture, as docs/picture.md says. */
static void fuzz_pictures_unpack(struct packed *packed, struct str picture) {
	static const struct str mark = STR_INIT("<metadata id=\"profile\"");
	*packed = (struct packed){0};
	size_t at = str_find_str(picture, mark);
	fuzz_require(at != STR_NONE, "the profile is not in the picture", STR(""));
	struct str rest = str_from(picture, at);
	struct str head = str_cut(&rest, '>');
	(void)str_cut(&rest, '['); // "<![CDATA["
	(void)str_cut(&rest, '[');
	struct str text = str_cut(&rest, ']');
	struct buf bytes = {0};
	fuzz_pictures_unpack_base64(&bytes, text);
	if (str_has(head, STR("data-coding=\"deflate\""))) {
		fuzz_pictures_inflate(&packed->bytes, buf_str(&bytes));
		buf_release(&bytes);
	} else {
		packed->bytes = bytes;
	}
	rest = buf_str(&packed->bytes);
	fuzz_require(fuzz_pictures_take_number(&rest) == 1, "the version is another", STR(""));
	packed->flags = fuzz_pictures_take_number(&rest);
	packed->frames = fuzz_pictures_take_number(&rest);
	packed->names = fuzz_pictures_take_number(&rest);
	(void)fuzz_pictures_take_number(&rest); // colours
	fuzz_require(packed->frames <= rest.n && packed->names <= rest.n, "a count is too large",
		     STR(""));
	packed->pops = fuzz_pictures_take_column(packed, &rest, true);
	packed->name = fuzz_pictures_take_column(packed, &rest, true);
	packed->self = fuzz_pictures_take_column(packed, &rest, true);
	free(fuzz_pictures_take_column(packed, &rest, (packed->flags & GAPS) != 0)); // hidden
	free(fuzz_pictures_take_column(packed, &rest, (packed->flags & GAPS) != 0)); // gaps
	for (uint64_t i = 0; (packed->flags & DELTAS) != 0 && i < packed->frames; i++) {
		(void)(fuzz_pictures_take_number(&rest) != 0 ? fuzz_pictures_take_number(&rest)
							     : 0);
	}
	packed->before = fuzz_pictures_take_column(packed, &rest, (packed->flags & CHANGES) != 0);
	packed->after = fuzz_pictures_take_column(packed, &rest, (packed->flags & CHANGES) != 0);
	fuzz_pictures_take_names(packed, &rest);
}

static void fuzz_pictures_release(struct packed *packed) {
	free(packed->pops);
	free(packed->name);
	free(packed->self);
	free(packed->before);
	free(packed->after);
	free(packed->table);
	buf_release(&packed->bytes);
	buf_release(&packed->texts);
}

/* --- Stacks of a picture and of folded text ------------------------------------------------- */

/**
 * Stacks with their counts, as text. Blanks at the ends of names are removed, because pictures have
 * none there.
 */
struct rows {
	struct fuzz_pictures_row {
		size_t at, n;
		uint64_t counts[2];
	} * items;
	size_t n, capacity;
	struct buf text;
	bool unclear; // a name ends in a number or begins a comment, so it may be changed
};

static void fuzz_pictures_add_frame(struct rows *rows, struct str name) {
	struct str trimmed = str_trim(name);
	trimmed = trimmed.n == 0 ? name : trimmed;
	rows->unclear =
		rows->unclear || names_ends_in_count(trimmed) || names_begins_comment(trimmed);
	buf_add_str(&rows->text, trimmed);
	buf_add_char(&rows->text, ';');
}

static void fuzz_pictures_add_row(struct rows *rows, size_t at, uint64_t first, uint64_t second) {
	rows->items = mem_grow(rows->items, &rows->capacity, rows->n + 1, sizeof(*rows->items));
	rows->items[rows->n++] = (struct fuzz_pictures_row){at, rows->text.n - at, {first, second}};
}

enum { TEXT_MOST = 8 << 20 };

/** Return false if the text of all stacks would be too long. */
static bool fuzz_pictures_add_packed(struct rows *rows, const struct packed *packed) {
	size_t *path = mem_new(packed->frames + 1, sizeof(*path)), depth = 0;
	for (uint64_t i = 0; i < packed->frames && rows->text.n < TEXT_MOST; i++) {
		fuzz_require(packed->pops[i] <= depth && packed->name[i] < packed->names,
			     "a column is wrong", STR(""));
		depth = depth + 1 - (size_t)packed->pops[i];
		path[depth - 1] = (size_t)packed->name[i];
		bool changes = (packed->flags & CHANGES) != 0;
		uint64_t first = changes ? packed->before[i] : packed->self[i];
		if (first == 0 && packed->after[i] == 0) {
			continue;
		}
		size_t at = rows->text.n;
		for (size_t k = 1; k < depth; k++) { // the root has no name
			fuzz_pictures_add_frame(rows, packed->table[path[k]]);
		}
		fuzz_pictures_add_row(rows, at, first, packed->after[i]);
	}
	free(path);
	return rows->text.n < TEXT_MOST;
}

/** Take the count off the end of a line that was checked before. */
static uint64_t fuzz_pictures_take_count(struct str *line) {
	size_t blank = str_find_last(*line, ' ');
	uint64_t value = 0;
	(void)num_parse_u64(str_from(*line, blank + 1), &value);
	*line = str_to(*line, blank);
	return value;
}

static void fuzz_pictures_add_folded(struct rows *rows, struct str text, size_t counts) {
	struct lines lines = {.rest = text};
	for (struct str line; lines_next(&lines, &line);) {
		uint64_t second = counts == 2 ? fuzz_pictures_take_count(&line) : 0,
			 first = fuzz_pictures_take_count(&line);
		size_t at = rows->text.n;
		if (first == 0 && second == 0) {
			continue;
		}
		for (bool more = true; more;) {
			more = str_find(line, ';') != STR_NONE;
			fuzz_pictures_add_frame(rows, str_cut(&line, ';'));
		}
		fuzz_pictures_add_row(rows, at, first, second);
	}
}

static struct str fuzz_pictures_row_text(const struct rows *rows, size_t i) {
	const struct fuzz_pictures_row *row = &rows->items[i];
	return str_from(str_to(buf_str(&rows->text), row->at + row->n), row->at);
}

static int fuzz_pictures_compare_rows(const void *a, const void *b, void *rows) {
	return str_compare(fuzz_pictures_row_text(rows, *(const size_t *)a),
			   fuzz_pictures_row_text(rows, *(const size_t *)b));
}

/** Bring the rows into order, and add up those of the same stack. */
static void fuzz_pictures_finish(struct rows *rows) {
	size_t *order = mem_new(rows->n + 1, sizeof(*order)), n = 0;
	struct fuzz_pictures_row *sorted = mem_new(rows->n + 1, sizeof(*sorted));
	for (size_t i = 0; i < rows->n; i++) {
		order[i] = i;
	}
	qsort_r(order, rows->n, sizeof(*order), fuzz_pictures_compare_rows, rows);
	for (size_t i = 0; i < rows->n; i++) {
		bool same = i > 0 && str_eq(fuzz_pictures_row_text(rows, order[i]),
					    fuzz_pictures_row_text(rows, order[i - 1]));
		n += !same;
		struct fuzz_pictures_row *row = &sorted[n - 1];
		const struct fuzz_pictures_row *from = &rows->items[order[i]];
		row->counts[0] = (same ? row->counts[0] : 0) + from->counts[0];
		row->counts[1] = (same ? row->counts[1] : 0) + from->counts[1];
		row->at = from->at;
		row->n = from->n;
	}
	free(order);
	free(rows->items);
	rows->items = sorted;
	rows->n = n;
}

static void fuzz_pictures_rows_release(struct rows *rows) {
	free(rows->items);
	buf_release(&rows->text);
}

/** Check that the packed profile has the stacks of the folded text, with the same counts. */
static void fuzz_pictures_check_packed(struct str picture, struct str folded, size_t counts) {
	struct packed packed;
	struct rows a = {0}, b = {0};
	fuzz_pictures_unpack(&packed, picture);
	// Skip lines with two counts: folded text has the first count as a part of the name.
	if (counts == 2 || (packed.flags & (DELTAS | CHANGES)) == 0) {
		if (fuzz_pictures_add_packed(&a, &packed)) {
			fuzz_pictures_add_folded(&b, folded, counts);
			fuzz_pictures_finish(&a);
			fuzz_pictures_finish(&b);
			fuzz_require(b.unclear || a.n == b.n, "the packed profile has other stacks",
				     folded);
			for (size_t i = 0; i < a.n && !b.unclear; i++) {
				const struct fuzz_pictures_row *x = &a.items[i], *y = &b.items[i];
				fuzz_require(str_eq(fuzz_pictures_row_text(&a, i),
						    fuzz_pictures_row_text(&b, i)) &&
						     x->counts[0] == y->counts[0] &&
						     x->counts[1] == y->counts[1],
					     "the packed profile differs",
					     fuzz_pictures_row_text(&a, i));
			}
		}
	}
	fuzz_pictures_rows_release(&a);
	fuzz_pictures_rows_release(&b);
	fuzz_pictures_release(&packed);
}

/* --- Targets -------------------------------------------------------------------------------- */

static void fuzz_pictures_draw(struct job *job, struct str input, const char *format) {
	job_init(job, "flamegraph");
	job_set(job, "format", format);
	if (strcmp(format, "folded") != 0) {
		job_set(job, "data", "full");
	}
	job_add(job, input);
	job_run(job);
}

static void fuzz_pictures_try_picture(struct str input, bool is_page) {
	struct job picture, folded;
	fuzz_pictures_draw(&picture, input, is_page ? "html" : "svg");
	fuzz_pictures_draw(&folded, input, "folded");
	if (picture.out.n > 0) {
		fuzz_pictures_check_picture(buf_str(&picture.out), is_page);
	}
	if (picture.status == INFERNO_OK && folded.status == INFERNO_OK) {
		fuzz_pictures_check_packed(buf_str(&picture.out), buf_str(&folded.out), 1);
	}
	job_release(&picture);
	job_release(&folded);
}

void fuzz_packed(struct str input, struct random *source) {
	(void)source;
	fuzz_pictures_try_picture(input, false);
}

void fuzz_page(struct str input, struct random *source) {
	(void)source;
	fuzz_pictures_try_picture(input, true);
}

static void fuzz_pictures_compare(struct job *job, const struct str *sides, const char *format) {
	job_init(job, "diff");
	if (format != NULL) {
		job_set(job, "format", format);
	}
	job_add(job, sides[0]);
	job_add(job, sides[1]);
	job_run(job);
}

void fuzz_compared(struct str input, struct random *source) {
	bool is_page = random_below(source, 2) == 0;
	struct str sides[2] = {fuzz_part(&input)};
	sides[1] = fuzz_part(&input);
	struct job picture, text;
	fuzz_pictures_compare(&picture, sides, is_page ? "html" : "svg");
	fuzz_pictures_compare(&text, sides, NULL);
	if (picture.out.n > 0) {
		fuzz_pictures_check_picture(buf_str(&picture.out), is_page);
	}
	if (picture.status == INFERNO_OK && text.status == INFERNO_OK) {
		fuzz_pictures_check_packed(buf_str(&picture.out), buf_str(&text.out), 2);
	}
	job_release(&picture);
	job_release(&text);
}

static const char map_path[] = "palette.map";

/** Draw with the palette.map of the current folder, and read it afterwards. */
static void fuzz_pictures_draw_with_map(struct job *job, struct str input, struct buf *map) {
	struct diag diag = {0};
	job_init(job, "flamegraph");
	job_set(job, "cp", NULL);
	job_add(job, input);
	job_run(job);
	if (job->status == INFERNO_OK) {
		fuzz_require(input_read_file(map_path, map, &diag) == 0, "there is no palette.map",
			     STR(""));
	}
	diag_release(&diag);
}

/** Check that drawing again with the same file changes neither the file nor the picture. */
static void fuzz_pictures_try_map(struct str map, struct str profile) {
	struct job jobs[2];
	struct buf maps[2] = {0};
	FILE *file = fopen(map_path, "wb");
	fuzz_require(file != NULL && fwrite(map.p, 1, map.n, file) == map.n && fclose(file) == 0,
		     "cannot write palette.map", STR(""));
	fuzz_pictures_draw_with_map(&jobs[0], profile, &maps[0]);
	if (jobs[0].out.n > 0) {
		fuzz_pictures_check_picture(buf_str(&jobs[0].out), false);
	}
	if (jobs[0].status == INFERNO_OK) {
		fuzz_pictures_draw_with_map(&jobs[1], profile, &maps[1]);
		fuzz_require(str_eq(buf_str(&maps[0]), buf_str(&maps[1])),
			     "palette.map changes when it is used again", buf_str(&maps[1]));
		fuzz_require(str_eq(buf_str(&jobs[0].out), buf_str(&jobs[1].out)),
			     "the picture changes when it is drawn again", buf_str(&jobs[1].out));
		job_release(&jobs[1]);
	}
	job_release(&jobs[0]);
	buf_release(&maps[0]);
	buf_release(&maps[1]);
}

void fuzz_palette(struct str input, struct random *source) {
	(void)source;
	char folder[] = "/tmp/fuzz-palette-XXXXXX";
	int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	fuzz_require(here >= 0 && mkdtemp(folder) != NULL && chdir(folder) == 0, "no folder",
		     STR(""));
	struct str map = fuzz_part(&input);
	fuzz_pictures_try_map(map, input.n == 0 ? STR("a;b 1\nc 2\n") : input);
	unlink(map_path);
	fuzz_require(fchdir(here) == 0 && rmdir(folder) == 0, "the folder is not empty", STR(""));
	close(here);
}
