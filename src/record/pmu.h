/** The units of the machine that count events. sysfs describes each unit: its terms, and the bits
 * of an event that each term sets. */
#pragma once

#include "record/events.h"

/** Set the fields of an event for terms such as "event=0x3c,umask=1,period=1000". `unit` is the
 * name of the event's unit. For an event without a unit, the name is empty, and only the terms that
 * all events have are allowed. Return 0, or -1 after diag_error(). */
int pmu_set_terms(struct record_events *events, struct record_event *event, const char *devices,
		  struct str unit, struct str terms, struct diag *diag);

/** Set the type of an event of a unit, and the processors on which it counts. Return whether there
 * is such a unit. */
bool pmu_find(struct record_events *events, struct record_event *event, const char *devices,
	      struct str unit);

/** Call `each` with every unit (pmu_each), or with every event that a unit has a name for
 * (pmu_each_event). */
void pmu_each(const char *devices, void (*each)(void *context, struct str unit), void *context);
void pmu_each_event(const char *devices, struct str unit,
		    void (*each)(void *context, struct str unit, struct str name), void *context);
