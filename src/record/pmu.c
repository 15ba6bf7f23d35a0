/* Units that count events, from their files in sysfs. */
#include "record/pmu.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/num.h"
#include "record/event_names.h"
#include "record/proc.h"

static const char usual_devices[] = "/sys/bus/event_source/devices";

/** The context of pmu_set_terms(): the event whose fields are being set, and the unit (PMU) that
 * counts it. */
struct setting {
	struct record_events *events;
	struct record_event *event;
	const char *devices;
	struct str unit;
	struct diag *diag;
	bool given; // whether the user gave the period or the rate of the event
};

/** Read a file of a unit, without blanks at its end. Return false if the file does not exist or is
 * empty, or if a name is not a plain file name. */
static bool pmu_read_file(const char *devices, struct str unit, const char *folder, struct str name,
			  struct buf *text) {
	struct buf path = {0};
	if (unit.n == 0 || str_find(unit, '/') != STR_NONE || str_find(name, '/') != STR_NONE ||
	    unit.p[0] == '.' || (name.n > 0 && name.p[0] == '.')) {
		return false;
	}
	buf_printf(&path, "%s/%.*s/%s%.*s", devices == NULL ? usual_devices : devices, (int)unit.n,
		   unit.p, folder, (int)name.n, name.p);
	buf_clear(text);
	proc_read(buf_text(&path), text);
	buf_release(&path);
	text->n = str_trim_end(buf_str(text)).n;
	return text->n > 0;
}

/** Parse a number in the form that terms have: decimal digits, or hexadecimal digits after 0x. */
static bool pmu_parse_number(struct str text, uint64_t *value) {
	bool hexadecimal = str_starts(text, STR("0x")) || str_starts(text, STR("0X"));
	return hexadecimal ? event_parse_hex(str_from(text, 2), value) : num_parse_u64(text, value);
}

/* --- Terms ---------------------------------------------------------------------------------- */

/** Return the field of an event with a name such as config1, or NULL. `fields` is scratch
 * memory. */
static uint64_t *pmu_field_of(struct perf_event_attr *attr, struct str name, __u64 *fields[3]) {
	static const char *const names[] = {"config", "config1", "config2"};
	fields[0] = &attr->config;
	fields[1] = &attr->config1;
	fields[2] = &attr->config2;
	for (size_t i = 0; i < 3; i++) {
		if (str_eq(name, str_of(names[i]))) {
			return (uint64_t *)fields[i];
		}
	}
	return NULL;
}

/** Put a value into the bits that a text such as "config:0-7,32-35" describes, lowest bit first.
 * Return false if the value does not fit, or if the text does not describe bits. */
static bool pmu_set_bits(struct perf_event_attr *attr, struct str format, uint64_t value) {
	enum { BITS = 64 };
	__u64 *fields[3];
	uint64_t *field = pmu_field_of(attr, str_cut(&format, ':'), fields);
	while (field != NULL && format.n > 0) {
		struct str range = str_cut(&format, ','), first = str_cut(&range, '-');
		uint64_t from, to;
		if (!num_parse_u64(first, &from) || from >= BITS) {
			return false;
		}
		to = from;
		if (range.n > 0 && (!num_parse_u64(range, &to) || to >= BITS || to < from)) {
			return false;
		}
		for (uint64_t bit = from; bit <= to; bit++, value >>= 1) {
			*field = (*field & ~(UINT64_C(1) << bit)) | (value & 1) << bit;
		}
	}
	return field != NULL && value == 0;
}

static void pmu_add_term(void *context, struct str name) {
	struct buf *text = context;
	buf_printf(text, "%.*s, ", (int)name.n, name.p);
}

/** Call `each` with the names in a folder of a unit. */
static void pmu_each_in(const char *devices, struct str unit, const char *name,
			void (*each)(void *context, struct str name), void *context) {
	struct buf path = {0};
	struct dirent **entries = NULL;
	buf_printf(&path, "%s%s%.*s%s%s", devices == NULL ? usual_devices : devices,
		   unit.n > 0 ? "/" : "", (int)unit.n, unit.p, *name == '\0' ? "" : "/", name);
	int n = scandir(buf_text(&path), &entries, NULL, alphasort);
	for (int i = 0; i < n; i++) {
		if (entries[i]->d_name[0] != '.') {
			each(context, str_of(entries[i]->d_name));
		}
		free(entries[i]);
	}
	free(entries);
	buf_release(&path);
}

static int pmu_fail_term(const struct setting *setting, struct str term) {
	struct buf terms = {0};
	if (setting->unit.n > 0) {
		pmu_each_in(setting->devices, setting->unit, "format", pmu_add_term, &terms);
		buf_add_text(&terms, "config, config1, config2, ");
	}
	diag_error(setting->diag,
		   "--event: '%s' has no term '%s'; its terms are %speriod, freq and name",
		   setting->event->name, quote(term).text, buf_text(&terms));
	buf_release(&terms);
	return -1;
}

