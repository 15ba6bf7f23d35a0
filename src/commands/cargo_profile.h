/** The profiles that cargo builds with: their settings, and the places that define the settings. */
#pragma once

#include "base/unread.h"

/** A setting of a profile, such as strip = true. The caller releases the struct, even if no setting
 * was found. */
struct cargo_setting {
	struct buf value; // without quotes
	// environment variable with the setting; empty: the setting is in a file
	struct buf variable;
	struct buf path; // path of that file
	size_t line;     // line in that file
	struct unread *unread;
};

/**
 * Find the place that defines a setting of a profile: the environment, cargo's configuration, or
 * the Cargo.toml of the workspace in `folder`. If no place has the setting, search these places
 * again for the profile from which the given profile inherits. Files are read line by line, and
 * only the usual ways to write a setting are recognised. Files that cannot be read are noted in
 * `unread`. Return false if no place has the setting.
 */
bool cargo_find_setting(const char *folder, const char *profile, const char *key,
			struct cargo_setting *setting, struct unread *unread);

void cargo_setting_release(struct cargo_setting *setting);

/** Add the name of the environment variable for a setting, such as CARGO_PROFILE_RELEASE_STRIP. */
void cargo_variable(const char *profile, const char *key, struct buf *variable);

/** The kinds of names that a program has. */
struct cargo_names {
	bool functions, inlined;
};

/** Return the kinds of names that a built program has. For a file that cannot be read, return all
 * kinds. */
struct cargo_names cargo_names_in(const char *path);
