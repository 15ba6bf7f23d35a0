/* Find names near a misspelt name. A near name starts with the misspelt name, contains it, or
 * differs from it by a few edits. */
#include "record/event_near.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/opt.h"
#include "record/event_names.h"
#include "record/pmu.h"
#include "record/tracepoints.h"

enum { NEAR_MOST = 4, NEAR_LONGEST = 128 };

struct near {
	char name[NEAR_LONGEST];
	size_t distance;
};

struct event_near_search {
	const struct event_places *places;
	char wanted[NEAR_LONGEST];
	size_t most; // distance at which names are no longer near
	struct near found[NEAR_MOST];
	size_t n;
};

/** Return the distance between a name and the wanted name; or SIZE_MAX if the names are not
 * near. */
static size_t event_near_distance_of(const struct event_near_search *search, const char *name) {
	const char *colon = strchr(name, ':'), *wanted = search->wanted;
	if (colon != NULL && strcmp(colon + 1, wanted) == 0) {
		return 0; // the name of a tracepoint without its system
	}
	if (strlen(wanted) > 2 && strncasecmp(name, wanted, strlen(wanted)) == 0) {
		return 1;
	}
	size_t edits = opt_distance(name, wanted);
	return edits < search->most                                     ? edits
	       : strlen(wanted) > 3 && strcasestr(name, wanted) != NULL ? search->most - 1
									: SIZE_MAX;
}

/** Keep the text of an event if its name is among the nearest so far. If `name` is NULL, the whole
 * text is the name. */
static void event_near_consider_as(struct event_near_search *search, struct str text,
				   const char *name) {
	struct near near = {.distance = 0};
	if (text.n >= sizeof(near.name)) {
		return;
	}
	memcpy(near.name, text.p, text.n);
	near.distance = event_near_distance_of(search, name == NULL ? near.name : name);
	size_t at = search->n;
	while (at > 0 && search->found[at - 1].distance > near.distance) {
		at--;
	}
	if (near.distance >= search->most || at == NEAR_MOST) {
		return;
	}
	search->n += search->n < NEAR_MOST;
	memmove(&search->found[at + 1], &search->found[at],
		(search->n - at - 1) * sizeof(search->found[0]));
	search->found[at] = near;
}

static void event_near_consider(void *context, struct str text) {
	event_near_consider_as(context, text, NULL);
}

static void event_near_consider_unit_event(void *context, struct str unit, struct str name) {
	struct buf text = {0}, alone = {0};
	buf_printf(&text, "%.*s/%.*s/", (int)unit.n, unit.p, (int)name.n, name.p);
	buf_add_str(&alone, name);
	event_near_consider_as(context, buf_str(&text), buf_text(&alone));
	buf_release(&text);
	buf_release(&alone);
}

static void event_near_consider_unit(void *context, struct str unit) {
	const struct event_near_search *search = context;
	pmu_each_event(search->places->devices, unit, event_near_consider_unit_event, context);
}

static void event_near_consider_tracepoint(void *context, struct str system, struct str name) {
	struct buf text = {0};
	buf_printf(&text, "%.*s:%.*s", (int)system.n, system.p, (int)name.n, name.p);
	event_near_consider(context, buf_str(&text));
	buf_release(&text);
}

void event_near(const struct event_places *places, struct str name, struct buf *text) {
	struct event_near_search search = {.places = places, .most = name.n / 3 + 2};
	if (name.n >= sizeof(search.wanted)) {
		return;
	}
	memcpy(search.wanted, name.p, name.n);
	event_each_name(event_near_consider, &search);
	pmu_each(places->devices, event_near_consider_unit, &search);
	tracepoints_each(places, event_near_consider_tracepoint, &search);
	for (size_t i = 0; i < search.n; i++) {
		buf_add_text(text, i == 0 ? "; near names: " : ", ");
		buf_add_text(text, search.found[i].name);
	}
}
