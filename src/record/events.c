/* Turn names of events into the attributes that the kernel takes. */
#include "record/events.h"

#include <stdlib.h>

#include "base/num.h"
#include "record/event_names.h"
#include "record/event_near.h"
#include "record/pmu.h"
#include "record/tracepoints.h"

struct parser {
	struct record_events *events;
	const struct event_places *places;
	struct diag *diag;
	struct str modifiers; // modifiers of the current group; empty outside of groups
};

/** Find the first `end` that is neither in terms (between slashes) nor in a group (in braces).
 * Return the text before it, or all of the text if there is none. Leave the text after it in
 * `*rest`. */
static struct str events_cut_outside(struct str *rest, char end) {
	bool in_terms = false, is_address = str_starts(*rest, STR("mem:"));
	int depth = 0;
	size_t i = 0;
	while (i < rest->n && (rest->p[i] != end || in_terms || depth > 0)) {
		char c = rest->p[i++];
		in_terms ^= c == '/' && !is_address;
		depth += c == '{' ? 1 : c == '}' ? -1 : 0;
	}
	struct str part = str_to(*rest, i);
	*rest = str_from(*rest, i < rest->n ? i + 1 : i);
	return part;
}

static struct record_event *events_add_event(struct record_events *events, struct str name) {
	struct record_event *event = MEM_APPEND(events->items, events->n, events->capacity);
	*event = (struct record_event){.name = arena_copy(&events->arena, name.p, name.n)};
	return event;
}

/* --- Modifiers ------------------------------------------------------------------------------ */

/** Apply the letter u, k or h: the event counts in user code, in the kernel or in the hypervisor.
 * The first of these letters excludes the two other places, and sets `*excluded`. */
static void events_set_place(struct perf_event_attr *attr, char letter, bool *excluded) {
	if (!*excluded) {
		attr->exclude_user = attr->exclude_kernel = attr->exclude_hv = 1;
		*excluded = true;
	}
	attr->exclude_user &= letter != 'u';
	attr->exclude_kernel &= letter != 'k';
	attr->exclude_hv &= letter != 'h';
}

/** Apply the letter H or G: sample the machine itself, or its guests. */
static void events_set_machine(struct record_event *event, char letter) {
	if (!event->guests) {
		event->attr.exclude_host = event->attr.exclude_guest = 1;
		event->guests = true;
	}
	event->attr.exclude_host &= letter != 'H';
	event->attr.exclude_guest &= letter != 'G';
}

/** Set the fields for letters such as "upp". Return whether all letters are modifiers. */
static bool events_set_modifiers(struct record_event *event, struct str letters) {
	enum { MOST_PRECISE = 3 };
	struct perf_event_attr *attr = &event->attr;
	bool excluded = attr->exclude_user || attr->exclude_kernel || attr->exclude_hv;
	for (size_t i = 0; i < letters.n; i++) {
		char letter = letters.p[i];
		switch (letter) {
		case 'u':
		case 'k':
		case 'h':
			events_set_place(attr, letter, &excluded);
			break;
		case 'G':
		case 'H':
			events_set_machine(event, letter);
			break;
		case 'I':
			attr->exclude_idle = 1;
			break;
		case 'D':
			attr->pinned = 1;
			break;
		case 'e':
			attr->exclusive = 1;
			break;
		case 'P':
			attr->precise_ip = MOST_PRECISE; // as precise as the processor allows
			break;
		case 'p':
			if (attr->precise_ip == MOST_PRECISE) {
				return false;
			}
			attr->precise_ip = (attr->precise_ip + 1U) & MOST_PRECISE;
			event->exact = true;
			break;
		case 'W': // a weak group; the events of every group are counted separately here
			break;
		default:
			return false;
		}
	}
	return true;
}

/** Return whether letters are modifiers of events. */
static bool events_are_modifiers(struct str letters) {
	struct record_event scratch = {.name = NULL};
	return events_set_modifiers(&scratch, letters);
}

static int events_fail_modifiers(struct parser *parser, struct str letters) {
	return diag_error(parser->diag,
			  "--event: '%s' are not modifiers; those are u, k, h (user, kernel, "
			  "hypervisor), p, pp, ppp, P (precision), G, H (guest, host), I, D, e",
			  quote(letters).text);
}

