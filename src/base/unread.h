/**
 * Note files that exist but could not be read. If a reader continues without a file, it notes the
 * file here, and the command later reports the file. A zeroed struct has no notes.
 */
#pragma once

#include "base/buf.h"

struct unread {
	struct buf files; // the first files, with the reasons
	size_t n;         // number of notes; several notes in a row for one file count once
	struct buf last;
};

/** Return whether an errno means that a file does not exist, or that this user may not read it. By
 * default, such an error is not reported. */
bool unread_is_usual(int problem);

/** Remember that a file cannot be read, unless unread_is_usual() holds. */
void unread_note(struct unread *unread, const char *path, int problem);

/** Remember that a file cannot be read, even if this user lacks the permission. Do not note a
 * missing file. */
void unread_note_wanted(struct unread *unread, const char *path, int problem);

/** Replace the notes by a copy of another reader's notes. */
void unread_copy(struct unread *into, const struct unread *from);

/** Add to a message the names of the first files with the reasons, and the number of further
 * files. */
void unread_format(const struct unread *unread, struct buf *text);

void unread_release(struct unread *unread);
