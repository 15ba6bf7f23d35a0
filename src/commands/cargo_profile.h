/** The profiles that cargo builds in: which settings they have, and where these come from. */
#ifndef INFERNO_COMMANDS_CARGO_PROFILE_H
#define INFERNO_COMMANDS_CARGO_PROFILE_H

#include "base/unread.h"

/** A setting of a profile, such as strip = true. Release it in any case. */
struct cargo_setting {
	struct buf value;    // without quotes
	struct buf variable; // environment variable with the setting; empty: it is in a file
	struct buf path;     // of that file
	size_t line;         // in that file
	struct unread *unread;
};

/**
 * Find where a setting of a profile comes from: the environment, cargo's configuration, or the
 * Cargo.toml of the workspace, which is in `folder`; then those of the profile that it inherits
 * from. The files are read line by line, as people write them; other forms are not found. Files
 * that cannot be read are noted in `unread`. Return false if nothing sets it.
 */
bool cargo_find_setting(const char *folder, const char *profile, const char *key,
			struct cargo_setting *setting, struct unread *unread);

void cargo_setting_release(struct cargo_setting *setting);

/** Add the variable of the environment that has a setting: CARGO_PROFILE_RELEASE_STRIP. */
void cargo_variable(const char *profile, const char *key, struct buf *variable);

/** Which names a program has. */
struct cargo_names {
	bool functions, inlined;
};

/** Look into a program that was built. A file that cannot be read counts as having all names. */
struct cargo_names cargo_names_in(const char *path);

#endif
