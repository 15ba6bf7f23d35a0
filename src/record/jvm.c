/* The attach protocol of HotSpot. */
#include "record/jvm.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "record/proc.h"
#include "symbols/maps.h"
#include "symbols/opening.h"

/** The process, and the socket of its attach protocol. */
struct jvm_place {
	int32_t pid;
	uint32_t user, group, inner;
	bool catches; // whether the process catches SIGQUIT
	bool stopped;
	int process; // a descriptor of the process
	int temporary, current;
	char socket[32], trigger[32], map[32];
};

/* --- Facts about the process ----------------------------------------------------------------- */

/** Return the rest of the line of /proc/PID/status that starts with `field`; or an empty text. */
static struct str jvm_field_of(struct str status, struct str field) {
	struct lines lines = {.rest = status};
	for (struct str line; lines_next(&lines, &line);) {
		if (str_starts(line, field)) {
			return str_trim(str_from(line, field.n));
		}
	}
	return (struct str){"", 0};
}

/** Return the second number of a text, which is the effective user or group. */
static uint32_t jvm_second_number(struct str text) {
	(void)str_cut(&text, '\t');
	return (uint32_t)strtoul(text.p, NULL, 10);
}

static void jvm_read_status(struct jvm_place *place) {
	char path[32];
	struct buf text = {0};
	snprintf(path, sizeof(path), "/proc/%d/status", place->pid);
	proc_read(path, &text);
	(void)buf_text(&text);
	struct str status = buf_str(&text);
	struct str caught = jvm_field_of(status, STR("SigCgt:"));
	struct str state = jvm_field_of(status, STR("State:"));
	place->user = jvm_second_number(jvm_field_of(status, STR("Uid:")));
	place->group = jvm_second_number(jvm_field_of(status, STR("Gid:")));
	place->inner = inner_pid((uint32_t)place->pid);
	place->catches = caught.n > 0 && (strtoull(caught.p, NULL, 16) >> (SIGQUIT - 1) & 1) != 0;
	place->stopped = state.n > 0 && (state.p[0] == 'T' || state.p[0] == 't');
	buf_release(&text);
}

/** Return whether an option of the process forbids attaching. Such a process would print all its
 * stacks on SIGQUIT. */
static bool jvm_is_closed(int32_t pid) {
	static const char *const files[] = {"cmdline", "environ"};
	bool closed = false;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		char path[32];
		struct buf text = {0};
		snprintf(path, sizeof(path), "/proc/%d/%s", pid, files[i]);
		proc_read(path, &text);
		closed = closed || str_has(buf_str(&text), STR("+DisableAttachMechanism"));
		buf_release(&text);
	}
	return closed;
}

/** Open the /tmp and the current folder of the process. */
static void jvm_open_folders(struct jvm_place *place) {
	char path[32];
	int root = open_root((uint32_t)place->pid);
	place->temporary = root < 0 ? -1 : open_folder_below(root, "/tmp");
	snprintf(path, sizeof(path), "/proc/%d/cwd", place->pid);
	place->current = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root >= 0) {
		close(root);
	}
}

/** Return whether the map can be written without harm: no file has its name, or a regular file of
 * the process's user. Set `*exists` to whether there is such a file. */
static bool jvm_is_map_free(const struct jvm_place *place, bool *exists) {
	struct stat about;
	*exists = fstatat(place->temporary, place->map, &about, AT_SYMLINK_NOFOLLOW) == 0;
	return !*exists || (S_ISREG(about.st_mode) && about.st_uid == place->user);
}

/* --- In the child --------------------------------------------------------------------------- */

enum { TRIES = 400, EVERY = 10, SECONDS_MOST = 10 };

/** If this process is root, become the user of the virtual machine, which accepts requests from
 * this user. Return false on failure. */
static bool jvm_become(const struct jvm_place *place) {
	gid_t group = place->group;
	return geteuid() != 0 ||
	       (setgroups(1, &group) == 0 && setresgid(group, group, group) == 0 &&
		setresuid(place->user, place->user, place->user) == 0);
}

/** Connect to the socket if the process itself listens on it. Otherwise return -1. */
static int jvm_connect_to(const struct jvm_place *place) {
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	struct ucred peer = {0};
	socklen_t size = sizeof(peer);
	snprintf(address.sun_path, sizeof(address.sun_path), "/proc/self/fd/%d/%s",
		 place->temporary, place->socket);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0 &&
	    getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.pid == place->pid) {
		return fd;
	}
	if (fd >= 0) {
		close(fd);
	}
	return -1;
}

