/*
 * svg: flame graphs as profiles. The pictures and pages of inferno contain the profile that they
 * show, in the form that docs/picture.md describes. Pictures of flamegraph.pl and of the Rust crate
 * inferno contain no profile. In these pictures, names and counts are read from the titles of
 * boxes, and callers from the positions of boxes.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/base64.h"
#include "base/deflate.h"
#include "base/limits.h"
#include "collapse/collapser.h"
#include "collapse/text.h"
#include "collapse/times.h"
#include "viewer-constants.h"

enum svg_side { SIDE_BOTH, SIDE_AFTER, SIDE_BEFORE };

static const char *const sides[] = {"both", "after", "before", NULL};

struct svg_options {
	unsigned side;
};

enum svg_tally { TALLY_NO_COUNT, TALLY_CHILDREN };

/** A frame of the profile in a picture. */
struct svg_frame {
	uint64_t self, before; // `before`: in a comparison, the count in the earlier profile
	uint32_t depth, name;  // `name`: index of the name
	bool two_counts;
};

/** A box in a picture. */
struct svg_box {
	struct str name; // title, as in the file
	double y, x, width;
	uint64_t count, children;
	uint32_t call;
	size_t place; // number of the box in the order of the file
};

/** The unpacked bytes of an element, and a position in them. */
struct svg_packed {
	struct buf bytes;
	size_t at;
	bool broken; // the bytes end too early, or a number is too large
};

struct svg_state {
	STATE_HEAD(struct svg_options);
	struct memo names;
	struct buf file, text, unit;
	bool open_line;
	struct svg_frame *frames; // frames of the packed profile
	size_t frames_n, frames_capacity;
	struct ids by_name; // frame of each name in the picture
	struct svg_box *boxes;
	size_t boxes_n, boxes_capacity;
	struct ids path, calls; // `path`: call at each depth; `calls`: call of each frame
	bool two_counts;        // frames have two counts
	struct times times;
};

#define NO_CALL UINT32_MAX

/* --- Elements ------------------------------------------------------------------------------- */

/** Return the value of an attribute in a tag, or an empty text if the tag does not have the
 * attribute. */
static struct str svg_attribute(struct str tag, const char *name) {
	char start[32];
	snprintf(start, sizeof(start), " %s=\"", name);
	size_t at = str_find_str(tag, str_of(start));
	struct str value = str_from(tag, at == STR_NONE ? tag.n : at + strlen(start));
	size_t end = str_find(value, '"');
	return at == STR_NONE || end == STR_NONE ? STR("") : str_to(value, end);
}

/** Find an element by the start of its tag, such as `<metadata id="times"`. The element must
 * contain no other elements. Set `*tag` and `*content`. Return false if there is no such
 * element. */
static bool svg_element(struct str file, const char *start, struct str *tag, struct str *content) {
	size_t at = str_find_str(file, str_of(start));
	*tag = str_from(file, at == STR_NONE ? file.n : at);
	size_t end = str_find(*tag, '>');
	*content = str_from(*tag, end == STR_NONE ? tag->n : end + 1);
	*tag = str_to(*tag, end == STR_NONE ? tag->n : end);
	const struct str cdata = STR("<![CDATA[");
	bool is_cdata = str_starts(*content, cdata);
	*content = str_from(*content, is_cdata ? cdata.n : 0);
	size_t close = str_find(*content, is_cdata ? ']' : '<');
	*content = str_to(*content, close == STR_NONE ? content->n : close);
	return at != STR_NONE && end != STR_NONE && close != STR_NONE;
}

/* --- Packed bytes --------------------------------------------------------------------------- */

/** Read a number that is stored as groups of seven bits, the lowest group first. */
static uint64_t svg_number(struct svg_packed *packed) {
	uint64_t number = 0;
	enum { BITS = 7, MORE = 0x80, ALL = 64 };
	for (unsigned shift = 0; shift < ALL && packed->at < packed->bytes.n; shift += BITS) {
		uint64_t byte = (unsigned char)packed->bytes.p[packed->at++];
		number |= (byte & (MORE - 1)) << shift;
		if (byte < MORE) {
			return number;
		}
	}
	packed->broken = true;
	return 0;
}

