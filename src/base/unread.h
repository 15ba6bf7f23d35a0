/**
 * Files that exist but could not be read. A reader that goes on without a file notes it here, so
 * that the command can report it. Zeroed, nothing was noted.
 */
#ifndef INFERNO_UNREAD_H
#define INFERNO_UNREAD_H

#include "base/buf.h"

struct unread {
	struct buf files; // the files to show, with the reasons
	size_t n;         // number of all notes, counting the same file in a row once
	struct buf last;
};

/** Return whether an errno only says that a file does not exist, or that this user may not read it.
 */
bool unread_is_usual(int problem);

/** Note that a file cannot be read, unless that is usual. */
void unread_note(struct unread *unread, const char *path, int problem);

/** Note that a file cannot be read, even if this user just lacks the permission. */
void unread_note_wanted(struct unread *unread, const char *path, int problem);

/** Replace the notes by those of another reader. */
void unread_copy(struct unread *into, const struct unread *from);

/** Add the first files and the reasons, and how many more there are. */
void unread_format(const struct unread *unread, struct buf *text);

void unread_release(struct unread *unread);

#endif
