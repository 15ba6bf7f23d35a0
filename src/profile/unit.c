/* Write counts in units that are easy to read. */
#include "profile/unit.h"

#include <math.h>

#include "base/num.h"
#include "base/utf8.h"

/** A prefix, or a unit of time or memory. A count is printed with the first step whose `from` is at
 * most the count. */
struct step {
	double from, size;
	const char *name;
};

// Times in nanoseconds.
static const struct step times[] = {
	{7200e9, 3600e9, "h"}, {600e9, 60e9, "min"}, {999.5e6, 1e9, "s"},
	{999.5e3, 1e6, "ms"},  {999.5, 1e3, "µs"},   {0, 1, "ns"},
};

static const struct step bytes[] = {
	{999.5 * 0x1p50, 0x1p60, "EiB"},
	{999.5 * 0x1p40, 0x1p50, "PiB"},
	{999.5 * 0x1p30, 0x1p40, "TiB"},
	{999.5 * 0x1p20, 0x1p30, "GiB"},
	{999.5 * 0x1p10, 0x1p20, "MiB"},
	{0x1p10, 0x1p10, "KiB"},
	{0, 1, "bytes"},
};

// Counts of events. Numbers of up to five digits have no prefix, because they are easy to read.
static const struct step events[] = {
	{999.5e15, 1e18, "E"}, {999.5e12, 1e15, "P"}, {999.5e9, 1e12, "T"}, {999.5e6, 1e9, "G"},
	{999.5e3, 1e6, "M"},   {1e5, 1e3, "k"},       {0, 1, ""},
};

static const struct step *const steps[] = {
	[UNIT_EVENTS] = events, [UNIT_TIME] = times, [UNIT_BYTES] = bytes};

static const struct {
	const char *names[4];
	const char *base;
	double scale;
} times_by_name[] = {
	{{"nanoseconds", "ns", "nsec"}, "ns", 1},
	{{"microseconds", "us", "µs", "usec"}, "µs", 1e3},
	{{"milliseconds", "ms", "msec"}, "ms", 1e6},
	{{"seconds", "s", "sec"}, "s", 1e9},
};

void unit_name_of_event(struct buf *name, struct str event) {
	struct str rest = event, clock = str_cut(&rest, ':');
	if (str_eq(clock, STR("cpu-clock")) || str_eq(clock, STR("task-clock"))) {
		buf_add_text(name, "nanoseconds of ");
		event = clock;
	}
	utf8_repair(name, event);
}

/** Names of values that are about memory. */
static const struct {
	struct str type, unit, name;
} memory_values[] = {
	{STR_INIT("inuse_space"), STR_INIT("bytes"), STR_INIT("bytes in use")},
	{STR_INIT("inuse_objects"), STR_INIT("count"), STR_INIT("objects in use")},
	{STR_INIT("alloc_space"), STR_INIT("bytes"), STR_INIT("bytes allocated")},
	{STR_INIT("alloc_objects"), STR_INIT("count"), STR_INIT("objects allocated")},
	{STR_INIT("peak_space"), STR_INIT("bytes"), STR_INIT("bytes at the peak")},
	{STR_INIT("peak_objects"), STR_INIT("count"), STR_INIT("objects at the peak")},
};

enum { MEMORY_VALUES = sizeof(memory_values) / sizeof(memory_values[0]) };

void unit_name_of_value(struct buf *name, struct str type, struct str unit) {
	for (size_t i = 0; i < MEMORY_VALUES; i++) {
		if (str_eq(type, memory_values[i].type) && str_eq(unit, memory_values[i].unit)) {
			buf_add_str(name, memory_values[i].name);
			return;
		}
	}
	utf8_repair(name, str_eq(unit, STR("count")) ? type : unit);
}

void unit_split_name(struct str name, struct str *type, struct str *unit) {
	size_t of = str_find_str(name, STR(" of "));
	*type = name;
	*unit = STR("count");
	for (size_t i = 0; i < MEMORY_VALUES; i++) {
		if (str_eq(name, memory_values[i].name)) {
			*type = memory_values[i].type;
			*unit = memory_values[i].unit;
			return;
		}
	}
	if (of != STR_NONE) {
		*type = str_from(name, of + 4);
		*unit = str_to(name, of);
	} else if (str_ends(name, STR("seconds"))) {
		*type = STR("time");
		*unit = name;
	} else if (str_eq(name, STR("bytes"))) {
		*type = STR("space");
		*unit = name;
	} else if (name.n == 0) {
		*type = STR("samples");
	}
}

