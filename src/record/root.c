/* A helper that runs as root. Recorder and helper exchange messages of fixed size through an
 * abstract socket. The socket has a name instead of a file, so nothing has to be removed. Any user
 * may read this name from the arguments of the helper, and may listen under the same name. So the
 * recorder also writes a secret to the helper's standard input. The recorder must repeat the secret
 * through the socket before the helper answers requests. */
#include "record/root.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/process.h"
#include "base/stop.h"
#include "base/str.h"
#include "record/cgroup.h"
#include "record/tracefs.h"

static const char *const files[] = {"/proc/kallsyms", "/proc/modules"};
_Static_assert(sizeof(files) / sizeof(files[0]) == ROOT_FILES, "each file has its path");

enum { OPEN_COUNTER = ROOT_FILES, OPEN_GROUP_COUNTER, OPEN_TRACING, MAKE_GROUP, SEAL };

struct request {
	uint32_t kind;
	int32_t tid, cpu;
	struct perf_event_attr attr;
	char path[1024];
};

enum { SECRET = 32 }; // digits

struct root {
	struct process sudo;
	int socket; // socket; -1: the helper has ended
	bool has_group;
	int copies[ROOT_FILES];
	char paths[ROOT_FILES][32];
};

/** Set the address of the socket with a name, and return the size of the address. A zero byte
 * before the name means that the socket has no file. */
static socklen_t root_address_of(const char *name, struct sockaddr_un *address) {
	size_t n = strlen(name), most = sizeof(address->sun_path) - 1;
	*address = (struct sockaddr_un){.sun_family = AF_UNIX};
	n = n < most ? n : most;
	memcpy(address->sun_path + 1, name, n);
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + n);
}

static int root_new_socket(void) {
	return socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
}

/* --- Messages ------------------------------------------------------------------------------- */

/** A buffer for a descriptor that is sent with a message. */
union ancillary {
	struct cmsghdr head;
	char bytes[CMSG_SPACE(sizeof(int))];
};

/** Answer a request with a descriptor, or, if `fd` is -1, with an errno. */
static bool root_answer(int socket, int fd, int problem) {
	union ancillary ancillary = {0};
	struct iovec part = {&problem, sizeof(problem)};
	struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
	if (fd >= 0) {
		message.msg_control = ancillary.bytes;
		message.msg_controllen = sizeof(ancillary.bytes);
		struct cmsghdr *head = CMSG_FIRSTHDR(&message);
		head->cmsg_level = SOL_SOCKET;
		head->cmsg_type = SCM_RIGHTS;
		head->cmsg_len = CMSG_LEN(sizeof(fd));
		memcpy(CMSG_DATA(head), &fd, sizeof(fd));
	}
	return sendmsg(socket, &message, MSG_NOSIGNAL) == (ssize_t)sizeof(problem);
}

/** Receive an answer. Return the descriptor, or -1 with errno set. */
static int root_take_answer(int socket) {
	int fd = -1, problem = 0;
	union ancillary ancillary = {0};
	struct iovec part = {&problem, sizeof(problem)};
	struct msghdr message = {.msg_iov = &part,
				 .msg_iovlen = 1,
				 .msg_control = ancillary.bytes,
				 .msg_controllen = sizeof(ancillary.bytes)};
	struct pollfd polled = {.fd = socket, .events = POLLIN};
	ssize_t n = 0;
	if (stop_poll(&polled, 1, STOP_STALLED) > 0) {
		do {
			n = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
		} while (n < 0 && errno == EINTR);
	}
	const struct cmsghdr *head = n > 0 ? CMSG_FIRSTHDR(&message) : NULL;
	if (head != NULL && head->cmsg_type == SCM_RIGHTS) {
		memcpy(&fd, CMSG_DATA(head), sizeof(fd));
	}
	errno = n <= 0 ? ECONNRESET : problem;
	return fd;
}

