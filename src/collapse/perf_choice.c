/* The event whose samples are kept. */
#include "collapse/perf_choice.h"

#include <stdlib.h>

#include "base/utf8.h"
#include "profile/unit.h"

/** Text of the note that names the event that is kept. */
#define FILTER_NOTE "filtering for events of type: %s"

/** Add an event. Return its index in `met`. */
static size_t add_met(struct perf_choice *choice) {
	struct profile *profile = choice->run->profile;
	if (choice->keep_all) {
		profile = mem_new(1, sizeof(*profile));
		profile_init_like(profile, choice->run->profile);
	}
	choice->met = mem_grow(choice->met, &choice->capacity, choice->n + 1, sizeof(*choice->met));
	choice->met[choice->n] = (struct perf_met){.profile = profile};
	return choice->n++;
}

void perf_choice_init(struct perf_choice *choice, struct run *run, const char *wanted) {
	choice->run = run;
	choice->wanted = wanted;
	choice->made = wanted != NULL;
	buf_add_text(&choice->name, choice->made ? wanted : "");
	choice->keep_all = run->inputs > 1 && !choice->made;
	profile_init_like(&choice->holder, run->profile);
	add_met(choice); // for samples whose event was not printed
}

void perf_choice_keep_all(struct perf_choice *choice) {
	if (!choice->keep_all && !choice->made && choice->n == 1) {
		choice->keep_all = true;
		choice->n = 0;
		add_met(choice);
	}
}

bool perf_choice_meet(struct perf_choice *choice, const struct perf_event *event, uint64_t number) {
	choice->current = 0;
	if (!event->named) {
		return true;
	}
	struct str plain = perf_event_plain(event->name);
	struct str name = choice->wanted != NULL ? event->name : plain;
	struct intern_key *key = intern_get(&choice->events, name.p, name.n);
	if (key->value == 0) {
		key->value = add_met(choice);
	}
	choice->current = (size_t)key->value;
	perf_choice_current(choice)->starts_input |= choice->input_starts;
	choice->input_starts = false;
	if (choice->keep_all) {
		return true;
	}
	if (!choice->made) {
		choice->made = true;
		buf_add_str(&choice->name, plain);
		(void)run_notice(choice->run, NOTICE_NOTE, number, FILTER_NOTE, quote(plain).text);
	}
	struct str kept = buf_str(&choice->name);
	return str_eq(plain, kept) || str_eq(event->name, kept);
}

bool perf_choice_ready(const struct perf_choice *choice) {
	return choice->keep_all ? !choice->input_starts : choice->made;
}

void perf_choice_follow(struct perf_choice *choice, const struct perf_choice *first) {
	buf_clear(&choice->name);
	buf_add_str(&choice->name, buf_str(&first->name));
	choice->made = first->made;
}

/* --- The choice among all events ------------------------------------------------------------ */

/** An event as all workers met it. */
struct total {
	struct str name;
	uint64_t samples;
	bool starts_input;
};

