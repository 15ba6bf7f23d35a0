/**
 * Make a running Java virtual machine (HotSpot) write its perf map, as `jcmd PID Compiler.perfmap`
 * does. The request uses the attach protocol of the virtual machine: when the virtual machine gets
 * SIGQUIT and finds a file .attach_pidPID, it opens a socket in its /tmp.
 *
 * SIGQUIT would end a process that does not catch this signal, so the signal is sent only to a
 * process that catches it and has libjvm.so mapped. A child of this process talks to the virtual
 * machine for some seconds at most. The child has the rights of the virtual machine's user, and the
 * same root folder as the virtual machine.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum jvm_answer {
	JVM_WROTE, // the map was written
	JVM_OLD, // the virtual machine does not know the command, because it is older than Java 17
	JVM_REFUSES, // an option of the machine forbids attaching, or it does not catch SIGQUIT
	JVM_FOREIGN, // the machine belongs to another user
	JVM_SILENT,  // the request could not be made, or got no answer in time
};

struct jvm {
	int32_t pid;
	enum jvm_answer answer;
	int folder; // descriptor of the virtual machine's /tmp as long as the map must be removed;
		    // otherwise -1
	uint32_t inner; // process id of the virtual machine in its own pid namespace
	uint32_t user;  // user id of the virtual machine
};

/** Ask a process that has libjvm.so mapped to write its perf map, and set `answer`. */
void jvm_ask(struct jvm *jvm, int32_t pid);

/** Remove the map if jvm_ask() made the virtual machine write it, unless `keep_map` is true.
 * Release the struct. */
void jvm_release(struct jvm *jvm, bool keep_map);