/** Ask the helper for a descriptor. Return the descriptor, or -1 with errno set. */
static int root_ask(struct root *root, const struct request *request) {
	if (root->socket < 0 ||
	    send(root->socket, request, sizeof(*request), MSG_NOSIGNAL) != sizeof(*request)) {
		errno = ECONNRESET;
		return -1;
	}
	return root_take_answer(root->socket);
}

/* --- The helper ----------------------------------------------------------------------------- */

/** Continue in a new process without a terminal, so that sudo does not wait for the helper. Return
 * whether this was possible. */
static bool root_detach(void) {
	static const int stopping[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
	pid_t pid = fork();
	if (pid > 0) {
		_exit(0);
	}
	int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
	for (int fd = 0; pid == 0 && fd < 3 && nothing >= 0; fd++) {
		dup2(nothing, fd);
	}
	for (size_t i = 0; pid == 0 && i < sizeof(stopping) / sizeof(stopping[0]); i++) {
		signal(stopping[i], SIG_IGN);
	}
	return pid == 0 && setsid() >= 0 && chdir("/") == 0;
}

/** Make a control group for the program of a recorder. Return a descriptor of the group's folder,
 * or -1 with errno set. */
static int root_make_group_of(struct cgroup *group, pid_t recorder, pid_t program) {
	if (group->fd >= 0 || !cgroup_make(group, recorder)) {
		errno = EPERM;
		return -1;
	}
	if (!cgroup_move(group, program) || !root_detach()) {
		cgroup_remove(group);
		errno = EPERM;
		return -1;
	}
	return fcntl(group->fd, F_DUPFD_CLOEXEC, 0);
}

static int root_open_counter(const struct request *request, const struct cgroup *group) {
	bool of_group = request->tid == ROOT_GROUP;
	return (int)syscall(SYS_perf_event_open, &request->attr,
			    of_group ? group->fd : request->tid, request->cpu, -1,
			    PERF_FLAG_FD_CLOEXEC | (of_group ? PERF_FLAG_PID_CGROUP : 0));
}

/** Open a counter of the group whose path was sent. */
static int root_open_named_group(const struct request *request) {
	struct cgroup named = {.fd = open(request->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
	if (named.fd < 0) {
		return -1;
	}
	int fd = root_open_counter(request, &named), problem = errno;
	close(named.fd);
	errno = problem;
	return fd;
}

static int root_serve_one(struct request *request, struct cgroup *group) {
	request->path[sizeof(request->path) - 1] = '\0';
	if (request->kind < ROOT_FILES) {
		return open(files[request->kind], O_RDONLY | O_CLOEXEC);
	}
	if (request->kind == OPEN_TRACING) {
		return tracefs_open(NULL, request->path);
	}
	if (request->kind == MAKE_GROUP) {
		return root_make_group_of(group, request->tid, request->cpu);
	}
	if (request->kind > OPEN_GROUP_COUNTER || request->attr.size > sizeof(request->attr)) {
		errno = EINVAL;
		return -1;
	}
	return request->kind == OPEN_COUNTER ? root_open_counter(request, group)
					     : root_open_named_group(request);
}

/** Serve requests until the recorder sends the last one or ends. After that, if there is a control
 * group, wait until the recorder ends, and remove the group. */
static void root_serve_all(int socket, struct cgroup *group) {
	struct request request;
	bool goes_on = true;
	while (goes_on && recv(socket, &request, sizeof(request), 0) == (ssize_t)sizeof(request) &&
	       request.kind != SEAL) {
		int fd = root_serve_one(&request, group);
		goes_on = root_answer(socket, fd, fd < 0 ? errno : 0);
		if (fd >= 0) {
			close(fd);
		}
	}
	while (goes_on && group->fd >= 0 && recv(socket, &request, sizeof(request), 0) > 0) {
	} // wait for the end of the recorder; it sends no more requests
	cgroup_remove(group);
}

/** Read the secret: the last bytes of standard input, as a password for sudo may come before.
 * Return whether there is a secret. */
static bool root_read_secret(char *secret) {
	char bytes[4096];
	size_t n = 0;
	ssize_t got = isatty(STDIN_FILENO) ? 0 : 1;
	while (got > 0 && n < sizeof(bytes)) {
		got = read(STDIN_FILENO, bytes + n, sizeof(bytes) - n);
		n += got > 0 ? (size_t)got : 0;
	}
	if (n >= SECRET) {
		memcpy(secret, bytes + n - SECRET, SECRET);
	}
	return n >= SECRET && got == 0;
}

/** Return whether the other end of a connection belongs to the user who called sudo, or sudo did
 * not start this process. */
static bool root_is_of_caller(int socket) {
	const char *caller = getenv("SUDO_UID");
	struct ucred peer;
	socklen_t size = sizeof(peer);
	uint64_t user = 0;
	return caller == NULL ||
	       (num_parse_u64(str_of(caller), &user) &&
		getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == user);
}

/** Return whether the other end of a connection sends the secret in time. */
static bool root_says(int socket, const char *secret) {
	const struct timeval patience = {.tv_sec = 10}, none = {0};
	char said[SECRET + 1];
	setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	bool good =
		recv(socket, said, sizeof(said), 0) == SECRET && memcmp(said, secret, SECRET) == 0;
	setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &none, sizeof(none));
	return good;
}

/** Connect to the recorder. Return -1 after diag_error(); this also happens if another program
 * listens under this name. */
static int root_connect_to_recorder(const char *name, const char *secret, struct diag *diag) {
	struct sockaddr_un address;
	socklen_t size = root_address_of(name, &address);
	int socket = root_new_socket();
	if (socket < 0 || connect(socket, (const struct sockaddr *)&address, size) != 0) {
		diag_error(diag, "the recorder is not there: %s", strerror(errno));
	} else if (!root_is_of_caller(socket) || !root_says(socket, secret)) {
		diag_error(diag, "another program listens in place of the recorder");
	} else {
		return socket;
	}
	if (socket >= 0) {
		close(socket);
	}
	return -1;
}

int root_serve(const char *name, struct diag *diag) {
	char secret[SECRET];
	struct cgroup group = CGROUP_NONE;
	if (!root_read_secret(secret)) {
		return diag_error(diag, "--root-helper is for inferno itself: use --root");
	}
	int socket = root_connect_to_recorder(name, secret, diag);
	if (socket < 0) {
		return -1;
	}
	root_serve_all(socket, &group);
	close(socket);
	return 0;
}

/* --- The recorder --------------------------------------------------------------------------- */

/** Return whether the other end of a connection belongs to root or to this user. An attack by this
 * user would be harmless, because the user would gain no rights. */
static bool root_is_trusted(int socket) {
	struct ucred peer;
	socklen_t size = sizeof(peer);
	return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
	       (peer.uid == 0 || peer.uid == geteuid());
}

/** Wait for the helper, or for the end of sudo. Return a connection, or -1. */
static int root_wait_for_helper(int listening, pid_t sudo) {
	int ended = (int)syscall(SYS_pidfd_open, sudo, 0), found = -1;
	struct pollfd polled[] = {{listening, POLLIN, 0}, {ended, POLLIN, 0}};
	while (found < 0) {
		int n = poll(polled, 2, -1);
		if (n > 0 && polled[0].revents != 0) {
			found = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
			if (found >= 0 && !root_is_trusted(found)) {
				close(found);
				found = -1;
			}
		} else if (n > 0 || errno != EINTR) {
			break;
		}
	}
	if (ended >= 0) {
		close(ended);
	}
	return found;
}

/** Return whether a flag makes sudo read the password from standard input. */
static bool root_asks_input(const char *flag) {
	bool letters = flag[0] == '-' && flag[1] != '-';
	return strcmp(flag, "--stdin") == 0 || (letters && strchr(flag, 'S') != NULL);
}

/** Write the secret to the standard input of sudo. The helper inherits this standard input. If sudo
 * reads a password from its standard input, first write a line from the standard input of this
 * process. The pipe has room for both. */
static void root_write_secret(struct process *sudo, bool has_password, const char *secret) {
	enum { LONGEST = 1024 };
	char byte = '\0';
	for (int i = 0; has_password && i < LONGEST && byte != '\n'; i++) {
		has_password = read(STDIN_FILENO, &byte, 1) == 1 && write(sudo->in, &byte, 1) == 1;
	}
	(void)!write(sudo->in, secret, SECRET);
	close(sudo->in);
	sudo->in = -1;
}

/** Start sudo. Return 0, or -1 after diag_error(). */
static int root_start_sudo(struct root *root, const char *flags, const char *name,
			   const char *secret, struct diag *diag) {
	bool has_password = false;
	char self[4096] = "";
	struct words words = {0};
	char *copy = strdup(flags), *rest = copy;
	if (copy == NULL) {
		inferno_out_of_memory();
	}
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	words_add(&words, "sudo");
	for (char *word; (word = strtok_r(rest, " \t", &rest)) != NULL;) {
		words_add(&words, word);
		has_password |= root_asks_input(word);
	}
	words_add_all(&words, "--", n > 0 ? self : "inferno", "record", "--root-helper", name,
		      NULL);
	process_note(words.items, diag);
	int result = process_start(&root->sudo, words.items, PROCESS_FEED, diag);
	if (result == 0) {
		root_write_secret(&root->sudo, has_password, secret);
	}
	words_release(&words);
	free(copy);
	return result;
}

/** Generate a secret. Return 0, or -1 with errno set. */
static int root_make_secret(char *secret) {
	uint64_t numbers[2];
	char digits[SECRET + 1];
	if (getrandom(numbers, sizeof(numbers), 0) != (ssize_t)sizeof(numbers)) {
		return -1;
	}
	snprintf(digits, sizeof(digits), "%016llx%016llx", (unsigned long long)numbers[0],
		 (unsigned long long)numbers[1]);
	memcpy(secret, digits, SECRET);
	return 0;
}

/** Listen under a new name. Return a socket, or -1. */
static int root_listen_as(char *name, size_t size) {
	uint64_t number = 0;
	struct sockaddr_un address;
	int listening = root_new_socket();
	(void)!getrandom(&number, sizeof(number), 0);
	snprintf(name, size, "inferno-%d-%016llx", (int)getpid(), (unsigned long long)number);
	socklen_t n = root_address_of(name, &address);
	if (listening >= 0 && (bind(listening, (const struct sockaddr *)&address, n) != 0 ||
			       listen(listening, 1) != 0)) {
		close(listening);
		listening = -1;
	}
	return listening;
}

struct root *root_start(const char *flags, struct diag *diag) {
	char name[64], secret[SECRET];
	struct root *root = mem_new(1, sizeof(*root));
	*root = (struct root){.socket = -1, .copies = {-1, -1}};
	int listening = root_make_secret(secret) == 0 ? root_listen_as(name, sizeof(name)) : -1;
	if (listening < 0) {
		diag_error(diag, "cannot make a socket: %s", strerror(errno));
	} else if (root_start_sudo(root, flags, name, secret, diag) == 0) {
		root->socket = root_wait_for_helper(listening, root->sudo.pid);
		if (root->socket >= 0) {
			// If the secret cannot be sent, the helper ends.
			(void)send(root->socket, secret, SECRET, MSG_NOSIGNAL);
		} else {
			diag_error(diag,
				   "sudo has not started the helper of --root: its status is %d",
				   process_wait(&root->sudo));
			root->sudo.pid = 0;
		}
	}
	if (listening >= 0) {
		close(listening);
	}
	if (root->socket < 0) {
		root_free(root);
		return NULL;
	}
	return root;
}

int root_open(struct root *root, const struct perf_event_attr *attr, int32_t tid, int cpu) {
	const struct request request = {
		.kind = OPEN_COUNTER, .tid = tid == 0 ? gettid() : tid, .cpu = cpu, .attr = *attr};
	return root_ask(root, &request);
}

/** Ask the helper for a file or folder by its path. */
static int root_ask_about(struct root *root, struct request *request, const char *path) {
	size_t n = strlen(path);
	if (n >= sizeof(request->path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(request->path, path, n);
	return root_ask(root, request);
}

int root_open_group(struct root *root, const struct perf_event_attr *attr, const char *path,
		    int cpu) {
	struct request request = {
		.kind = OPEN_GROUP_COUNTER, .tid = ROOT_GROUP, .cpu = cpu, .attr = *attr};
	return root_ask_about(root, &request, path);
}

int root_tracing(struct root *root, const char *path) {
	struct request request = {.kind = OPEN_TRACING};
	return root_ask_about(root, &request, path);
}

/** Copy the content of a descriptor. Opening the path of the descriptor again would show only the
 * parts that the user may see. Return a descriptor of the copy, or -1. */
static int root_copy_of(int fd) {
	enum { PART = 64 << 10 };
	char *part = mem_new(PART, 1);
	int copy = memfd_create("inferno", MFD_CLOEXEC);
	ssize_t n = 1;
	while (copy >= 0 && (n = read(fd, part, PART)) > 0) {
		if (write(copy, part, (size_t)n) != n) {
			n = -1;
			break;
		}
	}
	if (n < 0 && copy >= 0) {
		close(copy);
		copy = -1;
	}
	free(part);
	return copy;
}

const char *root_file(struct root *root, enum root_file file) {
	if (root->copies[file] < 0) {
		const struct request request = {.kind = file};
		int fd = root_ask(root, &request);
		if (fd < 0) {
			return NULL;
		}
		root->copies[file] = root_copy_of(fd);
		close(fd);
	}
	snprintf(root->paths[file], sizeof(root->paths[file]), "/proc/self/fd/%d",
		 root->copies[file]);
	return root->copies[file] < 0 ? NULL : root->paths[file];
}

int root_make_group(struct root *root, pid_t program) {
	const struct request request = {.kind = MAKE_GROUP, .tid = getpid(), .cpu = program};
	int fd = root_ask(root, &request);
	root->has_group = fd >= 0;
	return fd;
}

void root_leave_group(struct root *root) {
	enum { PATIENCE = 3000 };
	struct pollfd polled = {.fd = root->socket, .events = POLLIN};
	if (root->has_group && root->socket >= 0) {
		shutdown(root->socket, SHUT_WR);
		// Wait until the helper ends.
		(void)poll(&polled, 1, stop_age() < 0 ? PATIENCE : STOP_STALLED);
		close(root->socket);
		root->socket = -1;
	}
}

void root_end(struct root *root) {
	if (root->socket >= 0 && root->has_group) {
		const struct request request = {.kind = SEAL};
		(void)!send(root->socket, &request, sizeof(request), MSG_NOSIGNAL);
	} else if (root->socket >= 0) {
		// close() alone would not end the connection: the process that waits to become the
		// program has the socket open, too.
		shutdown(root->socket, SHUT_RDWR);
		close(root->socket);
		root->socket = -1;
	}
	if (root->sudo.pid != 0) {
		process_wait(&root->sudo);
		root->sudo.pid = 0;
	}
}

void root_free(struct root *root) {
	if (root == NULL) {
		return;
	}
	root_end(root);
	root_leave_group(root);
	for (size_t i = 0; i < ROOT_FILES; i++) {
		if (root->copies[i] >= 0) {
			close(root->copies[i]);
		}
	}
	free(root);
}