/** Read a number. If it is above `most`, set `broken`. */
static uint64_t svg_number_to(struct svg_packed *packed, uint64_t most) {
	uint64_t number = svg_number(packed);
	packed->broken |= number > most;
	return packed->broken ? 0 : number;
}

static struct str svg_bytes(struct svg_packed *packed, uint64_t n) {
	if (n > packed->bytes.n - packed->at) {
		packed->broken = true;
		return STR("");
	}
	packed->at += (size_t)n;
	return (struct str){packed->bytes.p + packed->at - n, (size_t)n};
}

/** Unpack the content of an element. Return 0, or -1 after an error. */
static int svg_unpack(struct svg_state *state, struct svg_packed *packed, struct str tag,
		      struct str content) {
	bool deflated = str_eq(svg_attribute(tag, "data-coding"), STR("deflate"));
	struct buf raw = {0};
	bool good = base64_read(deflated ? &raw : &packed->bytes, str_trim(content)) &&
		    (!deflated || deflate_read(&packed->bytes, buf_str(&raw), LIMIT_PICTURE));
	buf_release(&raw);
	return good ? 0
		    : run_error(state->run, 0,
				"the profile in the picture is not what inferno writes, or this "
				"inferno was built without libdeflate");
}

/* --- A packed profile ----------------------------------------------------------------------- */

/** Read the columns of frames. If the picture leaves out frames, add their counts to their callers.
 * Return the sum of these counts. */
static uint64_t svg_read_frames(struct svg_state *state, struct svg_packed *packed, uint64_t flags,
				uint64_t names) {
	struct svg_frame *frames = state->frames;
	size_t n = state->frames_n;
	uint64_t hidden = 0;
	for (size_t i = 0; i < n && !packed->broken; i++) {
		uint32_t most = i == 0 ? 0 : frames[i - 1].depth;
		uint64_t pops = svg_number_to(packed, most);
		frames[i].depth = i == 0 ? 0 : (uint32_t)(most + 1 - pops);
	}
	for (size_t i = 0; i < n && !packed->broken; i++) {
		frames[i].name = (uint32_t)svg_number_to(packed, names - 1);
	}
	for (size_t i = 0; i < n && !packed->broken; i++) {
		frames[i].self = svg_number_to(packed, INT64_MAX / 2);
	}
	for (size_t i = 0; i < n && (flags & PACK_GAPS) != 0 && !packed->broken; i++) {
		uint64_t more = svg_number_to(packed, INT64_MAX / 2 - frames[i].self);
		frames[i].self += more;
		hidden = more > UINT64_MAX - hidden ? UINT64_MAX : hidden + more;
	}
	for (size_t i = 0; i < n && (flags & PACK_GAPS) != 0 && !packed->broken; i++) {
		(void)svg_number(packed);
	}
	return hidden;
}

/** Read the counts of two profiles. The counts are stored as differences, or as two counts. */
static void svg_read_changes(struct svg_state *state, struct svg_packed *packed, uint64_t flags) {
	enum { UNKNOWN, GREW, SHRANK };
	struct svg_frame *frames = state->frames;
	for (size_t i = 0; i < state->frames_n && (flags & PACK_DELTAS) != 0; i++) {
		uint64_t how = svg_number_to(packed, SHRANK);
		uint64_t by = how == UNKNOWN ? 0
			      : how == GREW  ? svg_number_to(packed, frames[i].self)
					     : svg_number_to(packed, INT64_MAX / 2);
		frames[i].before = how == GREW ? frames[i].self - by : frames[i].self + by;
		frames[i].two_counts = how != UNKNOWN;
	}
	for (size_t i = 0; i < state->frames_n && (flags & PACK_CHANGES) != 0; i++) {
		frames[i].before = svg_number_to(packed, INT64_MAX / 2);
		frames[i].two_counts = true;
	}
	for (size_t i = 0; i < state->frames_n && (flags & PACK_CHANGES) != 0; i++) {
		frames[i].self = svg_number_to(packed, INT64_MAX / 2);
	}
	state->two_counts = (flags & (PACK_DELTAS | PACK_CHANGES)) != 0;
}

