/* Note files that exist but could not be read. */
#include "base/unread.h"

#include <errno.h>

#include "base/diag.h"

enum { SHOWN = 3 };

static bool unread_is_absent(int problem) {
	static const int usual[] = {0,     ENOENT, ENOTDIR, ESRCH,       ENXIO,
				    ELOOP, ENODEV, EINVAL,  ENAMETOOLONG};
	for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++) {
		if (problem == usual[i]) {
			return true;
		}
	}
	return false;
}

bool unread_is_usual(int problem) {
	return unread_is_absent(problem) || problem == EACCES || problem == EPERM;
}

void unread_note_wanted(struct unread *unread, const char *path, int problem) {
	struct str name = str_of(path);
	if (unread_is_absent(problem) || (unread->n > 0 && str_eq(buf_str(&unread->last), name))) {
		return;
	}
	buf_set_str(&unread->last, name);
	if (unread->n++ < SHOWN) {
		buf_printf(&unread->files, "%s'%s' (%s)", unread->n > 1 ? ", " : "",
			   quote(name).text, strerror(problem));
	}
}

void unread_note(struct unread *unread, const char *path, int problem) {
	if (!unread_is_usual(problem)) {
		unread_note_wanted(unread, path, problem);
	}
}

void unread_copy(struct unread *into, const struct unread *from) {
	unread_release(into);
	buf_add_str(&into->files, buf_str(&from->files));
	buf_add_str(&into->last, buf_str(&from->last));
	into->n = from->n;
}

void unread_format(const struct unread *unread, struct buf *text) {
	buf_add_str(text, buf_str(&unread->files));
	if (unread->n > SHOWN) {
		buf_printf(text, " and %zu more", unread->n - SHOWN);
	}
}

void unread_release(struct unread *unread) {
	buf_release(&unread->files);
	buf_release(&unread->last);
	*unread = (struct unread){0};
}
