/* Select the event whose samples are kept. */
#include "perf/event_select.h"

#include <stdlib.h>

#include "base/utf8.h"
#include "profile/unit.h"

/** Let the profile of an event use the sites of `holder`, which all events share. */
static void event_select_lend_sites(const struct event_select *select, struct profile *profile) {
	sites_free(profile->sites);
	profile->sites = select->holder.sites;
}

/** Add an event. Return its index in `met`. */
static size_t event_select_add_met(struct event_select *select) {
	struct profile *profile = select->profile;
	if (select->keep_all) {
		profile = mem_new(1, sizeof(*profile));
		profile_init_like(profile, select->profile);
		event_select_lend_sites(select, profile);
	}
	MEM_GROW(select->met, select->capacity, select->n + 1);
	select->met[select->n] = (struct perf_met){.profile = profile};
	return select->n++;
}

void event_select_init(struct event_select *select, struct profile *profile, size_t inputs,
		       const char *wanted) {
	select->profile = profile;
	select->wanted = wanted;
	select->made = wanted != NULL;
	buf_add_text(&select->name, select->made ? wanted : "");
	select->keep_all = inputs > 1 && !select->made;
	profile_init_like(&select->holder, profile);
	event_select_add_met(select); // the entry for samples whose event perf did not print
}

static void event_select_release_met(struct perf_met *met) {
	met->profile->sites = NULL; // the frames use the names of `holder`
	profile_release(met->profile);
	free(met->profile);
}

bool event_select_time(struct event_select *select, const char *unit) {
	bool same = select->time_unit == NULL || strcmp(select->time_unit, unit) == 0;
	select->time_unit = unit;
	if (*unit != '\0' && select->keep_all && select->n == 1) {
		event_select_release_met(&select->met[0]);
		select->keep_all = false;
		select->n = 0;
		event_select_add_met(select);
	}
	return same;
}

void event_select_keep_all(struct event_select *select) {
	if (!select->keep_all && !select->made && select->n == 1) {
		select->keep_all = true;
		select->n = 0;
		event_select_add_met(select);
	}
}

bool event_select_meet(struct event_select *select, const struct perf_event *event, bool *made) {
	select->current = 0;
	*made = false;
	if (!event->named) {
		return true;
	}
	struct str plain = perf_event_plain(event->name);
	struct str name = select->wanted != NULL ? event->name : plain;
	struct intern_key *key = intern_get(&select->events, name.p, name.n);
	if (key->value == 0) {
		key->value = event_select_add_met(select);
		select->met[key->value].name = intern_str(key);
	}
	select->current = (size_t)key->value;
	event_select_current(select)->starts_input |= select->input_starts;
	select->input_starts = false;
	if (select->keep_all) {
		return true;
	}
	if (!select->made) {
		select->made = *made = true;
		buf_add_str(&select->name, plain);
	}
	struct str kept = buf_str(&select->name);
	return str_eq(plain, kept) || str_eq(event->name, kept);
}

bool event_select_ready(const struct event_select *select) {
	return select->keep_all ? !select->input_starts : select->made;
}

void event_select_follow(struct event_select *select, const struct event_select *first) {
	buf_set_str(&select->name, buf_str(&first->name));
	select->made = first->made;
}

/* --- The choice among all events ------------------------------------------------------------ */

/** An event in the inputs of all workers. */
struct total {
	struct str name;
	uint64_t samples;
	bool starts_input;
};

/** For each event with a name, add up the counts of all workers. The caller releases the result. */
static struct total *event_select_add_up(struct event_select **selects, size_t n,
					 size_t *events_n) {
	struct total *totals = NULL;
	size_t capacity = 0;
	struct intern names = {0};
	for (size_t i = 0; i < n; i++) {
		const struct event_select *select = selects[i];
		for (uint32_t e = 0; e < select->events.count; e++) {
			const struct intern_key *event = select->events.keys[e];
			const struct perf_met *met = &select->met[event->value];
			struct intern_key *key = intern_get(&names, event->bytes, event->len);
			MEM_GROW(totals, capacity, names.count);
			if (key->value == 0) {
				totals[key->id] = (struct total){.name = intern_str(event)};
				key->value = 1;
			}
			totals[key->id].samples += met->samples;
			totals[key->id].starts_input |= met->starts_input;
		}
	}
	*events_n = names.count;
	intern_release(&names);
	return totals;
}

/** Compare two events: the event with more samples comes first. */
static int event_select_compare_totals(const void *a, const void *b) {
	const struct total *x = a, *y = b;
	if (x->samples != y->samples) {
		return x->samples < y->samples ? 1 : -1;
	}
	return str_compare(x->name, y->name);
}

/** Add a list of events with their numbers of samples, such as: 'cycles' (12), 'faults' (3). */
static void event_select_list_events(struct buf *text, const struct total *events, size_t n) {
	enum { LISTED = 10 };
	for (size_t i = 0; i < n && i < LISTED; i++) {
		buf_printf(text, "%s'%s' (%llu)", i > 0 ? ", " : "", quote(events[i].name).text,
			   (unsigned long long)events[i].samples);
	}
	if (n > LISTED) {
		buf_printf(text, " and %zu more", n - LISTED);
	}
}

/** Move the events with this name, with or without a modifier, to the front. Return the number of
 * these events. */
