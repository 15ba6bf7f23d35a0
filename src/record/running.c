/* The runtimes in processes that were already running when the recording began. */
#include "record/running.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/bounded.h"
#include "base/mem.h"
#include "base/stop.h"
#include "record/proc.h"
#include "symbols/maps.h"
#include "symbols/opening.h"

/** Return the runtime of a process, or RUNTIMES if it has none. A launcher such as java does not
 * count as a runtime yet. Set `*minor` to the minor version of the runtime. */
static enum runtime running_find_runtime(int32_t pid, unsigned *minor) {
	struct maps maps;
	struct map map;
	enum runtime found = RUNTIMES;
	bool is_other = false; // a Java virtual machine other than HotSpot has another protocol
	if (!maps_open(&maps, (uint32_t)pid)) {
		proc_note("/proc/PID/maps", errno);
		return RUNTIMES;
	}
	while (maps_next(&maps, &map)) {
		unsigned version;
		bool launcher =
			str_ends(map.path, STR("/java")) || str_ends(map.path, STR("/dotnet"));
		enum runtime runtime =
			!map.executable || launcher ? RUNTIMES : runtime_of(map.path, &version);
		is_other = is_other || str_has(map.path, STR("/libj9vm"));
		if (runtime != RUNTIMES && (found == RUNTIMES || version > 0)) {
			found = runtime;
			*minor = version;
		}
	}
	maps_close(&maps);
	return found == RUNTIME_JAVA && is_other ? RUNTIMES : found;
}

/** Return whether a process has written a perf map. */
static bool running_has_map(int32_t pid) {
	char path[32];
	uint32_t inner = inner_pid((uint32_t)pid);
	int root = open_root((uint32_t)pid);
	snprintf(path, sizeof(path), "/tmp/perf-%u.map", inner != 0 ? inner : (uint32_t)pid);
	int map = root < 0 ? -1 : open_object(root, path);
	if (root >= 0) {
		close(root);
	}
	if (map >= 0) {
		close(map);
	}
	return map >= 0;
}

static double running_used_by(int32_t pid) {
	struct proc_time time = proc_used(pid);
	return time.user + time.system;
}

void running_add(struct running *running, int32_t pid) {
	struct running_runtime item = {.pid = pid, .jvm.folder = -1};
	item.runtime = running_find_runtime(pid, &item.minor);
	if (item.runtime == RUNTIMES) {
		return;
	}
	item.is_named = running_has_map(pid);
	item.before = running_used_by(pid);
	*MEM_APPEND(running->items, running->n, running->capacity) = item;
}

/** Return whether a process has used enough time since running_add() to matter in the profile. */
static bool running_has_run(const struct running_runtime *item) {
	const double least = 0.05;
	return running_used_by(item->pid) - item->before >= least;
}

/** A request to a Java process for the names of its functions. The request may hang. */
struct question {
	struct bounded bounded;
	int32_t pid;
	struct jvm jvm;
};

static void running_ask_jvm(void *context) {
	struct question *question = context;
	jvm_ask(&question->jvm, question->pid);
}

/** Start a request. Return NULL if that is not possible. */
static struct question *running_begin_question(int32_t pid) {
	enum { LONGEST = 12000 }; // ms
	struct question *question = mem_new(1, sizeof(*question));
	question->bounded.limits = (struct bounded_limits){
		.stalled = LONGEST, .stopped = STOP_ANSWER, .total = STOP_ANSWER};
	question->pid = pid;
	if (!bounded_begin(&question->bounded, running_ask_jvm, question)) {
		free(question);
		question = NULL;
	}
	return question;
}

/** Wait for the answer until the time limit, and store the answer in `jvm`. */
static void running_end_question(struct question *question, struct jvm *jvm) {
	if (question != NULL && bounded_wait(&question->bounded, NULL) == BOUNDED_DONE) {
		*jvm = question->jvm;
		bounded_release(&question->bounded);
		free(question);
	}
}

void running_ask(struct running *running) {
	struct question **questions = mem_new(running->n, sizeof(*questions));
	for (size_t i = 0; i < running->n; i++) {
		struct running_runtime *item = &running->items[i];
		item->asked = !item->is_read && running_has_run(item);
		if (item->asked && item->runtime == RUNTIME_JAVA) {
			item->jvm.answer = JVM_SILENT;
			questions[i] = running_begin_question(item->pid);
		}
	}
	for (size_t i = 0; i < running->n; i++) {
		running_end_question(questions[i], &running->items[i].jvm);
	}
	free(questions);
}

/** Set `*found` to true if a process runs Java. */
static void running_note_java(void *found, int32_t pid) {
	unsigned minor;
	bool *any = found;
	*any = *any || running_find_runtime(pid, &minor) == RUNTIME_JAVA;
}

bool running_has_java(int32_t pid) {
	bool found = false;
	proc_each_below(pid, running_note_java, &found);
	return found;
}

static void running_format_java(const struct running_runtime *item, struct buf *text) {
	static const char *const problems[] = {
		[JVM_OLD] = "cannot name its functions while it runs, as Java 17 can: start it "
			    "with: inferno record -- java",
		[JVM_REFUSES] = "lets nothing attach, so its functions have no names: start it "
				"without -Xrs and -XX:+DisableAttachMechanism",
		[JVM_FOREIGN] = "belongs to another user, so its functions have no names: record "
				"as that user or as root",
		[JVM_SILENT] = "did not answer, so its functions have no names; while it runs: "
			       "jcmd PID Compiler.perfmap",
	};
	if (item->jvm.answer == JVM_WROTE) {
		buf_printf(text,
			   "asked Java (process %d) for the names of its functions "
			   "(--no-runtime-env asks for nothing)",
			   item->pid);
	} else {
		buf_printf(text, "Java (process %d) %s", item->pid, problems[item->jvm.answer]);
	}
}

bool running_format(const struct running *running, size_t i, struct buf *text, bool *good) {
	if (i >= running->n) {
		return false;
	}
	const struct running_runtime *item = &running->items[i];
	*good = false;
	if (!item->asked) {
		return true;
	}
	if (item->runtime == RUNTIME_JAVA) {
		*good = item->jvm.answer == JVM_WROTE;
		running_format_java(item, text);
	} else if (item->runtime == RUNTIME_PYTHON && !item->is_named && !running->reads_python) {
		// The functions of Python do not only lack names: they are not in the stacks at
		// all.
		buf_printf(text, "the functions of Python (process %d) are not shown: ", item->pid);
		runtime_advise(item->runtime, item->minor, text);
	}
	return true;
}

void running_release(struct running *running, bool keep_maps) {
	for (size_t i = 0; i < running->n; i++) {
		jvm_release(&running->items[i].jvm, keep_maps);
	}
	free(running->items);
	*running = (struct running){0};
}
