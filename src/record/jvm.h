/**
 * Make a running Java virtual machine (HotSpot) write its perf map, as `jcmd PID Compiler.perfmap`
 * does. The request goes through the machine's own attach protocol: when the machine gets SIGQUIT
 * and finds a file .attach_pidPID, it opens a socket in its /tmp.
 *
 * SIGQUIT would end a process that does not catch it, so it is sent only to a process that catches
 * it and has libjvm.so mapped. A child process communicates with the machine, with the rights of
 * the machine's user and in its root folder, for some seconds at most.
 */
#ifndef INFERNO_RECORD_JVM_H
#define INFERNO_RECORD_JVM_H

#include <stdbool.h>
#include <stdint.h>

enum jvm_answer {
	JVM_WROTE,   // the map was written
	JVM_OLD,     // the machine does not know the command, as before Java 17
	JVM_REFUSES, // the machine was started with an option that forbids attaching
	JVM_FOREIGN, // the machine belongs to another user
	JVM_SILENT,  // the machine did not answer in time, or has ended
};

struct jvm {
	int32_t pid;
	enum jvm_answer answer;
	int folder;     // descriptor of its /tmp as long as the map must be removed; otherwise -1
	uint32_t inner; // its process id in its pid namespace
	uint32_t user;  // user and group that it runs as
};

/** Ask a process that has libjvm.so mapped, and set `answer`. */
void jvm_ask(struct jvm *jvm, int32_t pid);

/** Remove the map if it was written on request, and release the struct. */
void jvm_release(struct jvm *jvm, bool keep_map);

#endif