/** Read the table of names. The first name is the name of the root, which becomes `all`. */
static void svg_read_names(struct svg_state *state, struct svg_packed *packed, uint64_t names) {
	state->by_name.n = 0;
	buf_clear(&state->text);
	for (uint64_t i = 0; i < names && !packed->broken; i++) {
		state->text.n = (size_t)svg_number_to(packed, state->text.n);
		buf_add_str(&state->text, svg_bytes(packed, svg_number(packed)));
		struct str name = i == 0               ? STR("all")
				  : state->text.n == 0 ? STR("[unknown]")
						       : buf_str(&state->text);
		ids_push(&state->by_name, text_frame(state->run, &state->names, name));
	}
}

/** Read a packed profile up to its names. Return 0, or -1 after an error. */
static int svg_read_profile(struct svg_state *state, struct svg_packed *packed) {
	uint64_t version = svg_number(packed), flags = svg_number(packed);
	uint64_t n = svg_number(packed), names = svg_number(packed), hidden = 0;
	(void)svg_number(packed); // skip the number of colours
	if (version != PACK_VERSION) {
		return run_error(state->run, 0, "the profile in the picture has version %llu",
				 (unsigned long long)version);
	}
	packed->broken |= n > packed->bytes.n || names > packed->bytes.n || names == 0;
	if (!packed->broken) {
		state->frames_n = (size_t)n;
		MEM_GROW(state->frames, state->frames_capacity, (size_t)n);
		memset(state->frames, 0, (size_t)n * sizeof(*state->frames));
		hidden = svg_read_frames(state, packed, flags, names);
		svg_read_changes(state, packed, flags);
		svg_read_names(state, packed, names);
	}
	if (packed->broken) {
		return run_error(state->run, 0,
				 "the profile in the picture is broken at byte %zu of %zu",
				 packed->at, packed->bytes.n);
	}
	return hidden == 0
		       ? 0
		       : run_warn(state->run, 0,
				  "frames that were too narrow for the picture are missing: %llu "
				  "of the counts stay with their callers",
				  (unsigned long long)hidden);
}

/* --- Times ---------------------------------------------------------------------------------- */

/** The table of times of a page. */
struct svg_timetable {
	uint64_t flags, start, width, buckets, threads, entries;
	struct str *names;        // names of the threads
	struct svg_packed frames; // the lists of frame numbers, one for each bucket of each thread
};

/** Read a list of numbers of frames, and add the count of each frame in this bucket. If `thread` is
 * NULL, only skip the list. The counts come after all lists of numbers, so `counts` is the position
 * of the next count. */
static void svg_read_list(struct svg_state *state, struct svg_packed *packed,
			  struct svg_packed *counts, const struct svg_timetable *table,
			  const struct str *thread, uint64_t bucket, uint64_t n) {
	uint64_t frame = 0, from = table->start + bucket * table->width;
	for (uint64_t i = 0; i < n && !packed->broken; i++) {
		frame += svg_number_to(packed, UINT32_MAX);
		uint64_t at = (table->flags & TIMES_HIDDEN) != 0 ? frame / 2 : frame;
		uint64_t count = svg_number(counts);
		if (at >= state->frames_n) {
			packed->broken = true;
		} else if (!packed->broken && !counts->broken && thread != NULL) {
			times_weight(&state->times, state->run->profile, state->calls.items[at],
				     *thread, from, from + table->width, count);
		}
	}
}

/** Read the lists of a table, which come after its header. */
static void svg_read_lists(struct svg_state *state, struct svg_packed *packed,
			   const struct svg_timetable *table) {
	bool compared = (table->flags & TIMES_COMPARED) != 0;
	bool before = state->options->side == SIDE_BEFORE;
	uint64_t side = table->threads * table->buckets, lists = compared ? 2 * side : side;
	uint64_t all = 0;
	uint64_t *lengths = mem_new((size_t)lists, sizeof(*lengths));
	for (uint64_t i = 0; i < lists; i++) {
		lengths[i] = svg_number_to(packed, table->entries - all);
		all += lengths[i];
	}
	struct svg_packed counts = *packed;
	for (uint64_t i = 0; i < all && !counts.broken; i++) {
		(void)svg_number(&counts);
	}
	for (uint64_t i = 0; i < lists && !packed->broken; i++) {
		uint64_t thread = i % side / table->buckets;
		bool is_wanted = !compared || (i >= side) == before;
		svg_read_list(state, packed, &counts, table,
			      is_wanted ? &table->names[thread] : NULL, i % table->buckets,
			      lengths[i]);
	}
	packed->broken |= counts.broken;
	free(lengths);
}

