/* Show a picture in the browser. */
#include "base/browser.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/process.h"
#include "base/scratch.h"
#include "base/stop.h"

void browser_name_file(struct buf *path, const char *suffix) {
	// Choose a name that cannot be guessed, so that no other user can create a file of this
	// name first.
	buf_printf(path, "%s/inferno-%016llx.%s", scratch_folder(), (unsigned long long)hash_seed(),
		   suffix);
}

/** Return the name of the program that opens pictures. */
static const char *browser_opener(void) {
	const char *browser = getenv("BROWSER");
#ifdef __APPLE__
	return browser == NULL || *browser == '\0' ? "open" : browser;
#else
	return browser == NULL || *browser == '\0' ? "xdg-open" : browser;
#endif
}

/** Start `program` with the path, detached from this terminal. Return 0 or an errno. */
static int browser_start(const char *program, const char *path, pid_t *child) {
	char *const argv[] = {(char *)(uintptr_t)program, (char *)(uintptr_t)path, NULL};
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	posix_spawn_file_actions_init(&actions);
	process_init_attributes(&attributes, POSIX_SPAWN_SETPGROUP);
	int error = 0;
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO && error == 0; fd++) {
		error = posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
	}
	if (error == 0) {
		error = posix_spawnp(child, program, &actions, &attributes, argv, environ);
	}
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

/** Return whether a program fails within a second. A program that runs longer is assumed to show
 * the picture. After a signal, wait only for a fifth of a second. */
static bool browser_gave_up(pid_t child) {
	enum { LOOKS = 50, LOOKS_LEAST = 10, BETWEEN_NS = 20000000 };
	for (int i = 0; i < LOOKS && (i < LOOKS_LEAST || stop_age() < 0); i++) {
		int status = 0;
		if (waitpid(child, &status, WNOHANG) == child) {
			return status != 0;
		}
		nanosleep(&(struct timespec){.tv_nsec = BETWEEN_NS}, NULL);
	}
	return false;
}

int browser_open(const char *path, struct diag *diag) {
	const char *program = browser_opener();
	pid_t child = 0;
	struct buf text = {0};
	// Write ./ before a name such as -x.svg, which the program would read as an option.
	buf_printf(&text, "%s%s", path[0] == '-' ? "./" : "", path);
	int error = browser_start(program, buf_text(&text), &child);
	buf_release(&text);
	return error == 0 && !browser_gave_up(child)
		       ? 0
		       : diag_error(
				 diag,
				 "%s: '%s' cannot open it%s%s; set BROWSER to a program that can",
				 path, program, error == 0 ? "" : ": ",
				 error == 0 ? "" : strerror(error));
}
