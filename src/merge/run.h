/**
 * A run: the sorted stacks of one side with their counts, without duplicates.
 *
 * Consecutive stacks share most of their bytes, so only the bytes that differ from the previous
 * stack are stored. A run is in memory, or in a file without a name.
 */
#pragma once

#include "base/buf.h"

struct sorted_run {
	struct buf bytes; // the entries, if the run is in memory
	int fd;           // descriptor of the file, or -1
	uint64_t size;    // size of all entries, in bytes
	unsigned level; // number of times that the entries were merged with entries of other files
	unsigned side;  // see merger_begin()
};

/** A run that is being written. */
struct run_writer {
	struct sorted_run run;
	uint64_t count; // count of the last stack, which is written when the next stack comes
	size_t last;    // offset of the entry of the last stack
	bool any;       // there is a last stack
	int error;      // errno of a write that failed
};

/** Start a run in memory, or in a new file. If the file cannot be created, set `error` to the
 * errno. */
struct run_writer run_writer_new(bool in_file);

/** Add a stack. The stack must sort after the previous stack, with which it shares `common` bytes.
 */
void run_add(struct run_writer *writer, struct str stack, size_t common, uint64_t count);

/** Return the finished run. */
struct sorted_run run_end(struct run_writer *writer);

/** A position in a run. */
struct run_reader {
	struct str rest;   // bytes in memory after the current entry
	struct buf window; // part of a file that was read
	int fd;            // descriptor of the file, or -1
	uint64_t at, end;  // bounds of the part of the file that is not in `rest` yet
	struct buf stack;  // the current stack
	size_t common;     // number of bytes that the current stack shares with the previous stack
	uint64_t count;
	unsigned side;
	bool more; // there is a current stack
	int error; // errno of a read that failed, after which the run seems to end
};

/** Go to the first stack of a run. */
void run_reader_init(struct run_reader *reader, const struct sorted_run *run);

/** Go to the next stack. */
void run_next(struct run_reader *reader);

void run_reader_release(struct run_reader *reader);

void run_release(struct sorted_run *run);