static void svg_read_times(struct svg_state *state, struct svg_packed *packed) {
	struct svg_timetable table = {0};
	uint64_t version = svg_number(packed);
	table.flags = svg_number(packed);
	table.start = svg_number_to(packed, INT64_MAX / 2);
	table.width = svg_number_to(packed, INT64_MAX / 2 / TIME_BUCKETS_MOST);
	table.buckets = svg_number_to(packed, TIME_BUCKETS_MOST);
	table.threads = svg_number_to(packed, packed->bytes.n);
	(void)svg_number(packed); // skip the number of lists of other threads
	table.entries = svg_number_to(packed, packed->bytes.n);
	packed->broken |= version != TIMES_VERSION || table.buckets == 0 ||
			  table.threads * table.buckets > packed->bytes.n;
	if (packed->broken) {
		return;
	}
	table.names = mem_new((size_t)table.threads, sizeof(*table.names));
	for (uint64_t i = 0; i < table.threads; i++) {
		table.names[i] = svg_bytes(packed, svg_number(packed));
		(void)svg_number(packed); // skip the sum of its counts
		if ((table.flags & TIMES_COMPARED) != 0) {
			(void)svg_number(packed);
		}
	}
	if (!packed->broken) {
		svg_read_lists(state, packed, &table);
	}
	free(table.names);
}

static int svg_add_times(struct svg_state *state, struct str file) {
	struct str tag, content;
	struct svg_packed packed = {0};
	if (!profile_wants_times(state->run->profile) ||
	    !svg_element(file, "<metadata id=\"times\"", &tag, &content)) {
		return 0;
	}
	int result = svg_unpack(state, &packed, tag, content);
	if (result == 0) {
		svg_read_times(state, &packed);
		result = !packed.broken ? 0
					: run_error(state->run, 0,
						    "the times in the page are broken at byte %zu "
						    "of %zu",
						    packed.at, packed.bytes.n);
	}
	buf_release(&packed.bytes);
	return result;
}

/* --- Frames to stacks ----------------------------------------------------------------------- */

/** Find the call of each frame. If the root has a self count, its call has the name `all`. */
static void svg_find_calls(struct svg_state *state) {
	state->path.n = state->calls.n = 0;
	for (size_t i = 0; i < state->frames_n; i++) {
		const struct svg_frame *frame = &state->frames[i];
		uint32_t name = state->by_name.items[frame->name], call = NO_CALL;
		state->path.n = frame->depth;
		if (i > 0) {
			call = times_call(&state->times, state->path.items[frame->depth - 1], name);
		} else if (frame->self > 0 || frame->before > 0) {
			call = times_call(&state->times, TIMES_ROOT, name);
		}
		ids_push(&state->calls, call);
		ids_push(&state->path, i == 0 ? (uint32_t)TIMES_ROOT : call);
	}
}

/** Add the counts of frames. If frames have two counts, add the earlier count if `before` is set,
 * and otherwise the later count. */
static int svg_count_frames(struct svg_state *state, bool before) {
	svg_find_calls(state);
	for (size_t i = 0; i < state->frames_n; i++) {
		const struct svg_frame *frame = &state->frames[i];
		uint64_t count = before && frame->two_counts ? frame->before : frame->self;
		if (count > 0) {
			times_add(&state->times, state->run->profile, state->calls.items[i],
				  (struct decimal){(int64_t)count, 0});
		}
	}
	state->run->samples += state->frames_n;
	return 0;
}

/** Add stacks with two counts. If the profile becomes folded text, add the first count to the name
 * of the leaf: then each line ends in two counts. */