/** Set the modifiers of an event that was parsed. */
static int events_finish_event(struct parser *parser, struct record_event *event,
			       struct str modifiers) {
	if (!events_set_modifiers(event, modifiers)) {
		return events_fail_modifiers(parser, modifiers);
	}
	if (!events_set_modifiers(event, parser->modifiers)) {
		return events_fail_modifiers(parser, parser->modifiers);
	}
	return 0;
}

/* --- Kinds of events ------------------------------------------------------------------------ */

static int events_fail_unknown(struct parser *parser, struct str name) {
	struct buf text = {0};
	bool is_vendors = str_find(name, '.') != STR_NONE;
	buf_printf(&text, "--event: there is no event '%s'", quote(name).text);
	event_near(parser->places, name, &text);
	buf_add_text(&text, is_vendors ? "; names from the maker of a processor are known to "
					 "'perf list --details' only: type the event that it "
					 "shows, such as cpu/event=0x3c,umask=0x1/"
				       : "");
	diag_error(parser->diag, "%s", buf_text(&text));
	buf_release(&text);
	return -1;
}

/** Read the length, the accesses and the modifiers of a breakpoint, such as "/4:rw:u". Each part
 * may be missing. */
static bool events_parse_access(struct str text, struct perf_event_attr *attr,
				struct str *modifiers) {
	uint64_t length = 0;
	struct str sizes = str_cut(&text, ':');
	struct str access = str_cut(&text, ':');
	bool sized = sizes.n > 0;
	if (sized && (sizes.p[0] != '/' || !num_parse_u64(str_from(sizes, 1), &length))) {
		return false;
	}
	*modifiers = text;
	for (size_t i = 0; i < access.n; i++) {
		unsigned bit = access.p[i] == 'r'   ? HW_BREAKPOINT_R
			       : access.p[i] == 'w' ? HW_BREAKPOINT_W
			       : access.p[i] == 'x' ? HW_BREAKPOINT_X
						    : 0;
		if (bit == 0 && i == 0 && text.n == 0 && events_are_modifiers(access)) {
			*modifiers = access; // the text has no accesses
			break;
		}
		if (bit == 0) {
			return false;
		}
		attr->bp_type |= bit;
	}
	attr->bp_type = attr->bp_type == 0 ? HW_BREAKPOINT_RW : attr->bp_type;
	bool is_code = attr->bp_type == HW_BREAKPOINT_X;
	attr->bp_len = sized ? length : is_code ? sizeof(long) : HW_BREAKPOINT_LEN_4;
	return true;
}

/** Parse a breakpoint: mem:ADDRESS[/LENGTH][:ACCESS][:MODIFIERS]. */
static int events_parse_breakpoint(struct parser *parser, struct str text) {
	struct record_event *event = events_add_event(parser->events, text);
	struct str rest = str_from(text, strlen("mem:")), modifiers;
	bool hexadecimal = str_starts(rest, STR("0x"));
	size_t n = hexadecimal ? 2 : 0;
	while (n < rest.n && is_hex(rest.p[n])) {
		n++;
	}
	uint64_t address = 0;
	struct str digits = str_to(rest, n);
	bool good = hexadecimal ? event_parse_hex(str_from(digits, 2), &address)
				: num_parse_u64(digits, &address);
	event->attr.type = PERF_TYPE_BREAKPOINT;
	event->attr.bp_addr = address;
	if (!good || !events_parse_access(str_from(rest, n), &event->attr, &modifiers)) {
		return diag_error(parser->diag,
				  "--event: '%s': expected mem:ADDRESS, then /LENGTH and :rwx if "
				  "wanted, such as mem:0x601040/8:w",
				  event->name);
	}
	return events_finish_event(parser, event, modifiers);
}

/** Find an event by a name without a unit. Return false if there is no such event. */
static bool events_find_plain(struct str name, struct record_event *event) {
	struct perf_event_attr *attr = &event->attr;
	enum { MOST_PRECISE = 3 };
	if (str_eq(name, STR("auto"))) {
		event->automatic = true;
		name = STR("cycles");
	}
	if (!event_by_name(name, attr)) {
		attr->type = PERF_TYPE_RAW;
		return event_raw(name, &attr->config);
	}
	return true;
}

