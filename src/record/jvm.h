/**
 * Have a running Java virtual machine (HotSpot) write its perf map, as `jcmd PID Compiler.perfmap`
 * does. The request goes through the machine's own attach protocol: it opens a socket in its /tmp
 * when it gets SIGQUIT and finds the file .attach_pidPID.
 *
 * SIGQUIT would end a process that does not catch it, so it is only sent to one that does, and that
 * has libjvm.so mapped. A child process talks to it, with the rights of its user and below its root
 * folder, and for some seconds at most.
 */
#ifndef INFERNO_RECORD_JVM_H
#define INFERNO_RECORD_JVM_H

#include <stdbool.h>
#include <stdint.h>

enum jvm_answer {
	JVM_WROTE,   // the map is there
	JVM_OLD,     // it does not know the command: before Java 17
	JVM_REFUSES, // it was started with an option that lets nothing attach
	JVM_FOREIGN, // it belongs to another user
	JVM_SILENT,  // it did not answer in time, or has ended
};

struct jvm {
	int32_t pid;
	enum jvm_answer answer;
	int folder;     // its /tmp, while the map is to be removed; else -1
	uint32_t inner; // its number in its pid namespace
	uint32_t user;  // that it runs as
};

/** Ask a process that has libjvm.so mapped, and set `answer`. */
void jvm_ask(struct jvm *jvm, int32_t pid);

/** Remove the map if it was written on request, and release. */
void jvm_release(struct jvm *jvm, bool keep_map);

#endif