static int svg_count_both(struct svg_state *state) {
	struct profile *profile = state->run->profile;
	bool as_text = profile->form != PROFILE_CALLS;
	size_t shared = 0;
	calls_look_up(&profile->calls);
	state->path.n = 0;
	for (size_t i = 0; i < state->frames_n; i++) {
		const struct svg_frame *frame = &state->frames[i];
		uint32_t name = state->by_name.items[frame->name];
		size_t depth = i == 0 ? 1 : frame->depth;
		state->path.n = depth - 1;
		shared = shared < depth - 1 ? shared : depth - 1;
		ids_push(&state->path, name);
		state->run->samples++;
		if (frame->self == 0 && frame->before == 0) {
			continue;
		}
		if (as_text && frame->two_counts) {
			buf_set_str(&state->text, profile_name(profile, name));
			buf_printf(&state->text, " %llu", (unsigned long long)frame->before);
			state->path.items[depth - 1] =
				profile_text_frame(profile, buf_str(&state->text));
			profile_add(profile, state->path.items, depth, frame->self);
			state->path.items[depth - 1] = name;
			continue;
		}
		struct stack_row row = {.ids = state->path.items,
					.depth = (uint32_t)depth,
					.two_counts = frame->two_counts,
					.count = frame->self,
					.before = frame->before};
		profile_add_line(profile, row, shared);
		shared = depth;
	}
	return 0;
}

/** Read a picture that contains its profile. */
static int svg_end_own(struct svg_state *state, struct str file, struct str tag,
		       struct str content) {
	struct svg_packed packed = {0};
	unsigned side = state->options->side;
	int result = svg_unpack(state, &packed, tag, content);
	result = result == 0 ? svg_read_profile(state, &packed) : result;
	buf_release(&packed.bytes);
	if (result != 0) {
		return -1;
	}
	if (state->two_counts && side == SIDE_BOTH && !state->run->profile->one_count &&
	    state->run->profile->form != PROFILE_TIMELINE) {
		return svg_count_both(state);
	}
	result = svg_count_frames(state, side == SIDE_BEFORE);
	return result == 0 ? svg_add_times(state, file) : result;
}

/* --- Boxes ---------------------------------------------------------------------------------- */

/** Read a count with commas, as in "1,234 samples". If the count is too large, set it to
 * UINT64_MAX. Return false if the first word is not a count. */
static bool svg_read_count(struct str text, uint64_t *count) {
	struct str word = str_cut(&text, ' ');
	bool fits = true, any = false;
	uint64_t sum = 0;
	for (size_t i = 0; i < word.n; i++) {
		if (!is_digit(word.p[i]) && word.p[i] != ',') {
			return false;
		}
		if (word.p[i] != ',') {
			unsigned digit = (unsigned)(word.p[i] - '0');
			any = true;
			fits = fits && sum < UINT64_MAX / 10;
			sum = fits ? sum * 10 + digit : sum;
		}
	}
	*count = fits ? sum : UINT64_MAX;
	return any;
}

/** Split a title such as "main (1,234 samples, 12.34%)". After the share, a title may have the
 * exact count, or the change, which ends in a percent sign, too. Return false if the title has no
 * count. */
static bool svg_split_title(struct str title, struct str *name, struct str *unit, uint64_t *count) {
	size_t at = title.n, comma;
	if (!str_ends(title, STR(")"))) {
		return false;
	}
	while (at > 1 && !(title.p[at - 1] == '(' && title.p[at - 2] == ' ')) {
		at--;
	}
	if (at <= 1) {
		return false;
	}
	struct str inner = str_to(str_from(title, at), title.n - at - 1), more = inner;
	struct str first = str_cut(&more, ';');
	comma = str_find_last(first, ',');
	if (comma == STR_NONE || !str_ends(first, STR("%"))) {
		return false;
	}
	*name = str_to(title, at - 2);
	more = str_trim(more);
	first = more.n > 0 && !str_ends(more, STR("%")) ? more : str_to(first, comma);
	*unit = first;
	(void)str_cut(unit, ' ');
	return svg_read_count(first, count);
}

/** Read the number in an attribute, which may be a percentage. */
static bool svg_read_place(struct str tag, const char *name, double *place) {
	struct str text = svg_attribute(tag, name);
	struct decimal number;
	text = str_ends(text, STR("%")) ? str_to(text, text.n - 1) : text;
	if (!decimal_parse(text, 0, &number)) {
		return false;
	}
	*place = (double)number.whole + (double)number.part / 1e18;
	return true;
}

