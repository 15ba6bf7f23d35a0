/** Units that count events, as sysfs describes them: which terms a unit has, and which bits of an
 * event each term sets. */
#ifndef INFERNO_RECORD_PMU_H
#define INFERNO_RECORD_PMU_H

#include "record/events.h"

/** Set the fields of an event for terms such as "event=0x3c,umask=1,period=1000". `unit` is the
 * name of its unit. The name is empty for an event without a unit, which has only the terms that
 * all events have. Return 0, or -1 after diag_error(). */
int pmu_set_terms(struct record_events *events, struct record_event *event, const char *devices,
		  struct str unit, struct str terms, struct diag *diag);

/** Prepare an event of a unit. Return whether there is such a unit. */
bool pmu_find(struct record_events *events, struct record_event *event, const char *devices,
	      struct str unit);

/** Call `each` with all units, or with the events that a unit has names for. */
void pmu_each(const char *devices, void (*each)(void *context, struct str unit), void *context);
void pmu_each_event(const char *devices, struct str unit,
		    void (*each)(void *context, struct str unit, struct str name), void *context);

#endif
