/**
 * Limits on files that a sampled program or a recording names, and on files that options name. An
 * attacker may choose which files a program or a recording names. With these limits, large files
 * cannot use up memory and time. docs/security.md has the same table.
 */
#pragma once

#include <stdint.h>

#define LIMIT_MIB (UINT64_C(1) << 20)
#define LIMIT_GIB (UINT64_C(1) << 30)

/** Size of a program, a library or a debug file. A larger file is not opened. */
#define LIMIT_FILE (16 * LIMIT_GIB)

/** Total size of the parts of programs, libraries and debug files that are in memory at one time.
 * Only the needed parts of a file are read, and holes in a sparse file take no memory. */
#define LIMIT_FILES_READ (4 * LIMIT_GIB)

/** Number of programs, libraries and debug files that stay open, so that further parts of them can
 * be read later. If this number is reached, a further file is read whole, and closed. */
#define LIMIT_FILES_OPEN 256

/** Size of a kernel module, packed or unpacked. */
#define LIMIT_MODULE (256 * LIMIT_MIB)

/** Size of a perf map. */
#define LIMIT_PERF_MAP (256 * LIMIT_MIB)

/** Size of a jitdump file, which also contains the generated code. */
#define LIMIT_JITDUMP (1 * LIMIT_GIB)

/** Size of a debug file that is found by its checksum, without a build ID. */
#define LIMIT_CHECKSUM (512 * LIMIT_MIB)

/** Total size of all files whose checksums are computed in one run. */
#define LIMIT_CHECKSUMS (1 * LIMIT_GIB)

/** Size of a file with split debug information (`.dwo`). */
#define LIMIT_SPLIT (256 * LIMIT_MIB)

/** Total size of all files with split debug information of one program or library. */
#define LIMIT_SPLITS (1 * LIMIT_GIB)

/** Size of /proc/PID/maps, and of other files in /proc that list parts of a process. */
#define LIMIT_PROCESS_LIST (256 * LIMIT_MIB)

/** Size of a file that an option names, for example rules, attributes, colours or a copy of
 * /proc/kallsyms. Profiles do not have this limit. */
#define LIMIT_OPTION_FILE (64 * LIMIT_MIB)

/**
 * Unpacked size of a profile of Python's cProfile. In memory, the objects of a profile take many
 * times its size.
 */
#define LIMIT_PYTHON_PROFILE (64 * LIMIT_MIB)

/** Unpacked size of the profile in a picture, and of the times in a picture. By default, inferno
 * writes at most 4 MiB into a picture. */
#define LIMIT_PICTURE (1 * LIMIT_GIB)

/** Unpacked size of compressed bytes: LIMIT_UNPACKED_ANYWAY plus LIMIT_UNPACKED_RATIO times the
 * packed size, but never more than LIMIT_UNPACKED. Compression rarely reduces debug information to
 * less than a fifth of its size. A decompression bomb has a thousandth of its unpacked size. */
#define LIMIT_UNPACKED (4 * LIMIT_GIB)
#define LIMIT_UNPACKED_ANYWAY (4 * LIMIT_MIB)
#define LIMIT_UNPACKED_RATIO 16

/** Return how many bytes may be unpacked from `packed` bytes. */
static inline uint64_t limit_unpacked(uint64_t packed) {
	uint64_t most = packed > LIMIT_UNPACKED / LIMIT_UNPACKED_RATIO
				? LIMIT_UNPACKED
				: LIMIT_UNPACKED_ANYWAY + packed * LIMIT_UNPACKED_RATIO;
	return most < LIMIT_UNPACKED ? most : LIMIT_UNPACKED;
}
