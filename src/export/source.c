/* Find and read source files of the functions in a profile. */
#include "export/source.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/read.h"

enum { SOURCE_MOST = 64 << 20 }; // largest size of a source file in bytes

/** Set `path` to the file on this machine that contains a source. */
static void source_find(struct buf *path, struct str recorded, const struct opt_list *rules) {
	const struct str url = STR_INIT("file://"); // CPU profiles of V8 have such paths
	recorded = str_from(recorded, str_starts(recorded, url) ? url.n : 0);
	for (size_t i = 0; i < rules->n; i++) {
		struct str to = str_of(rules->items[i]), from = str_cut(&to, '=');
		if (str_starts(recorded, from)) {
			buf_add_str(path, to);
			buf_add_str(path, str_from(recorded, from.n));
			return;
		}
	}
	buf_add_str(path, recorded);
}

/** If a path from a profile names a regular file, return 0. Otherwise return an errno. Refuse all
 * other files, because reading a pipe might never end. */
static int source_check(struct buf *path) {
	struct stat about;
	return stat(buf_text(path), &about) != 0 ? errno : S_ISREG(about.st_mode) ? 0 : EINVAL;
}

bool source_exists(struct str recorded, const struct opt_list *rules) {
	struct buf path = {0};
	source_find(&path, recorded, rules);
	bool exists = source_check(&path) == 0;
	buf_release(&path);
	return exists;
}

int source_read(struct str recorded, const struct opt_list *rules, struct buf *source) {
	struct buf path = {0};
	source_find(&path, recorded, rules);
	int error = source_check(&path);
	error = error != 0 ? error : read_whole(buf_text(&path), SOURCE_MOST, source);
	buf_release(&path);
	return error;
}