/** A search for an event name in the units of the processor. */
struct unit_search {
	const struct event_places *places;
	struct str name;
	struct buf units; // names of the units with that event, one on each line
};

static void events_find_in_unit(void *context, struct str unit, struct str name) {
	struct unit_search *search = context;
	if (str_eq(name, search->name)) {
		buf_add_str(&search->units, unit);
		buf_add_char(&search->units, '\n');
	}
}

static void events_search_unit(void *context, struct str unit) {
	struct unit_search *search = context;
	pmu_each_event(search->places->devices, unit, events_find_in_unit, search);
}

static int events_add_unit_event(struct parser *parser, struct str whole, struct str unit,
				 struct str terms, struct str modifiers) {
	struct record_event *event = events_add_event(parser->events, whole);
	const char *devices = parser->places->devices;
	return pmu_find(parser->events, event, devices, unit) &&
			       pmu_set_terms(parser->events, event, devices, unit, terms,
					     parser->diag) == 0
		       ? events_finish_event(parser, event, modifiers)
		       : -1;
}

/** Add an event for each unit of the processor that has an event of this name. Return 1, or 0 if no
 * unit has the name, or -1 after diag_error(). */
static int events_add_by_units(struct parser *parser, struct str whole, struct str name,
			       struct str modifiers) {
	struct unit_search search = {parser->places, name, {0}};
	int result = 0;
	pmu_each(parser->places->devices, events_search_unit, &search);
	for (struct str rest = buf_str(&search.units); rest.n > 0 && result >= 0;) {
		result =
			events_add_unit_event(parser, whole, str_cut(&rest, '\n'), name, modifiers);
		result = result == 0 ? 1 : result;
	}
	buf_release(&search.units);
	return result;
}

/** Parse an event without terms and colons, such as cycles. */
static int events_parse_plain(struct parser *parser, struct str whole, struct str name,
			      struct str modifiers) {
	struct record_event event = {.name = NULL};
	if (events_find_plain(name, &event)) {
		struct record_event *added = events_add_event(parser->events, whole);
		event.name = added->name;
		*added = event;
		return events_finish_event(parser, added, modifiers);
	}
	int found = events_add_by_units(parser, whole, name, modifiers);
	return found == 0 ? events_fail_unknown(parser, whole) : found < 0 ? -1 : 0;
}

/* --- Tracepoints ---------------------------------------------------------------------------- */

struct events_found {
	struct parser *parser;
	struct str modifiers;
	int result;
};

static void events_add_tracepoint(void *context, const char *name, uint64_t id) {
	struct events_found *found = context;
	struct record_event *event = events_add_event(found->parser->events, str_of(name));
	event->attr.type = PERF_TYPE_TRACEPOINT;
	event->tracepoint = event->name;
	event->attr.config = id;
	if (found->result == 0) {
		found->result = events_finish_event(found->parser, event, found->modifiers);
	}
}

/** Parse SYSTEM:NAME[:MODIFIERS], in which the names may be patterns. */
static int events_parse_tracepoints(struct parser *parser, struct str whole, struct str modifiers) {
	struct str name = whole, system = str_cut(&name, ':');
	struct buf first = {0}, second = {0};
	struct events_found found = {parser, modifiers, 0};
	if (parser->places->later) {
		return 0;
	}
	buf_add_str(&first, system);
	buf_add_str(&second, name);
	int n = tracepoints_find(parser->places, buf_text(&first), buf_text(&second),
				 events_add_tracepoint, &found, parser->diag);
	buf_release(&first);
	buf_release(&second);
	return n == 0 ? events_fail_unknown(parser, whole) : n < 0 ? -1 : found.result;
}

/* --- Lists ---------------------------------------------------------------------------------- */

/** Set the terms of an event that names no PMU, such as cycles/period=1000/. */
static int events_set_plain_terms(struct parser *parser, size_t first, struct str terms) {
	int result = 0;
	for (size_t i = first; i < parser->events->n && result == 0; i++) {
		result = pmu_set_terms(parser->events, &parser->events->items[i], NULL, STR(""),
				       terms, parser->diag);
	}
	return result;
}

