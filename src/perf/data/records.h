/**
 * Read the records of a recording in the order in which they are stored. The recording is a file or
 * a pipe, and may be compressed.
 *
 * The bytes that were read are in chunks. A record that waits until older records have come keeps
 * its chunk in use. Other chunks are reused, so memory grows only with the number of waiting
 * records.
 */
#pragma once

#include "base/growth.h"
#include "base/input.h"
#include "base/unzstd.h"
#include "perf/data/cursor.h"

/** Types of records. The kernel's types are below 64. perf's types are 64 or higher. */
enum record_type {
	RECORD_MMAP = 1,
	RECORD_LOST = 2,
	RECORD_COMM = 3,
	RECORD_EXIT = 4,
	RECORD_FORK = 7,
	RECORD_READ = 8,
	RECORD_SAMPLE = 9,
	RECORD_MMAP2 = 10,
	RECORD_LOST_SAMPLES = 13,
	RECORD_SWITCH = 14,
	RECORD_SWITCH_CPU_WIDE = 15,
	RECORD_KSYMBOL = 17,
	RECORD_CALLCHAIN_DEFERRED = 22,
	RECORD_FIRST_OF_PERF = 64,
	RECORD_ATTRIBUTE = 64,
	RECORD_TRACING_DATA = 66,
	RECORD_BUILD_ID = 67,
	RECORD_FINISHED_ROUND = 68,
	RECORD_AUXTRACE = 71,
	RECORD_EVENT_UPDATE = 78,
	RECORD_FEATURE = 80,
	RECORD_COMPRESSED = 81,
	RECORD_COMPRESSED2 = 83,
};

/** The lowest bits of `misc`: the mode of the processor, such as user or kernel. */
enum record_mode {
	MODE_UNKNOWN,
	MODE_KERNEL,
	MODE_USER,
	MODE_HYPERVISOR,
	MODE_GUEST_KERNEL,
	MODE_GUEST_USER,
	MODE_MASK = 7,
};

/** Bits of `misc` whose meaning depends on the type of the record. */
enum {
	MISC_MMAP_DATA = 1 << 13,
	MISC_COMM_EXEC = 1 << 13,
	// written by the recorder: the process will call exec() to become the recorded program
	MISC_COMM_STARTING = 1 << 15,
	MISC_FORK_EXEC = 1 << 13,
	MISC_READ_DELAY = 1 << 12,   // written by the recorder: how long a thread waited to run
	MISC_READ_SCRIPT = 1 << 11,  // written by the recorder: see scripted.h
	MISC_READ_TOTAL = 1 << 15,   // written by the recorder: count of all sampled processes
	MISC_READ_REASONS = 3 << 13, // a value of enum perfdata_reason begins at this bit
	MISC_READ_REASON_AT = 13,
	MISC_SWITCH_OUT = 1 << 13,
	MISC_SWITCH_PREEMPTED = 1 << 14,
	MISC_MMAP_BUILD_ID = 1 << 14,
	MISC_BUILD_ID_SIZE = 1 << 15,
};

/** The address of an invented kernel symbol. The recorder writes this symbol when it starts to copy
 * less of each stack. */
#define MARK_SHORTENED UINT64_C(0xffffffff00000100)

enum { RECORD_HEAD = 8, CHUNK_SIZE = 1 << 20 };

/** A part of the recording in memory. */
struct chunk {
	struct chunk *next;  // next in the list of free chunks
	struct chunk *other; // next in the list of all chunks
	size_t n;            // number of bytes in the chunk
	size_t held;         // number of waiting records and readers that keep the chunk in use
	uint64_t offset;     // offset of the chunk's first byte in the recording
	bool unpacked;       // the chunk's bytes were unpacked from the bytes at `offset`
	char bytes[CHUNK_SIZE];
};

/**
 * A record. The bytes of a record are valid until the next record is read, or as long as the record
 * keeps its chunk in use.
 */
struct record {
	uint32_t type;
	uint16_t misc;
	struct str body; // bytes after the header
	struct chunk *chunk;
};

/** A chunk that is being read, with the position of the next byte. */
struct feed {
	struct chunk *chunk;
	size_t at;
};

struct records {
	struct input *input;
	struct diag *diag;
	bool swap;
	bool is_pipe;         // false: the input is read at offsets
	uint64_t offset, end; // offsets of the unread data; `end` may be a guess
	bool ended;           // no more data follows
	uint64_t missing;     // number of bytes that a truncated file lacks at its end
	struct feed plain;    // bytes as they are recorded
	struct feed unpacked; // bytes from compressed records
	uint64_t unpacked_n;  // number of all unpacked bytes
	struct growth growth;
	struct str packed;   // bytes of the compressed record that is being unpacked
	uint64_t packed_at;  // offset of the compressed record
	bool unpacking;      // some bytes of `packed` may be still to be unpacked
	struct unzstd *zstd; // the compressed stream, which continues in each compressed record
	struct chunk *free;  // chunks to be used again
	struct chunk *all;
	size_t chunks;      // number of chunks in use
	uint64_t payload;   // number of bytes to skip after the last record
	bool is_tracing;    // the bytes to skip describe tracepoints
	struct buf tracing; // all bytes that describe tracepoints
};

/** Prepare to read records from a file's data section. If `size` is 0, the section ends at the end
 * of the file. */
void records_init_file(struct records *records, struct input *input, struct diag *diag, bool swap,
		       uint64_t offset, uint64_t size);

/** Prepare to read records from a pipe. `offset` is the number of bytes that were already read from
 * the pipe. */
void records_init_pipe(struct records *records, struct input *input, struct diag *diag, bool swap,
		       uint64_t offset);

/** Read the next record. Return 1 if a record was read, 0 at the end, or -1 after diag_error(). */
int records_next(struct records *records, struct record *record);

/** Return the offset of a record in the recording, for messages. For an unpacked record, return the
 * offset of the compressed record from which the first bytes of its chunk come. */
uint64_t record_offset(const struct record *record);

static inline void chunk_hold(struct chunk *chunk) {
	chunk->held++;
}

void records_release_chunk_slow(struct records *records, struct chunk *chunk);

/** Remember that a record no longer waits. If nothing else keeps the chunk in use, reuse it. */
static inline void chunk_let_go(struct records *records, struct chunk *chunk) {
	if (--chunk->held == 0) {
		records_release_chunk_slow(records, chunk);
	}
}

void records_release(struct records *records);
