/** The output of cargo: the packages of a workspace, and the programs that cargo built. */
#pragma once

#include "base/process.h"

/** Kinds of targets, one bit each. */
enum cargo_kind {
	CARGO_OTHER = 0,
	CARGO_BIN = 1,
	CARGO_EXAMPLE = 2,
	CARGO_TEST = 4,
	CARGO_BENCH = 8,
	CARGO_LIB = 16, // a library of any type
};

struct cargo_package {
	const char *name, *version, *id;
	const char *default_run; // the binary that `cargo run` runs; NULL: not given
	bool chosen;             // whether cargo would build it in the current folder
};

struct cargo_target {
	const struct cargo_package *package;
	const char *name;
	enum cargo_kind kind;
};

/** A workspace, which may be a single package. The caller releases the workspace, even after a
 * failure. */
struct cargo_workspace {
	struct yajl_val_s *json; // output of `cargo metadata`, which owns the texts
	const char *folder;
	struct cargo_package *packages;
	size_t packages_n;
	struct cargo_target *targets;
	size_t targets_n, targets_capacity;
};

/** Run `cargo metadata`, whose command line is given. Return 0, or -1 after diag_error(). */
int cargo_read_workspace(struct cargo_workspace *workspace, const struct words *command,
			 struct diag *diag);

void cargo_release(struct cargo_workspace *workspace);

/** A program that cargo has built. */
struct cargo_program {
	struct buf path;
	bool has_debug_info;
};

/** Build with a command line that makes cargo print JSON, and find the program of a target. If
 * `harness` is set, find the program that runs the target's tests. Return 0, or -1 after
 * diag_error(). */
int cargo_build(struct cargo_program *program, const struct words *command,
		const struct cargo_target *target, bool harness, struct diag *diag);
