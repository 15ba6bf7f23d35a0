/* Read the event lines of `perf script`. */
#include "perf/line.h"

#include "base/num.h"
#include "perf/stack.h"

/* --- Words ---------------------------------------------------------------------------------- */

static bool perf_line_only_has(struct str word, const char *set) {
	for (size_t i = 0; i < word.n; i++) {
		if (str_find(str_of(set), word.p[i]) == STR_NONE) {
			return false;
		}
	}
	return word.n > 0;
}

static bool perf_line_is_cpu(struct str word) {
	return word.n > 2 && word.p[0] == '[' && word.p[word.n - 1] == ']' &&
	       str_all_digits((struct str){word.p + 1, word.n - 2});
}

/** Return whether a word is a date or a time of day. */
static bool perf_line_is_date(struct str word) {
	return word.n > 0 && is_digit(word.p[0]) &&
	       (str_find(word, '-') != STR_NONE || str_find(word, ':') != STR_NONE) &&
	       perf_line_only_has(word, "0123456789-:.");
}

/** Return whether perf's fields misc or tod can print this word between the ids and the time. Such
 * words are, for example, "K", "Sp", "2026-11-22" and "01:25:30.297772". */
static bool perf_line_is_before_time(struct str word) {
	return perf_line_only_has(word, "KUHGgMESpD") || perf_line_is_date(word);
}

/**
 * Remove a time such as "1.25:" from the start of the text, and return the time without the colon.
 * If the text does not start with a time, return an empty text.
 */
static struct str perf_line_next_time(struct str *rest) {
	struct str after = *rest, word = str_next_word(&after);
	size_t colon = str_find(word, ':');
	struct str time = colon == STR_NONE ? STR("") : str_to(word, colon);
	struct str fraction = time, seconds = str_cut(&fraction, '.');
	if (seconds.n == 0 || fraction.n == 0 || !str_all_digits(seconds) ||
	    !str_all_digits(fraction)) {
		return STR("");
	}
	*rest = str_from(*rest, (size_t)(time.p + time.n + 1 - rest->p));
	return time;
}

static size_t perf_line_skip_digits(struct str s, size_t at) {
	enum { WORD = sizeof(uint64_t) };
	if (at + WORD <= s.n) {
		size_t n = num_leading_digits(load_u64(s.p + at));
		at += n;
		if (n < WORD) {
			return at;
		}
	}
	while (at < s.n && is_digit(s.p[at])) {
		at++;
	}
	return at;
}

static size_t perf_line_skip_blanks(struct str s, size_t at) {
	while (at < s.n && s.p[at] == ' ') {
		at++;
	}
	return at;
}

/* --- Event lines ---------------------------------------------------------------------------- */

/** Find "[CPU] TIME:" or "TIME:" after the ids. Set `*start` to the start of the time, and return
 * the index of the colon. If other text follows the ids, return STR_NONE. */
static size_t perf_line_find_time(struct str after_ids, size_t *start) {
	struct str s = after_ids;
	size_t at = perf_line_skip_blanks(s, 0);
	if (at < s.n && s.p[at] == '[') {
		size_t end = perf_line_skip_digits(s, at + 1);
		if (end == at + 1 || end == s.n || s.p[end] != ']') {
			return STR_NONE;
		}
		at = perf_line_skip_blanks(s, end + 1);
	}
	*start = at;
	size_t point = perf_line_skip_digits(s, at), end = perf_line_skip_digits(s, point + 1);
	bool there = point > at && point < s.n && s.p[point] == '.' && end > point + 1 &&
		     end < s.n && s.p[end] == ':';
	return there ? end : STR_NONE;
}

/** If "[CPU] TIME:" or "TIME:" follows the ids, set the time and the text after it. Otherwise
 * return false. */
static bool perf_line_set_time(struct str after_ids, struct perf_line *parts) {
	size_t start, colon = perf_line_find_time(after_ids, &start);
	if (colon == STR_NONE) {
		return false;
	}
	parts->time = (struct str){after_ids.p + start, colon - start};
	parts->rest = str_from(after_ids, colon + 1);
	return true;
}

/**
 * Read the CPU and the time, and the words that may be between them. Return false if both the CPU
 * and the time are missing.
 */