static int pmu_fail_value(const struct setting *setting, struct str term, struct str value,
			  const char *format) {
	return diag_error(setting->diag, "--event: '%s': %.*s cannot be '%s'; it is the bits %s",
			  setting->event->name, (int)term.n, term.p, quote(value).text, format);
}

/** Set a term that every event can have: its period, its rate, or its name. Return 1 if the term
 * was set, 0 if it is not one of these three terms, or -1 after diag_error(). */
static int pmu_set_common(struct setting *setting, struct str name, struct str value) {
	struct record_event *event = setting->event;
	bool rate = str_eq(name, STR("freq")), period = str_eq(name, STR("period"));
	uint64_t number;
	if (str_eq(name, STR("name"))) {
		event->name = arena_copy(&setting->events->arena, value.p, value.n);
		event->named = true;
		return value.n > 0 ? 1 : pmu_fail_term(setting, STR("name="));
	}
	if (!rate && !period) {
		return 0;
	}
	if (!num_parse_u64(value, &number) || number == 0) {
		return diag_error(setting->diag,
				  "--event: '%s': expected a number after %s=", event->name,
				  rate ? "freq" : "period");
	}
	if (setting->given) {
		return diag_error(setting->diag,
				  "--event: '%s': period and freq exclude each other", event->name);
	}
	setting->given = true;
	event->attr.freq = rate;
	event->attr.sample_period = number;
	return 1;
}

static int pmu_set_list(struct setting *setting, struct str terms, unsigned depth);

/** Set a term of the unit: a field of the attribute, a named event of the unit, named bits, or a
 * raw event such as r1a8. Return 0, or -1 after diag_error(). */
static int pmu_set_own(struct setting *setting, struct str name, struct str value, bool valued,
		       unsigned depth) {
	struct buf text = {0};
	__u64 *fields[3];
	uint64_t number = 1, *field = pmu_field_of(&setting->event->attr, name, fields);
	bool parsed = !valued || pmu_parse_number(value, &number);
	int result = 0;
	if (field != NULL && parsed) {
		*field = number;
	} else if (!valued && depth == 0 &&
		   pmu_read_file(setting->devices, setting->unit, "events/", name, &text)) {
		result = pmu_set_list(setting, buf_str(&text), depth + 1);
	} else if (pmu_read_file(setting->devices, setting->unit, "format/", name, &text)) {
		result = parsed && pmu_set_bits(&setting->event->attr, buf_str(&text), number)
				 ? 0
				 : pmu_fail_value(setting, name, valued ? value : STR("1"),
						  buf_text(&text));
	} else if (valued || !event_raw(name, &setting->event->attr.config)) {
		result = pmu_fail_term(setting, name);
	}
	buf_release(&text);
	return result;
}

static int pmu_set_list(struct setting *setting, struct str terms, unsigned depth) {
	int result = 0;
	while (terms.n > 0 && result >= 0) {
		struct str value = str_cut(&terms, ','), whole = value;
		struct str name = str_cut(&value, '=');
		bool valued = name.n < whole.n;
		result = pmu_set_common(setting, name, value);
		if (result == 0) {
			result = setting->unit.n == 0
					 ? pmu_fail_term(setting, name)
					 : pmu_set_own(setting, name, value, valued, depth);
		}
	}
	return result < 0 ? -1 : 0;
}

int pmu_set_terms(struct record_events *events, struct record_event *event, const char *devices,
		  struct str unit, struct str terms, struct diag *diag) {
	struct setting setting = {
		.events = events, .event = event, .devices = devices, .unit = unit, .diag = diag};
	return pmu_set_list(&setting, terms, 0);
}

/* --- Units ---------------------------------------------------------------------------------- */

bool pmu_find(struct record_events *events, struct record_event *event, const char *devices,
	      struct str unit) {
	struct buf text = {0};
	uint64_t type = 0;
	bool found = pmu_read_file(devices, unit, "type", STR(""), &text) &&
		     num_parse_u64(buf_str(&text), &type) && type <= UINT32_MAX;
	event->attr.type = (uint32_t)type;
	if (found && pmu_read_file(devices, unit, "cpumask", STR(""), &text)) {
		event->only_on = arena_copy(&events->arena, text.p, text.n);
	}
	buf_release(&text);
	return found;
}

void pmu_each(const char *devices, void (*each)(void *context, struct str unit), void *context) {
	pmu_each_in(devices, STR(""), "", each, context);
}

struct named {
	struct str unit;
	void (*each)(void *context, struct str unit, struct str name);
	void *context;
};

/** Pass the name of an event to `each`. Skip the files with the event's unit and scale. */
static void pmu_pass_on(void *context, struct str name) {
	const struct named *named = context;
	if (str_find(name, '.') == STR_NONE) {
		named->each(named->context, named->unit, name);
	}
}

void pmu_each_event(const char *devices, struct str unit,
		    void (*each)(void *context, struct str unit, struct str name), void *context) {
	struct named named = {unit, each, context};
	pmu_each_in(devices, unit, "events", pmu_pass_on, &named);
}
