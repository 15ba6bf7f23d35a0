/**
 * A run: stacks of one side in the order of their text, each once, with a count.
 *
 * Neighbours share most of their bytes, so only the other bytes of each stack are kept. A run is in
 * memory, or in a file without a name.
 */
#ifndef INFERNO_MERGE_RUN_H
#define INFERNO_MERGE_RUN_H

#include "base/buf.h"

struct sorted_run {
	struct buf bytes; // its entries, if it is in memory
	int fd;           // of the file, or -1
	uint64_t size;    // of all entries, in bytes
	unsigned level;   // how often its entries were merged with those of other files
	unsigned side;    // see merger_begin()
};

/** A run that is being written. */
struct run_writer {
	struct sorted_run run;
	uint64_t count; // of the last stack, which is written when the next one comes
	size_t last;    // where its entry begins
	bool any;       // there is a last stack
	int error;      // errno of a write that failed
};

/** Start a run in memory, or in a new file. If there can be no file, `error` says why. */
struct run_writer run_writer_new(bool in_file);

/** Add a stack that sorts after the last one, with which it shares `common` bytes. */
void run_add(struct run_writer *writer, struct str stack, size_t common, uint64_t count);

/** Return the finished run. */
struct sorted_run run_end(struct run_writer *writer);

/** A place in a run. */
struct run_reader {
	struct str rest;   // entries after it, in memory
	struct buf window; // part of a file that was read
	int fd;            // of the file, or -1
	uint64_t at, end;  // bounds of the part of the file that is not in `rest` yet
	struct buf stack;  // the current stack
	size_t common;     // bytes that it shares with the one before
	uint64_t count;
	unsigned side;
	bool more; // there is a current stack
	int error; // errno of a read that failed; then the run seems to end
};

/** Go to the first stack of a run. */
void run_reader_init(struct run_reader *reader, const struct sorted_run *run);

/** Go to the next stack. */
void run_next(struct run_reader *reader);

void run_reader_release(struct run_reader *reader);

void run_release(struct sorted_run *run);

#endif