static bool perf_line_read_time(struct str rest, struct perf_line *line) {
	if (perf_line_set_time(rest, line)) { // no further words come before the time
		return true;
	}
	struct str after = rest, word = str_next_word(&after);
	bool cpu = perf_line_is_cpu(word);
	rest = cpu ? after : rest;
	line->rest = rest;
	while (line->rest.n > 0) {
		line->time = perf_line_next_time(&line->rest);
		if (line->time.n > 0 || !perf_line_is_before_time(str_next_word(&line->rest))) {
			break;
		}
	}
	line->rest = line->time.n > 0 ? line->rest : rest;
	return cpu || line->time.n > 0;
}

/** Return whether a word is the id of a thread, or of a process and a thread: "12" or "11/12". */
static bool perf_line_is_ids(struct str word) {
	size_t n = 0;
	while (n < word.n && (is_digit(word.p[n]) || word.p[n] == '/')) {
		n++;
	}
	return n > 0 && n == word.n;
}

/** Return the width of a right-aligned column: the length of its word and of the blanks before the
 * word, without the blank that separates columns. */
static size_t perf_line_column_of(struct str line, struct str word) {
	size_t at = (size_t)(word.p - line.p), start = at;
	while (start > 0 && line.p[start - 1] == ' ') {
		start--;
	}
	return at + word.n - start - (start > 0);
}

/** Return whether a word is a period, in a column of ten characters. If the column is the first
 * column of the text, a further blank comes before it. */
static bool perf_line_is_period(struct str line, struct str word) {
	size_t width = word.n > 10 ? word.n : 10, column = perf_line_column_of(line, word);
	bool first = (size_t)(word.p - line.p) + word.n == column;
	return word.n > 0 && (column == width || (first && column == width + 1)) &&
	       str_all_digits(word);
}

/** Return whether a word is an address, in a column at least as wide as the column for addresses in
 * stack lines. */
static bool perf_line_is_address(struct str line, struct str word) {
	return perf_is_address(word) && perf_line_column_of(line, word) >= PERF_ADDRESS_COLUMNS;
}

struct str perf_last_address(struct str text) {
	struct str last = STR("");
	for (struct str rest = text; rest.n > 0;) {
		struct str word = str_next_word(&rest);
		last = perf_line_is_address(text, word) ? word : last;
	}
	return last;
}

static void perf_line_set_ids(struct perf_line *parts, struct str line, struct str ids) {
	size_t at = (size_t)(ids.p - line.p);
	parts->head = str_to(line, at + ids.n);
	parts->comm = str_to(line, at);
	parts->ids = ids;
	// An id has a column of five characters. A blank follows the name, even if the name is
	// empty.
	struct str rest = ids;
	parts->nameless = at == 0 || (line.p[0] == ' ' && at + str_cut(&rest, '/').n == 5 &&
				      str_trim(parts->comm).n == 0);
}

/** Find the ids if "[CPU] TIME:" or "TIME:" follows them. Nearly all lines have this form. */
static bool perf_line_find_timed_ids(struct str line, struct perf_line *parts) {
	for (size_t at = str_find(line, ' ') + 1; at > 0 && at < line.n;) {
		struct str word = {line.p + at, 0};
		while (at + word.n < line.n &&
		       (is_digit(word.p[word.n]) || word.p[word.n] == '/')) {
			word.n++;
		}
		struct str rest = str_from(line, at + word.n);
		bool ids = word.n > 0 && rest.n > 0 && rest.p[0] == ' ';
		if (ids && perf_line_set_time(rest, parts)) {
			perf_line_set_ids(parts, line, word);
			parts->certain = true;
			return true;
		}
		size_t blank = str_find(rest, ' ');
		at = blank == STR_NONE ? line.n : at + word.n + blank + 1;
	}
	return false;
}

/** Find the ids: the word of digits before the CPU or the time. If the line has no CPU and no time,
 * the ids are the first word of digits that is not a period. The first word of a line is a name,
 * unless the time follows it. */
static bool perf_line_find_ids(struct str line, struct perf_line *parts) {
	struct str rest = line;
	bool found = false, event = false;
	while (rest.n > 0) {
		struct str word = str_next_word(&rest);
		struct perf_line here = {.time = STR("")};
		// words after an event are not ids
		event |= str_ends(word, STR(":"));
		if (!perf_line_is_ids(word)) {
			continue;
		}
		here.certain = perf_line_read_time(rest, &here);
		if (here.certain && (word.p > line.p || here.time.n > 0)) {
			perf_line_set_ids(&here, line, word);
			*parts = here;
			return true;
		}
		if (!found && !event && word.p > line.p && !perf_line_is_period(line, word) &&
		    !perf_line_is_address(line, word)) {
			found = true;
			perf_line_set_ids(parts, line, word);
			parts->rest = rest;
			parts->weak = rest.n == 0;
		}
	}
	return found;
}