/** Read a box: its title and its rectangle. Return 0, or -1 if the run must end. */
static int svg_read_box(struct svg_state *state, struct str title, struct str tag) {
	struct svg_box box = {.call = NO_CALL, .place = state->boxes_n};
	struct str unit;
	bool exact = svg_read_place(tag, "fg:x", &box.x) && svg_read_place(tag, "fg:w", &box.width);
	bool placed = svg_read_place(tag, "y", &box.y) &&
		      (exact || (svg_read_place(tag, "x", &box.x) &&
				 svg_read_place(tag, "width", &box.width)));
	if (!svg_split_title(title, &box.name, &unit, &box.count)) {
		state->run->tallies[TALLY_NO_COUNT] += placed; // without a place, the rectangle is
							       // not a frame
		return 0;
	}
	if (!placed || box.width < 0) {
		return run_bad(state->run, 0,
			       "bad box at byte %zu: expected numbers as its x, y and width, and a "
			       "width of 0 or more, found '%s'",
			       (size_t)(tag.p - state->file.p), quote(tag).text);
	}
	if (state->boxes_n == 0) {
		buf_set_str(&state->unit, unit);
	}
	*MEM_APPEND(state->boxes, state->boxes_n, state->boxes_capacity) = box;
	return 0;
}

/** Read all titles that have a rectangle after them. Return 0, or -1 if the run must end. */
static int svg_read_boxes(struct svg_state *state, struct str file) {
	const struct str open = STR("<title>"), close = STR("</title>");
	struct str rest = file;
	int result = 0;
	for (size_t at; result == 0 && (at = str_find_str(rest, open)) != STR_NONE;) {
		rest = str_from(rest, at + open.n);
		size_t end = str_find_str(rest, close);
		if (end == STR_NONE) {
			return 0;
		}
		struct str title = str_to(rest, end);
		rest = str_from(rest, end + close.n);
		struct str tag = str_trim_start(rest);
		size_t stop = str_find(tag, '>');
		if (str_starts(tag, STR("<rect")) && stop != STR_NONE) {
			result = svg_read_box(state, title, str_to(tag, stop));
		}
	}
	return result;
}

/** Compare boxes by their row, the lowest row first. In a row, compare boxes from left to right. */
static int svg_compare_boxes(const void *left, const void *right) {
	const struct svg_box *a = left, *b = right;
	return a->y != b->y   ? (a->y < b->y ? 1 : -1)
	       : a->x != b->x ? (a->x > b->x ? 1 : -1)
			      : (a->place > b->place) - (a->place < b->place);
}

static int svg_compare_inverted(const void *left, const void *right) {
	const struct svg_box *a = left, *b = right;
	return a->y != b->y ? (a->y > b->y ? 1 : -1) : svg_compare_boxes(left, right);
}

/** Return the end of the row of boxes that begins at `start`. */
static size_t svg_row_end(const struct svg_state *state, size_t start) {
	size_t end = start;
	while (end < state->boxes_n && state->boxes[end].y == state->boxes[start].y) {
		end++;
	}
	return end;
}

/** Return whether the first row is the root: one box, at least as wide as any other. */
static bool svg_has_root(const struct svg_state *state) {
	if (svg_row_end(state, 0) != 1) {
		return false;
	}
	for (size_t i = 1; i < state->boxes_n; i++) {
		if (state->boxes[i].width > state->boxes[0].width) {
			return false;
		}
	}
	return true;
}

/** Return the caller of a box: the box from `row` to before `row_end` that spans the middle of the
 * given box. If rounding leaves a gap there, return the nearest box. */
static size_t svg_caller(const struct svg_state *state, const struct svg_box *box, size_t row,
			 size_t row_end) {
	double middle = box->x + box->width / 2, nearest = HUGE_VAL;
	size_t low = row, high = row_end, best = row;
	while (low < high) { // find the first box that ends at or after the middle
		size_t at = low + (high - low) / 2;
		bool ends = state->boxes[at].x + state->boxes[at].width < middle;
		low = ends ? at + 1 : low;
		high = ends ? high : at;
	}
	for (size_t at = low > row ? low - 1 : row; at < row_end && at <= low; at++) {
		const struct svg_box *below = &state->boxes[at];
		double gap = fmax(below->x - middle, middle - (below->x + below->width));
		if (gap < nearest) {
			nearest = gap;
			best = at;
		}
	}
	return best;
}

