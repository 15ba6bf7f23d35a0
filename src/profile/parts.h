/** Keep further profiles of an input besides the main profile. A further profile has, for example,
 * the samples of another event. */
#pragma once

#include "profile/profile.h"

struct profile_part {
	struct buf name;
	struct profile profile;
};

struct profile_parts {
	struct profile_part *items;
	size_t n, capacity;
};

/** Add an empty part with the form and the settings of the profile `like`. */
struct profile_part *profile_parts_add(struct profile_parts *parts, const struct profile *like);

void profile_parts_release(struct profile_parts *parts);