/** Return whether a word belongs to the fields misc and tod of a sample: its mode, its date, or its
 * time of day. */
static bool perf_line_is_mode_or_date(struct str word) {
	return perf_line_is_date(word) || (word.n == 1 && perf_line_only_has(word, "KUHGg"));
}

/**
 * Find the first field after the name: a time, an event, a period, an address, a mode or a date.
 * The text before this field is the name.
 */
static void perf_line_find_comm(struct str line, struct perf_line *parts) {
	struct str rest = line, before = line;
	parts->weak = parts->nameless = true;
	for (bool found = false; !found;) {
		before = rest;
		struct str word = str_next_word(&rest);
		if (word.p == line.p && perf_line_is_ids(word)) {
			perf_line_set_ids(parts, line, word);
			line = rest; // the line has no name
			continue;
		}
		found = word.n == 0 || perf_line_read_time(before, parts) ||
			str_ends(word, STR(":")) || perf_line_is_period(line, word) ||
			perf_line_is_address(line, word) || perf_line_is_mode_or_date(word);
	}
	parts->rest = parts->time.n > 0 ? parts->rest : before;
	parts->comm = str_to(line, (size_t)(before.p - line.p));
	parts->nameless &= str_trim(parts->comm).n == 0;
}

void perf_line_split(struct str line, struct perf_line *parts) {
	*parts = (struct perf_line){.head = STR(""), .ids = STR(""), .time = STR("")};
	if (!perf_line_find_timed_ids(line, parts) && !perf_line_find_ids(line, parts)) {
		perf_line_find_comm(line, parts);
	}
}

bool perf_line_is_record(struct str line, const struct perf_line *parts) {
	if (parts->time.n > 0) {
		size_t start = perf_line_skip_blanks(parts->rest, 0);
		return str_starts(str_from(parts->rest, start), STR("PERF_RECORD_"));
	}
	struct str text = str_trim_start(line);
	return str_starts(text, STR(".")) || str_has(text, STR("PERF_RECORD_")) ||
	       (str_starts(text, STR("0x")) && str_has(text, STR("]: event: ")));
}

struct perf_task perf_line_task(const struct perf_line *line) {
	size_t slash = str_find_last(line->ids, '/');
	bool both = slash != STR_NONE;
	return (struct perf_task){.comm = line->comm,
				  .pid = both ? str_to(line->ids, slash) : STR("?"),
				  .tid = both ? str_from(line->ids, slash + 1) : line->ids};
}

/* --- Events --------------------------------------------------------------------------------- */

struct str perf_event_plain(struct str name) {
	size_t colon = str_find_last(name, ':');
	bool modified = colon != STR_NONE &&
			(colon + 1 == name.n ||
			 perf_line_only_has(str_from(name, colon + 1), "ukhIGHpPSDWebRX"));
	return modified ? str_to(name, colon) : name;
}

static void perf_line_read_period(struct str word, struct perf_event *event) {
	event->has_period = num_parse_count(word, &event->period);
	if (!event->has_period) {
		event->period = 1;
		event->period_too_large = word.n > 0 && str_all_digits(word);
	}
}

/** Return the word before the event if one blank separates the word and the event. In a line
 * without a time, the word must be a period in its column. */
static struct str perf_line_before_event(struct str rest, struct str event, bool timed) {
	struct str before = str_to(rest, (size_t)(event.p - rest.p));
	before.n -= before.n > 0;
	// 0 if there is no blank
	struct str word = str_from(before, str_find_last(before, ' ') + 1);
	return timed || perf_line_is_period(rest, word) ? word : STR("");
}

/** Return the event: the word with the first colon. In a line without a time, the word must end in
 * this colon. If there is no colon, return the last word. */
