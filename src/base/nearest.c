/* Find names in folders that are similar to a misspelt name. */
#include "base/nearest.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/opt.h"

struct nearest nearest_to(const char *wanted) {
	enum { PART = 4 };
	size_t n = strlen(wanted);
	return (struct nearest){.wanted = wanted, .distance = 1 + (n < PART ? 1 : n / PART)};
}

/** Return whether the file at a path may be suggested: a regular file that the user may read, or,
 * if `programs` is set, may run. */
static bool nearest_fits(const char *path, bool programs) {
	struct stat about;
	return stat(path, &about) == 0 && S_ISREG(about.st_mode) &&
	       access(path, programs ? X_OK : R_OK) == 0;
}

void nearest_look_into(struct nearest *nearest, const char *folder, bool programs) {
	DIR *entries = opendir(folder);
	const struct dirent *entry;
	struct buf path = {0};
	while (entries != NULL && (entry = readdir(entries)) != NULL) {
		size_t distance = opt_distance(nearest->wanted, entry->d_name);
		if (distance >= nearest->distance) {
			continue;
		}
		buf_clear(&path);
		buf_printf(&path, "%s/%s", folder, entry->d_name);
		if (nearest_fits(buf_text(&path), programs)) {
			nearest->distance = distance;
			buf_set_text(&nearest->name, entry->d_name);
		}
	}
	if (entries != NULL) {
		closedir(entries);
	}
	buf_release(&path);
}

bool nearest_add(struct buf *text, struct nearest *nearest, struct str before) {
	bool found = nearest->name.n > 0;
	if (found) {
		struct buf path = {0};
		buf_add_str(&path, before);
		buf_add_str(&path, buf_str(&nearest->name));
		buf_printf(text, "; did you mean '%s'?", quote(buf_str(&path)).text);
		buf_release(&path);
	}
	buf_release(&nearest->name);
	return found;
}
