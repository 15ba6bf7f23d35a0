/**
 * The constant pools of a chunk of Java Flight Recorder: strings, symbols, classes, methods, stack
 * traces, threads, and the types of frames and states of threads, by their ids. The entries are
 * kept as bytes, and decoded when a sample refers to them.
 */
#pragma once

#include "collapse/jfr_metadata.h"

/** The constant pools that the reader uses. */
enum jfr_pool_id {
	JFR_STRINGS,
	JFR_SYMBOLS,
	JFR_CLASSES,
	JFR_METHODS,
	JFR_STACKS,
	JFR_THREADS,
	JFR_FRAME_TYPES,
	JFR_STATES,
	JFR_POOLS,
};

/** The constant pools of a chunk. Initialise the struct with zeros. */
struct jfr_pools {
	struct jfr_metadata *metadata;
	struct buf bytes;
	struct intern ids[JFR_POOLS]; // entries by id; `value` is the offset in `bytes` plus 1
	size_t types[JFR_POOLS];      // SIZE_MAX: the chunk has no such type
};

/** Read the constant pools of the chunk. `metadata` must outlive them. Return 0, or -1 after
 * diag_error(). */
int jfr_read_pools(struct jfr_file *file, struct jfr_metadata *metadata, struct jfr_pools *pools);

/** Read an entry of a pool into `values`, an array of JFR_SLOTS values. Return false if the entry
 * is missing. */
bool jfr_find(const struct jfr_pools *pools, enum jfr_pool_id pool, uint64_t id,
	      struct jfr_value *values);

/** Add the text of a string, which may be in a pool. */
void jfr_add_text(const struct jfr_pools *pools, struct buf *text, const struct jfr_value *value);

/** Add the text in a slot of an entry of a pool. Return false if the entry is missing. */
bool jfr_add_entry(const struct jfr_pools *pools, struct buf *text, enum jfr_pool_id pool,
		   uint64_t id, enum jfr_slot slot);

void jfr_release_pools(struct jfr_pools *pools);