static struct str perf_line_find_event(struct str rest, bool timed) {
	size_t colon = str_find(rest, ':');
	if (timed) {
		struct str before = colon == STR_NONE ? rest : str_to(rest, colon);
		size_t blank = str_find_last(before, ' ');
		struct str word = str_from(rest, blank == STR_NONE ? 0 : blank + 1);
		return colon == STR_NONE ? word : str_next_word(&word);
	}
	struct str word = STR("");
	while (rest.n > 0 && !str_ends(word, STR(":"))) {
		word = str_next_word(&rest);
	}
	return word;
}

/** Return whether a word is an address, or whether an address comes before it. */
static bool perf_line_has_address(struct str rest, struct str word) {
	for (struct str before = str_to(rest, (size_t)(word.p + word.n - rest.p)); before.n > 0;) {
		if (perf_line_is_address(rest, str_next_word(&before))) {
			return true;
		}
	}
	return false;
}

/** Read the text after the time if perf did not print the event. */
static struct perf_event perf_line_without_event(struct str rest) {
	struct perf_event event = {.period = 1, .name = STR(""), .payload = rest};
	struct str after = rest, first = str_next_word(&after);
	if (perf_line_is_period(rest, first)) {
		perf_line_read_period(first, &event);
		event.payload = after;
	}
	return event;
}

struct perf_event perf_event_of(const struct perf_line *line) {
	struct str rest = line->rest, word = perf_line_find_event(rest, line->time.n > 0);
	bool colon = str_ends(word, STR(":")), timed = line->time.n > 0;
	if (timed ? !colon && (perf_line_is_period(rest, word) || perf_line_has_address(rest, word))
		  : !colon || perf_line_has_address(rest, word)) {
		return perf_line_without_event(rest);
	}
	struct perf_event event = {.named = true, .period = 1};
	event.name = colon ? str_to(word, word.n - 1) : word;
	event.payload = str_from(rest, (size_t)(word.p + word.n - rest.p));
	perf_line_read_period(perf_line_before_event(rest, word, timed), &event);
	return event;
}

/* --- The last line -------------------------------------------------------------------------- */

void perf_last_keep_process(struct perf_last *last, const struct perf_line *line) {
	struct str name = line->comm;
	while (name.n > 0 && name.p[name.n - 1] == ' ') {
		name.n--;
	}
	last->named = name.n > 0 && !line->nameless;
	buf_clear(&last->start);
	if (line->certain && line->time.n > 0) {
		buf_add_str(&last->start, last->named ? name : line->head);
	}
}

void perf_last_keep(struct perf_last *last, const struct perf_line *line,
		    const struct perf_event *event) {
	perf_last_keep_process(last, line);
	buf_clear(&last->event);
	last->name = 0;
	if (!event->named || event->payload.n > 0 || event->period_too_large) {
		return;
	}
	buf_add_str(&last->event, line->rest);
	last->period = event->period;
	last->name = (size_t)(event->name.p - line->rest.p);
	size_t end = perf_line_skip_digits(line->rest, perf_line_skip_blanks(line->rest, 0));
	if (end == 0 || !is_digit(line->rest.p[end - 1]) || end + 1 != last->name) {
		last->name = 0; // no period comes directly before the name
	}
}

/** If the text after a time has the same event as the last line, set the period and return the
 * length of the text. Otherwise return STR_NONE. */
static size_t perf_line_take_event(const struct perf_last *last, struct str rest,
				   uint64_t *period) {
	struct str event = buf_str(&last->event);
	if (event.n > 0 && str_starts(rest, event)) {
		*period = last->period;
		return event.n;
	}
	size_t start = perf_line_skip_blanks(rest, 0), end = perf_line_skip_digits(rest, start);
	if (last->name == 0 || !num_parse_u64((struct str){rest.p + start, end - start}, period)) {
		return STR_NONE;
	}
	event = str_from(event, last->name - 1); // include the blank before the name
	return str_starts(str_from(rest, end), event) ? end + event.n : STR_NONE;
}

bool perf_last_has_event(const struct perf_last *last, const struct perf_line *line,
			 uint64_t *period) {
	return line->time.n > 0 && perf_line_take_event(last, line->rest, period) == line->rest.n;
}

/**
 * Read the start of a line, up to the ids. Return false if it differs from the start of the last
 * line.
 */