/** Cut the modifiers, which are the letters after the last colon, off an event, and return them.
 * The only colon of a tracepoint belongs to its name. */
static struct str events_cut_modifiers(struct str *text) {
	struct record_event scratch = {.name = NULL};
	size_t at = str_find_last(*text, ':');
	struct str head = at == STR_NONE ? *text : str_to(*text, at);
	bool has_own = str_find(head, ':') != STR_NONE || events_find_plain(head, &scratch);
	struct str letters = at == STR_NONE ? STR("") : str_from(*text, at + 1);
	if (at == STR_NONE || (!has_own && !events_are_modifiers(letters))) {
		return STR("");
	}
	*text = head;
	return letters;
}

static int events_parse_event(struct parser *parser, struct str text);

/** Parse UNIT/TERMS/MODIFIERS or EVENT/TERMS/MODIFIERS. */
static int events_parse_with_terms(struct parser *parser, struct str text) {
	struct str rest = text, unit = str_cut(&rest, '/');
	size_t end = str_find_last(rest, '/'), first = parser->events->n;
	struct record_event scratch = {.name = NULL};
	if (end == STR_NONE) {
		return diag_error(parser->diag, "--event: '%s': a slash is missing after the terms",
				  quote(text).text);
	}
	struct str terms = str_to(rest, end), modifiers = str_from(rest, end + 1);
	modifiers = str_from(modifiers, str_starts(modifiers, STR(":")));
	if (pmu_find(parser->events, &scratch, parser->places->devices, unit)) {
		return events_add_unit_event(parser, text, unit, terms, modifiers);
	}
	if (events_find_plain(unit, &scratch) || str_find(unit, ':') != STR_NONE) {
		if (events_parse_event(parser, unit) != 0 ||
		    events_set_plain_terms(parser, first, terms) != 0) {
			return -1;
		}
		return first < parser->events->n
			       ? events_finish_event(parser, &parser->events->items[first],
						     modifiers)
			       : 0;
	}
	return diag_error(parser->diag,
			  "--event: '%s': this machine has no unit '%s' that counts; "
			  "/sys/bus/event_source/devices lists those it has",
			  quote(text).text, quote(unit).text);
}

/** Parse an event, or a pattern that stands for several events. */
static int events_parse_event(struct parser *parser, struct str text) {
	if (str_starts(text, STR("mem:"))) {
		return events_parse_breakpoint(parser, text);
	}
	if (str_find(text, '/') != STR_NONE) {
		return events_parse_with_terms(parser, text);
	}
	struct str name = text, modifiers = events_cut_modifiers(&name);
	return str_find(name, ':') != STR_NONE ? events_parse_tracepoints(parser, name, modifiers)
					       : events_parse_plain(parser, text, name, modifiers);
}

/** Parse a list of events, in which a group is in braces. */
static int events_parse_list(struct parser *parser, struct str list, bool in_group) {
	int result = 0;
	do {
		struct str text = str_trim(events_cut_outside(&list, ','));
		if (text.n == 0) {
			return diag_error(parser->diag, "--event: a name is missing");
		}
		if (text.p[0] != '{') {
			result = events_parse_event(parser, text);
			continue;
		}
		size_t end = str_find_last(text, '}');
		if (in_group || end == STR_NONE) {
			return diag_error(parser->diag, "--event: '%s': a brace is missing",
					  quote(text).text);
		}
		parser->modifiers = str_from(text, end + 1);
		parser->modifiers =
			str_from(parser->modifiers, str_starts(parser->modifiers, STR(":")));
		result = events_parse_list(parser, str_from(str_to(text, end), 1), true);
		parser->modifiers = STR("");
	} while (list.n > 0 && result == 0);
	return result;
}

int record_events_add(struct record_events *events, const char *list,
		      const struct event_places *places, struct diag *diag) {
	struct parser parser = {events, places, diag, STR("")};
	return events_parse_list(&parser, str_of(list), false);
}

void record_events_add_usual(struct record_events *events) {
	struct record_event *event = events_add_event(events, STR("cycles"));
	(void)events_find_plain(STR("auto"), event);
}

void record_events_release(struct record_events *events) {
	free(events->items);
	buf_release(&events->tracing);
	arena_release(&events->arena);
	*events = (struct record_events){0};
}
