/** Find the events whose names resemble a misspelt name. */
#pragma once

#include "record/events.h"

/** Add the names nearest to an unknown name, as a phrase such as "; near names: cycles, cs". Add
 * nothing if no name is near. */
void event_near(const struct event_places *places, struct str name, struct buf *text);