static bool perf_line_take_process(const struct perf_last *last, struct str text,
				   struct perf_line *line) {
	struct str start = buf_str(&last->start);
	size_t at = start.n, end = start.n;
	if (start.n == 0 || !str_starts(text, start)) {
		return false;
	}
	if (last->named) {
		at = end = perf_line_skip_blanks(text, start.n);
		while (end < text.n && (is_digit(text.p[end]) || text.p[end] == '/')) {
			end++;
		}
	}
	line->head = str_to(text, end);
	line->comm = str_to(text, at);
	line->ids = str_from(line->head, at);
	line->certain = true;
	line->nameless = !last->named;
	line->weak = false;
	return !last->named || (at > start.n && end > at);
}

size_t perf_last_take(const struct perf_last *last, struct str text, struct perf_line *line,
		      uint64_t *period) {
	if (!perf_line_take_process(last, text, line)) {
		return 0;
	}
	struct str rest = str_from(text, line->head.n);
	size_t start, colon = rest.n > 0 && rest.p[0] == ' ' ? perf_line_find_time(rest, &start)
							     : STR_NONE;
	if (colon == STR_NONE) {
		return 0;
	}
	line->time = (struct str){rest.p + start, colon - start};
	rest = str_from(rest, colon + 1);
	size_t n = perf_line_take_event(last, rest, period);
	if (n == STR_NONE) {
		return 0;
	}
	rest = str_from(rest, n);
	rest = str_from(rest, rest.n > 0 && rest.p[0] == ' '); // skip the blank before the next
							       // part
	return rest.n > 0 && rest.p[0] == '\n' ? (size_t)(rest.p - text.p) + 1 : 0;
}

void perf_last_forget(struct perf_last *last) {
	buf_clear(&last->start);
	buf_clear(&last->event);
	last->name = 0;
}

void perf_last_release(struct perf_last *last) {
	buf_release(&last->start);
	buf_release(&last->event);
}

/* --- Times ---------------------------------------------------------------------------------- */

const char *perf_check_time(const char *value) {
	struct decimal time;
	return decimal_parse(str_of(value), 0, &time) && time.whole >= 0
		       ? NULL
		       : "a time in seconds such as 12.5";
}

struct perf_range perf_range_of(const char *from, const char *to) {
	struct perf_range range = {.given = from != NULL || to != NULL,
				   .from = {INT64_MIN, 0},
				   .to = {INT64_MAX, 0},
				   .first = {INT64_MAX, 0},
				   .last = {INT64_MIN, 0}};
	if (from != NULL) {
		decimal_parse(str_of(from), 0, &range.from);
	}
	if (to != NULL) {
		decimal_parse(str_of(to), 0, &range.to);
	}
	return range;
}

static void perf_line_widen(struct perf_range *range, struct decimal first, struct decimal last) {
	range->outside = true;
	range->first = decimal_compare(first, range->first) < 0 ? first : range->first;
	range->last = decimal_compare(last, range->last) > 0 ? last : range->last;
}

static enum perf_place perf_line_place_in(struct perf_range *range, struct decimal at) {
	if (decimal_compare(range->from, at) <= 0 && decimal_compare(at, range->to) < 0) {
		range->inside = true;
		return PERF_INSIDE;
	}
	perf_line_widen(range, at, at);
	return PERF_OUTSIDE;
}

enum perf_place perf_range_place(struct perf_range *range, struct str time) {
	struct decimal at;
	if (!range->given) {
		return PERF_INSIDE;
	}
	return decimal_parse(time, 0, &at) ? perf_line_place_in(range, at) : PERF_WITHOUT_TIME;
}

enum perf_place perf_range_place_of(struct perf_range *range, uint64_t nanoseconds) {
	const uint64_t second = 1000000000;
	struct decimal at = {(int64_t)(nanoseconds / second), nanoseconds % second * second};
	return range->given ? perf_line_place_in(range, at) : PERF_INSIDE;
}

void perf_range_merge(struct perf_range *range, const struct perf_range *from) {
	range->inside |= from->inside;
	if (from->outside) {
		perf_line_widen(range, from->first, from->last);
	}
}

int perf_range_check(const struct perf_range *range, struct diag *diag) {
	const uint64_t micro = 1000000000000; // in 10^-18 s
	if (range->inside || !range->outside) {
		return 0;
	}
	return diag_warn(
		diag,
		"--from and --to: no sample is between these times; the input has samples "
		"from %lld.%06llu to %lld.%06llu seconds",
		(long long)range->first.whole, (unsigned long long)(range->first.part / micro),
		(long long)range->last.whole, (unsigned long long)(range->last.part / micro));
}