/** Make the process open its socket, and connect to the socket. Return -1 on failure. */
static int jvm_trigger(const struct jvm_place *place) {
	enum { NEW = O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, MODE = 0600 };
	int folder = place->temporary;
	int file = openat(folder, place->trigger, NEW, MODE);
	if (file < 0 && errno != EEXIST) {
		folder = place->current;
		file = openat(folder, place->trigger, NEW, MODE);
	}
	if (file < 0) {
		return -1;
	}
	close(file);
	int fd = -1;
	if (syscall(SYS_pidfd_send_signal, place->process, SIGQUIT, NULL, 0) == 0) {
		for (int i = 0; i < TRIES && fd < 0; i++) {
			poll(NULL, 0, EVERY);
			fd = jvm_connect_to(place);
		}
	}
	unlinkat(folder, place->trigger, 0);
	return fd;
}

/** Send the command, and check the answer: a number in a line of its own, then text. */
static enum jvm_answer jvm_talk(int fd) {
	static const char command[] =
		"1\0jcmd\0Compiler.perfmap\0\0"; // including the last NUL byte
	char answer[256] = "";
	size_t n = 0;
	ssize_t got = 1;
	if (send(fd, command, sizeof(command), MSG_NOSIGNAL) != (ssize_t)sizeof(command)) {
		return JVM_SILENT;
	}
	while (got > 0 && n + 1 < sizeof(answer)) {
		got = read(fd, answer + n, sizeof(answer) - 1 - n);
		n += got > 0 ? (size_t)got : 0;
	}
	return n == 0 ? JVM_SILENT : strncmp(answer, "0\n", 2) == 0 ? JVM_WROTE : JVM_OLD;
}

static _Noreturn void jvm_serve(const struct jvm_place *place) {
	signal(SIGALRM, SIG_DFL);
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	alarm(SECONDS_MOST);
	if (!jvm_become(place)) {
		_exit(JVM_FOREIGN);
	}
	int fd = jvm_connect_to(place);
	fd = fd >= 0 ? fd : jvm_trigger(place);
	_exit((int)(fd < 0 ? JVM_SILENT : jvm_talk(fd)));
}

/* --- The whole ------------------------------------------------------------------------------ */

/** Communicate with the process from a child process, and return the answer when the child has
 * ended. */
static enum jvm_answer jvm_talk_in_child(const struct jvm_place *place) {
	int status = 0;
	pid_t child = fork();
	if (child == 0) {
		jvm_serve(place);
	}
	pid_t ended = -1;
	while (child > 0 && (ended = waitpid(child, &status, 0)) < 0 && errno == EINTR) {
	}
	return ended > 0 && WIFEXITED(status) && WEXITSTATUS(status) <= JVM_SILENT
		       ? (enum jvm_answer)WEXITSTATUS(status)
		       : JVM_SILENT;
}

static enum jvm_answer jvm_ask_at(struct jvm_place *place, bool *exists) {
	if (geteuid() != 0 && geteuid() != place->user) {
		return JVM_FOREIGN;
	}
	if (!place->catches || jvm_is_closed(place->pid)) {
		return JVM_REFUSES;
	}
	if (place->stopped || place->inner == 0) {
		return JVM_SILENT;
	}
	jvm_open_folders(place);
	if (place->temporary < 0 || !jvm_is_map_free(place, exists)) {
		return JVM_SILENT;
	}
	return jvm_talk_in_child(place);
}

void jvm_ask(struct jvm *jvm, int32_t pid) {
	struct jvm_place place = {.pid = pid, .temporary = -1, .current = -1};
	bool exists = false;
	*jvm = (struct jvm){.pid = pid, .answer = JVM_SILENT, .folder = -1};
	place.process = (int)syscall(SYS_pidfd_open, pid, 0);
	if (place.process < 0) {
		return;
	}
	jvm_read_status(&place);
	snprintf(place.socket, sizeof(place.socket), ".java_pid%u", place.inner);
	snprintf(place.trigger, sizeof(place.trigger), ".attach_pid%u", place.inner);
	snprintf(place.map, sizeof(place.map), "perf-%u.map", place.inner);
	jvm->inner = place.inner;
	jvm->user = place.user;
	jvm->answer = jvm_ask_at(&place, &exists);
	if (jvm->answer == JVM_WROTE && !exists) {
		jvm->folder = place.temporary;
	} else if (place.temporary >= 0) {
		close(place.temporary);
	}
	if (place.current >= 0) {
		close(place.current);
	}
	close(place.process);
}

void jvm_release(struct jvm *jvm, bool keep_map) {
	char name[32];
	struct stat about;
	if (jvm->folder < 0) {
		return;
	}
	snprintf(name, sizeof(name), "perf-%u.map", jvm->inner);
	if (!keep_map && fstatat(jvm->folder, name, &about, AT_SYMLINK_NOFOLLOW) == 0 &&
	    S_ISREG(about.st_mode) && about.st_uid == jvm->user) {
		unlinkat(jvm->folder, name, 0);
	}
	close(jvm->folder);
	jvm->folder = -1;
}