/** Return the frame of a name. Replace the XML escapes in the name first. */
static uint32_t svg_name(struct svg_state *state, struct str name) {
	static const struct {
		const char *escape, *text;
	} escapes[] = {{"&lt;", "<"},  {"&gt;", ">"},   {"&quot;", "\""}, {"&apos;", "'"},
		       {"&#39;", "'"}, {"&#34;", "\""}, {"&amp;", "&"}};
	buf_clear(&state->text);
	while (name.n > 0) {
		size_t length = 0;
		for (size_t i = 0; i < sizeof(escapes) / sizeof(escapes[0]) && length == 0; i++) {
			if (name.p[0] == '&' && str_starts(name, str_of(escapes[i].escape))) {
				length = strlen(escapes[i].escape);
				buf_add_text(&state->text, escapes[i].text);
			}
		}
		if (length == 0) {
			length = 1;
			buf_add_char(&state->text, name.p[0]);
		}
		name = str_from(name, length);
	}
	return text_frame(state->run, &state->names,
			  state->text.n > 0 ? buf_str(&state->text) : STR("[unknown]"));
}

/** Find the caller and the call of each box. The root has no caller. */
static void svg_place_boxes(struct svg_state *state) {
	size_t row = 0, row_end = 1;
	state->boxes[0].call = TIMES_ROOT;
	while (row_end < state->boxes_n) {
		size_t end = svg_row_end(state, row_end);
		for (size_t i = row_end; i < end; i++) {
			struct svg_box *box = &state->boxes[i];
			struct svg_box *caller =
				&state->boxes[svg_caller(state, box, row, row_end)];
			caller->children += box->count;
			box->call =
				times_call(&state->times, caller->call, svg_name(state, box->name));
		}
		row = row_end;
		row_end = end;
	}
}

/** Add the self count of each box: its count minus the counts of its callees. */
static void svg_count_boxes(struct svg_state *state) {
	for (size_t i = 0; i < state->boxes_n; i++) {
		const struct svg_box *box = &state->boxes[i];
		state->run->samples++;
		state->run->tallies[TALLY_CHILDREN] += box->children > box->count;
		if (box->children < box->count) {
			uint32_t call = i > 0 ? box->call
					      : times_call(&state->times, TIMES_ROOT,
							   svg_name(state, box->name));
			uint64_t self = box->count - box->children;
			times_add(&state->times, state->run->profile, call,
				  (struct decimal){(int64_t)self, 0});
		}
	}
}

/** Read a picture from its boxes. */
static int svg_end_foreign(struct svg_state *state, struct str file) {
	state->boxes_n = 0;
	int result = svg_read_boxes(state, file);
	size_t n = state->boxes_n;
	if (result != 0 || n == 0) {
		return result; // without boxes, the profile of the picture has no samples
	}
	qsort(state->boxes, n, sizeof(*state->boxes), svg_compare_boxes);
	if (!svg_has_root(state)) {
		qsort(state->boxes, n, sizeof(*state->boxes), svg_compare_inverted);
	}
	if (!svg_has_root(state)) {
		return run_error(state->run, 0,
				 "neither the lowest nor the highest frame is the root of all");
	}
	for (size_t i = 0; i < n; i++) {
		if (state->boxes[i].count > INT64_MAX / 2 / n) {
			return run_error(state->run, 0, "a count is too large");
		}
	}
	svg_place_boxes(state);
	svg_count_boxes(state);
	return run_warn(state->run, 0,
			"frames too narrow to be drawn are missing: what they count stays with "
			"their callers");
}

/* --- The collapser -------------------------------------------------------------------------- */

