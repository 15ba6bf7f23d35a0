/** Shows a picture to whoever asked for it (--open). */
#ifndef INFERNO_BROWSER_H
#define INFERNO_BROWSER_H

/** Makes the name of a new file for a picture that is to be looked at. The caller owns it; NULL
 * with errno set when none can be made. */
char *browser_new_file(void);

/**
 * Opens a file with $BROWSER, or with what the desktop opens pictures with, and does not wait for
 * it to be closed. Returns 0, or -1 after face_error().
 */
int browser_open(const char *path);

#endif