/** Add up, for each event with a name, what the workers met. The caller frees the result. */
static struct total *add_up(struct perf_choice **choices, size_t n, size_t *events_n) {
	struct total *totals = NULL;
	size_t capacity = 0;
	struct intern names = {0};
	for (size_t i = 0; i < n; i++) {
		const struct perf_choice *choice = choices[i];
		for (uint32_t e = 0; e < choice->events.count; e++) {
			const struct intern_key *event = choice->events.keys[e];
			const struct perf_met *met = &choice->met[event->value];
			struct intern_key *key = intern_get(&names, event->bytes, event->len);
			totals = mem_grow(totals, &capacity, names.count, sizeof(*totals));
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

/** Compare events: the one with the most samples comes first. */
static int compare_totals(const void *a, const void *b) {
	const struct total *x = a, *y = b;
	if (x->samples != y->samples) {
		return x->samples < y->samples ? 1 : -1;
	}
	return str_compare(x->name, y->name);
}

/** List events with their samples: 'cycles' (12), 'faults' (3). */
static void list_events(struct buf *text, const struct total *events, size_t n) {
	enum { LISTED = 10 };
	for (size_t i = 0; i < n && i < LISTED; i++) {
		buf_printf(text, "%s'%s' (%llu)", i > 0 ? ", " : "", quote(events[i].name).text,
			   (unsigned long long)events[i].samples);
	}
	if (n > LISTED) {
		buf_printf(text, " and %zu more", n - LISTED);
	}
}

/** Move the events of this name, with or without a modifier, to the front. Return how many. */
static size_t move_kept(struct total *events, size_t n, struct str name) {
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

/** Report which event was kept, and which were left out. */
static int tell_events(const struct perf_choice *choice, const struct total *events, size_t n,
		       size_t kept, bool nameless, struct diag *diag) {
	struct buf left = {0}, used = {0};
	int result = 0;
	if (n == 0) {
		return 0;
	}
	list_events(&left, events + kept, n - kept);
	list_events(&used, events, kept);
	if (kept == 0 && n > 0 && !nameless) {
		result = diag_warn(diag, "no sample is of the event '%s'; the samples are of %s",
				   quote(buf_str(&choice->name)).text, buf_text(&left));
	} else if (n > kept && choice->run->parts == NULL) {
		result = diag_warn(
			diag,
			"kept samples of %s, left out those of %s; --event-filter selects an event",
			used.n > 0 ? buf_text(&used) : "no event", buf_text(&left));
	}
	buf_release(&left);
	buf_release(&used);
	return result;
}

int perf_choice_decide(struct perf_choice **choices, size_t n, struct diag *diag) {
	struct perf_choice *first = choices[0];
	size_t events_n;
	struct total *events = add_up(choices, n, &events_n);
	if (events_n > 1) {
		qsort(events, events_n, sizeof(*events), compare_totals);
	}
	for (size_t i = 0; i < events_n && first->keep_all && !first->made; i++) {
		if (events[i].starts_input) {
			first->made = true;
			buf_add_str(&first->name, events[i].name);
			diag_note(diag, FILTER_NOTE, quote(events[i].name).text);
		}
	}
	size_t kept = move_kept(events, events_n, buf_str(&first->name));
	bool nameless = first->met[0].samples > 0;
	for (size_t i = 1; i < n; i++) {
		perf_choice_follow(choices[i], first);
		nameless |= choices[i]->met[0].samples > 0;
	}
	int result = tell_events(first, events, events_n, kept, nameless, diag);
	free(events);
	return result;
}

/** Add the unit of an event, if its counts are not those of samples. */
static void word_unit(const struct perf_met *met, struct str event, struct buf *unit) {
	if (met->weighed && event.n > 0) {
		unit_name_of_event(unit, event);
	}
}

/** Move the samples of an event that was not chosen to a profile of their own. */
static void keep_part(struct perf_choice *choice, const struct intern_key *event) {
	struct collapse_parts *parts = choice->run->parts;
	struct perf_met *met = &choice->met[event->value];
	struct buf unit = {0};
	if (met->samples == 0) {
		return;
	}
	parts->items =
		mem_grow(parts->items, &parts->capacity, parts->n + 1, sizeof(*parts->items));
	struct collapse_part *part = &parts->items[parts->n++];
	*part = (struct collapse_part){.name = {0}};
	utf8_repair(&part->name, intern_str(event));
	profile_init_like(&part->profile, choice->run->profile);
	part->profile.by_sample = true;
	met->profile->names = choice->holder.names; // lent
	profile_merge(&part->profile, met->profile);
	met->profile->names = (struct names){0};
	word_unit(met, buf_str(&part->name), &unit);
	profile_count_in(&part->profile, buf_str(&unit));
	buf_release(&unit);
}

void perf_choice_finish(struct perf_choice *choice) {
	struct str name = buf_str(&choice->name);
	const struct intern_key *chosen = intern_find(&choice->events, name.p, name.n);
	for (size_t e = 0;
	     choice->keep_all && choice->run->parts != NULL && e < choice->events.count; e++) {
		if (choice->events.keys[e] != chosen) {
			keep_part(choice, choice->events.keys[e]);
		}
	}
	for (size_t i = 0; i < choice->n && choice->keep_all; i++) {
		if (i == 0 || (chosen != NULL && chosen->value == i)) {
			struct profile *profile = choice->met[i].profile;
			profile->names = choice->holder.names; // lent
			profile_merge(choice->run->profile, profile);
			profile->names = (struct names){0};
		}
	}
}

void perf_choice_find_unit(const struct perf_choice *choice, struct buf *unit) {
	struct str event = buf_str(&choice->name);
	const struct intern_key *kept = intern_find(&choice->events, event.p, event.n);
	if (kept != NULL) {
		word_unit(&choice->met[kept->value], event, unit);
	}
}

void perf_choice_release(struct perf_choice *choice) {
	for (size_t i = 0; i < choice->n && choice->keep_all; i++) {
		profile_release(choice->met[i].profile);
		free(choice->met[i].profile);
	}
	free(choice->met);
	profile_release(&choice->holder);
	intern_release(&choice->events);
	buf_release(&choice->name);
}
