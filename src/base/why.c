/* Explain why a file cannot be opened or written, and how to fix it. */
#include "base/why.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/nearest.h"

/** Return the part of a path before its last slash, or `.` if the path has no slash. The caller
 * releases the result. */
static struct buf why_folder_of(const char *path) {
	struct str whole = str_of(path);
	size_t slash = str_find_last(whole, '/');
	struct buf folder = {0};
	buf_add_str(&folder, slash == STR_NONE ? STR(".") : str_to(whole, slash + (slash == 0)));
	return folder;
}

static const char *why_name_in(const char *path) {
	const char *slash = strrchr(path, '/');
	return slash == NULL ? path : slash + 1;
}

/** Add which part of a path is not a folder. */
static void why_add_no_folder(struct buf *text, const char *path) {
	struct buf folder = why_folder_of(path);
	struct stat about;
	while (stat(buf_text(&folder), &about) != 0 && str_has(buf_str(&folder), STR("/"))) {
		struct buf above = why_folder_of(buf_text(&folder));
		buf_release(&folder);
		folder = above;
	}
	buf_printf(text, "; '%s' is not a folder", quote(buf_str(&folder)).text);
	buf_release(&folder);
}

/* --- Reading -------------------------------------------------------------------------------- */

/** Add which part of a path does not exist. If a similar name exists, suggest it. */
static void why_add_missing(struct buf *text, const char *path) {
	struct buf folder = why_folder_of(path);
	struct stat about;
	if (lstat(path, &about) == 0) {
		buf_add_text(text, "; it is a link to a file that is not there");
	} else if (stat(buf_text(&folder), &about) != 0) {
		buf_printf(text, "; there is no folder '%s'", quote(buf_str(&folder)).text);
	} else {
		const char *name = why_name_in(path);
		struct nearest nearest = nearest_to(name);
		nearest_look_into(&nearest, buf_text(&folder), false);
		if (!nearest_add(text, &nearest, (struct str){path, (size_t)(name - path)})) {
			buf_add_text(text, "; name an existing file, or - for standard input");
		}
	}
	buf_release(&folder);
}

/** Add who owns a file that this user may not read, and how to get access. */
static void why_add_denied(struct buf *text, const char *path) {
	struct stat about;
	if (stat(path, &about) != 0) {
		buf_add_text(text, "; a folder on its path may not be entered by this user");
	} else if (about.st_uid == geteuid()) {
		buf_printf(text, "; type: chmod u+r '%s'", quote(str_of(path)).text);
	} else {
		buf_printf(text, "; it belongs to %s; type: sudo chown \"$USER\" '%s'",
			   about.st_uid == 0 ? "root" : "another user", quote(str_of(path)).text);
	}
}

void why_unread(struct buf *text, const char *path, int error) {
	buf_add_text(text, strerror(error));
	if (error == ENOENT) {
		why_add_missing(text, path);
	} else if (error == EACCES) {
		why_add_denied(text, path);
	} else if (error == ENOTDIR) {
		why_add_no_folder(text, path);
	}
}

/* --- Writing -------------------------------------------------------------------------------- */

/** Add a hint, and the folder of `path` if this user may not write in it. */
static void why_add_refusal(struct buf *text, const char *path) {
	struct buf folder = why_folder_of(path);
	if (access(buf_text(&folder), W_OK) != 0) {
		buf_printf(text,
			   "; this user may not write in the folder '%s': name another place with "
			   "-o",
			   quote(buf_str(&folder)).text);
	} else {
		buf_add_text(text, "; name another file with -o");
	}
	buf_release(&folder);
}

/** If a folder is missing, add a command that creates the folder. */
static void why_add_mkdir(struct buf *text, const char *path) {
	struct buf folder = why_folder_of(path);
	struct stat about;
	if (stat(buf_text(&folder), &about) != 0) {
		buf_printf(text, "; make the folder first: mkdir -p '%s'",
			   quote(buf_str(&folder)).text);
	}
	buf_release(&folder);
}

void why_unwritten(struct buf *text, const char *path, int error) {
	buf_add_text(text, strerror(error));
	if (error == ENOENT) {
		why_add_mkdir(text, path);
	} else if (error == EACCES || error == EPERM) {
		why_add_refusal(text, path);
	} else if (error == EROFS) {
		buf_add_text(text, "; name another place with -o");
	} else if (error == EISDIR) {
		buf_add_text(text, "; name a file in it");
	} else if (error == ENOTDIR) {
		why_add_no_folder(text, path);
	} else if (error == ENOSPC || error == EDQUOT) {
		buf_add_text(text, "; make room there, or name another place with -o");
	}
}