int unit_check(struct str before, struct str name, const char *input, struct diag *diag) {
	struct str rest = before, other = name;
	if (before.n == 0 || name.n == 0 || str_eq(str_next_word(&rest), str_next_word(&other))) {
		return 0;
	}
	return diag_warn(diag,
			 "%s counts %s, but the inputs before it count %s, so the sums mean "
			 "nothing; --value chooses what is counted",
			 input, quote(name).text, quote(before).text);
}

struct unit unit_plain(struct str name) {
	return (struct unit){.kind = UNIT_PLAIN, .subject = name};
}

/** Return the words after a time. `rest` is the text after the name of the unit. For a clock of
 * processor time, return "of CPU". */
static struct str unit_subject_of_time(struct str rest) {
	struct str modifiers = rest, event = str_cut(&modifiers, ':');
	bool is_cpu = str_eq(event, STR("of cpu-clock")) || str_eq(event, STR("of task-clock")) ||
		      str_eq(event, STR("of cpu"));
	return is_cpu ? STR("of CPU") : rest;
}

struct unit unit_of(struct str name) {
	struct str rest = name, word = str_cut(&rest, ' ');
	for (size_t i = 0; i < sizeof(times_by_name) / sizeof(*times_by_name); i++) {
		for (size_t k = 0; k < 4 && times_by_name[i].names[k] != NULL; k++) {
			if (str_eq(word, str_of(times_by_name[i].names[k]))) {
				return (struct unit){UNIT_TIME, times_by_name[i].scale,
						     str_of(times_by_name[i].base),
						     unit_subject_of_time(rest)};
			}
		}
	}
	if (str_eq(word, STR("bytes"))) {
		return (struct unit){UNIT_BYTES, 1, STR("bytes"), rest};
	}
	if (name.n == 0 || str_eq(word, STR("samples"))) {
		return unit_plain(name);
	}
	return (struct unit){.kind = UNIT_EVENTS, .scale = 1, .subject = name};
}

int unit_power(struct str name) {
	struct unit unit = unit_of(name);
	int power = unit.kind == UNIT_TIME ? 0 : -1;
	for (double scale = unit.scale; power >= 0 && scale > 1; scale /= 10) {
		power++;
	}
	return power;
}

bool unit_is_spaced(const struct unit *unit) {
	return unit->kind == UNIT_PLAIN || unit->subject.n > 0;
}

/** Return the step of the unit, such as milliseconds, in which a count is printed. */
static const struct step *unit_step_of(const struct unit *unit, uint64_t count) {
	const struct step *step = steps[unit->kind];
	while ((double)count * unit->scale < step->from) {
		step++;
	}
	return step;
}

/** Return whether `step` is the unit of the count itself, so that the printed count is exact. */
static bool unit_is_whole(const struct unit *unit, const struct step *step) {
	return step->size == unit->scale;
}

/** Write a text. Return its end. */
static char *unit_add_text(char *out, struct str text) {
	memcpy(out, text.p, text.n);
	return out + text.n;
}

/** Write a positive value with three digits. If it has more than three digits before the point,
 * write all of these digits. Return the end of the text. */
static char *unit_add_rounded(char *out, double value) {
	unsigned places = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
	double power = places == 2 ? 100 : places == 1 ? 10 : 1;
	uint64_t digits = (uint64_t)round(value * power);
	uint64_t rest = digits % (uint64_t)power;
	out += num_format_grouped(out, digits / (uint64_t)power);
	if (places > 0) {
		*out++ = '.';
		if (places == 2) {
			*out++ = (char)('0' + rest / 10);
		}
		*out++ = (char)('0' + rest % 10);
	}
	return out;
}

size_t unit_format(char *out, const struct unit *unit, uint64_t count) {
	if (unit->kind == UNIT_PLAIN) {
		return num_format_grouped(out, count);
	}
	const struct step *step = unit_step_of(unit, count);
	char *end = out;
	if (unit_is_whole(unit, step) || count == 0) {
		end += num_format_grouped(end, count);
	} else {
		end = unit_add_rounded(end, (double)count * unit->scale / step->size);
	}
	const char *name = count == 0 && unit->kind == UNIT_TIME ? "s" : step->name;
	if (*name != '\0') {
		*end++ = ' ';
		end = unit_add_text(end, str_of(name));
	}
	return (size_t)(end - out);
}

size_t unit_format_exact(char *out, const struct unit *unit, uint64_t count) {
	if (unit->kind == UNIT_PLAIN || count == 0 ||
	    unit_is_whole(unit, unit_step_of(unit, count))) {
		return 0;
	}
	char *end = out + num_format_grouped(out, count);
	if (unit->base.n > 0) {
		*end++ = ' ';
		end = unit_add_text(end, unit->base);
	}
	return (size_t)(end - out);
}