static int svg_end_file(struct svg_state *state) {
	struct str file = str_trim(buf_str(&state->file)), tag, content;
	if (file.n > 0 && !str_ends(file, STR("</svg>")) && !str_ends(file, STR("</html>"))) {
		return run_error(state->run, 0,
				 "the picture ends early: </svg> or </html> is missing at byte %zu",
				 state->file.n);
	}
	if (svg_element(file, "<metadata id=\"profile\"", &tag, &content)) {
		struct str frames, none;
		bool has = svg_element(file, "<svg id=\"frames\"", &frames, &none);
		buf_set_str(&state->unit, has ? svg_attribute(frames, "data-unit") : STR(""));
		return svg_end_own(state, file, tag, content);
	}
	return svg_end_foreign(state, file);
}

static int svg_block(void *memory, const struct block *block) {
	struct svg_state *state = memory;
	if (block->first) {
		buf_clear(&state->file);
		state->open_line = false;
	}
	buf_add_str(&state->file, block->bytes);
	state->run->lines = run_count_lines(block, &state->open_line);
	return block->last ? svg_end_file(state) : 0;
}

static void svg_find_unit(const void *memory, struct buf *unit) {
	const struct svg_state *state = memory;
	if (!str_eq(buf_str(&state->unit), STR("samples"))) {
		buf_add_str(unit, buf_str(&state->unit));
	}
}

static void svg_finish(void *memory) {
	struct svg_state *state = memory;
	(void)times_finish(&state->times, state->run->profile);
}

static void svg_release(void *memory) {
	struct svg_state *state = memory;
	memo_release(&state->names);
	buf_release(&state->file);
	buf_release(&state->text);
	buf_release(&state->unit);
	ids_release(&state->by_name);
	ids_release(&state->path);
	ids_release(&state->calls);
	times_release(&state->times);
	free(state->frames);
	free(state->boxes);
}

static int svg_sniff(struct str bytes, bool whole) {
	struct str start = str_trim_start(bytes);
	if (!str_starts(start, STR("<"))) {
		return SNIFF_NO;
	}
	bool is_picture = str_has(start, STR("<svg ")) &&
			  (str_has(start, STR("onload=\"init(")) ||
			   str_has(start, STR("lame graph: each box")) ||
			   str_has(start, STR("lame graph stack visualization")));
	bool is_page = str_has(start, STR("<!DOCTYPE html>")) &&
		       str_has(start, STR("class=\"adapts\"")) && str_has(start, STR("#frames"));
	if (is_picture || is_page) {
		return 2 * SNIFF_MAGIC;
	}
	return whole || str_has(start, STR("</")) ? SNIFF_NO : SNIFF_MORE;
}

static const struct opt options[] = {
	{OPT_IS_CHOICE(struct svg_options, side), .name = "side", .value = "SIDE",
	 .initial = "both", .choices = sides,
	 .help = "profile to read from a comparison: the one before, the one after, or both"},
	{.type = OPT_END},
};

static const struct collapser_value values[] = {
	{"", "both", NULL, NULL},
	{"side", "before", "before", NULL},
	{"side", "after", "after", NULL},
	{NULL, NULL, NULL, NULL},
};

static const struct example examples[] = {
	{"inferno collapse svg flamegraph.svg > app.folded", "get the stacks of a picture back"},
	{"inferno diff old.pb.gz new.svg", "compare a profile with a picture"},
	{"inferno collapse svg --side before diff.html", "get the first of two profiles"},
	{NULL, NULL},
};

const struct collapser collapse_svg = {
	.name = "svg",
	.brief = "get the stacks of a flame graph back (SVG or page)",
	.about =
		"Pictures and pages of inferno hold their profile, with frames that are too narrow "
		"to be drawn, both sides of a comparison, and in a page the times. In pictures of "
		"flamegraph.pl and of the Rust crate inferno, only the boxes are read, so frames "
		"that were too narrow to be drawn are missing.",
	.examples = examples,
	.options = {options, sizeof(struct svg_options)},
	.values = values,
	.state_size = sizeof(struct svg_state),
	.flags = FORMAT_ANY_CUT,
	.sniff = svg_sniff,
	.block = svg_block,
	.find_unit = svg_find_unit,
	.finish = svg_finish,
	.release = svg_release,
	.tallies = {[TALLY_NO_COUNT] = "left out boxes whose title has no count",
		    [TALLY_CHILDREN] = "frames whose callees count more than they do"},
	.expects = "a flame graph of inferno or flamegraph.pl, with frames",
};