static size_t event_select_move_kept(struct total *events, size_t n, struct str name) {
	size_t kept = 0;
	for (size_t i = 0; i < n; i++) {
		struct total event = events[i];
		if (str_eq(event.name, name) || str_eq(perf_event_plain(event.name), name)) {
			memmove(events + kept + 1, events + kept, (i - kept) * sizeof(*events));
			events[kept++] = event;
		}
	}
	return kept;
}

/** Report which event was kept, and which events were left out. */
static int event_select_report_events(const struct event_select *select, const struct total *events,
				      size_t n, size_t kept, bool nameless, struct diag *diag) {
	struct buf left = {0}, used = {0};
	int result = 0;
	if (n == 0) {
		return 0;
	}
	event_select_list_events(&left, events + kept, n - kept);
	event_select_list_events(&used, events, kept);
	if (kept == 0 && n > 0 && !nameless && select->by_value) {
		result = diag_error(diag,
				    "--value %s: no sample is of such an event; the samples are of "
				    "%s, and their values are period, samples and time",
				    quote(buf_str(&select->name)).text, buf_text(&left));
	} else if (kept == 0 && n > 0 && !nameless) {
		result = diag_warn(diag, "no sample is of the event '%s'; the samples are of %s",
				   quote(buf_str(&select->name)).text, buf_text(&left));
	} else if (n > kept && select->parts == NULL) {
		result = diag_warn(
			diag,
			"kept samples of %s, left out those of %s; --value selects an event%s",
			used.n > 0 ? buf_text(&used) : "no event", buf_text(&left),
			str_has(buf_str(&left), STR("context-switches"))
				? ", and --wall counts the time of waits"
				: "");
	}
	buf_release(&left);
	buf_release(&used);
	return result;
}

int event_select_decide(struct event_select **selects, size_t n, struct diag *diag) {
	struct event_select *first = selects[0];
	size_t events_n;
	struct total *events = event_select_add_up(selects, n, &events_n);
	if (events_n > 1) {
		qsort(events, events_n, sizeof(*events), event_select_compare_totals);
	}
	for (size_t i = 0; i < events_n && first->keep_all && !first->made; i++) {
		if (events[i].starts_input) {
			first->made = true;
			buf_add_str(&first->name, events[i].name);
			diag_note(diag, EVENT_SELECT_NOTE, quote(events[i].name).text);
		}
	}
	size_t kept = event_select_move_kept(events, events_n, buf_str(&first->name));
	bool nameless = first->met[0].samples > 0;
	for (size_t i = 1; i < n; i++) {
		event_select_follow(selects[i], first);
		nameless |= selects[i]->met[0].samples > 0;
	}
	int result = event_select_report_events(first, events, events_n, kept, nameless, diag);
	free(events);
	return result;
}

/** Add the unit of an event. If its counts are numbers of samples, add nothing. */
static void event_select_format_unit(const struct perf_met *met, struct str event,
				     struct buf *unit) {
	if (met->weighed && event.n > 0) {
		unit_name_of_event(unit, event);
	}
}

/** Move the samples of an event that was not chosen to a separate profile. */
static void event_select_keep_part(struct event_select *select, const struct intern_key *event) {
	struct perf_met *met = &select->met[event->value];
	struct buf unit = {0};
	if (met->samples == 0) {
		return;
	}
	struct profile_part *part = profile_parts_add(select->parts, select->profile);
	utf8_repair(&part->name, intern_str(event));
	part->profile.by_sample = true;
	met->profile->names = select->holder.names; // borrow the names for a moment
	profile_merge(&part->profile, met->profile);
	met->profile->names = (struct names){0};
	event_select_format_unit(met, buf_str(&part->name), &unit);
	profile_count_in(&part->profile, buf_str(&unit));
	buf_release(&unit);
}

void event_select_finish(struct event_select *select) {
	struct str name = buf_str(&select->name);
	const struct intern_key *chosen = intern_find(&select->events, name.p, name.n);
	for (size_t e = 0; select->keep_all && select->parts != NULL && e < select->events.count;
	     e++) {
		if (select->events.keys[e] != chosen) {
			event_select_keep_part(select, select->events.keys[e]);
		}
	}
	for (size_t i = 0; i < select->n && select->keep_all; i++) {
		if (i == 0 || (chosen != NULL && chosen->value == i)) {
			struct profile *profile = select->met[i].profile;
			profile->names = select->holder.names; // borrow the names for a moment
			profile_merge(select->profile, profile);
			profile->names = (struct names){0};
		}
	}
}

void event_select_find_unit(const struct event_select *select, struct buf *unit) {
	struct str event = buf_str(&select->name);
	const struct intern_key *kept = intern_find(&select->events, event.p, event.n);
	if (kept != NULL) {
		event_select_format_unit(&select->met[kept->value], event, unit);
	}
}

void event_select_release(struct event_select *select) {
	for (size_t i = 0; i < select->n && select->keep_all; i++) {
		event_select_release_met(&select->met[i]);
	}
	for (size_t i = 0; i < select->n; i++) {
		buf_release(&select->met[i].unit);
	}
	free(select->met);
	profile_release(&select->holder);
	intern_release(&select->events);
	buf_release(&select->name);
}
