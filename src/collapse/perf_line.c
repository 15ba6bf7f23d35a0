/* Event lines of perf script. */
#include "collapse/perf_line.h"

/** Whether a word is a thread's id, or a process's and a thread's: "12" or "11/12". */
static bool is_ids(struct str word) {
	struct str thread = word, process = str_cut(&thread, '/');
	return process.n > 0 && str_all_digits(process) && str_all_digits(thread) &&
	       (thread.n > 0 || process.n == word.n);
}

/** Takes the next word, and the blanks before it, off the front. */
static struct str next_word(struct str *rest) {
	while (rest->n > 0 && rest->p[0] == ' ') {
		*rest = str_from(*rest, 1);
	}
	size_t end = str_find(*rest, ' ');
	struct str word = end == STR_NONE ? *rest : str_to(*rest, end);
	*rest = str_from(*rest, word.n);
	return word;
}

static bool is_cpu(struct str word) {
	return word.n > 2 && word.p[0] == '[' && word.p[word.n - 1] == ']' &&
	       str_all_digits((struct str){word.p + 1, word.n - 2});
}

/** Takes "1.25:" off the front, without its colon; empty if something else is there. */
static struct str next_time(struct str *rest) {
	struct str after = *rest, word = next_word(&after);
	size_t colon = str_find(word, ':');
	struct str time = colon == STR_NONE ? STR("") : str_to(word, colon);
	struct str fraction = time, seconds = str_cut(&fraction, '.');
	if (seconds.n == 0 || fraction.n == 0 || !str_all_digits(seconds) ||
	    !str_all_digits(fraction)) {
		return STR("");
	}
	*rest = (struct str){time.p + time.n + 1,
			     (size_t)(rest->p + rest->n - time.p) - time.n - 1};
	return time;
}

bool perf_line_split(struct str line, struct perf_line *parts) {
	struct str rest = line;
	next_word(&rest); // a name stands first
	while (rest.n > 0) {
		struct str word = next_word(&rest), after = rest, cpu_after = rest;
		if (word.n == 0 || !is_digit(word.p[0]) || !is_ids(word)) {
			continue;
		}
		after = is_cpu(next_word(&cpu_after)) ? cpu_after : after;
		parts->time = next_time(&after);
		if (parts->time.n > 0) {
			parts->comm = str_trim(str_to(line, (size_t)(word.p - line.p)));
			parts->ids = word;
			parts->rest = after;
			return true;
		}
	}
	return false;
}

const char *perf_check_time(const char *value) {
	struct decimal time;
	return decimal_parse(str_of(value), 0, &time) ? NULL : "a time in seconds such as 12.5";
}

struct perf_range perf_range_of(const char *from, const char *to) {
	struct perf_range range = {from != NULL || to != NULL, {INT64_MIN, 0}, {INT64_MAX, 0}};
	if (from != NULL) {
		decimal_parse(str_of(from), 0, &range.from);
	}
	if (to != NULL) {
		decimal_parse(str_of(to), 0, &range.to);
	}
	return range;
}

enum perf_place perf_range_place(const struct perf_range *range, struct str time) {
	struct decimal at;
	if (!range->given) {
		return PERF_INSIDE;
	}
	if (!decimal_parse(time, 0, &at)) {
		return PERF_WITHOUT_TIME;
	}
	bool inside = decimal_compare(range->from, at) <= 0 && decimal_compare(at, range->to) < 0;
	return inside ? PERF_INSIDE : PERF_OUTSIDE;
}
