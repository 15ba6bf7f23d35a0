/**
 * Limits on files that a sampled program or a recording names, and on files that options name. An
 * attacker may choose the files that a program or a recording names, so the size of these files
 * must not decide how much memory and time inferno needs. docs/security.md has the same table.
 */
#ifndef INFERNO_LIMITS_H
#define INFERNO_LIMITS_H

#include <stdint.h>

#define LIMIT_MIB (UINT64_C(1) << 20)
#define LIMIT_GIB (UINT64_C(1) << 30)

/** Size of a program, a library or a debug file. A larger one is not opened. */
#define LIMIT_FILE (16 * LIMIT_GIB)

/** Bytes of all programs, libraries and debug files that are in memory at one time. Only the needed
 * parts of a file are read, and holes in a sparse file take no memory. */
#define LIMIT_FILES_READ (4 * LIMIT_GIB)

/** Number of programs, libraries and debug files that stay open, so that further parts can be read.
 * Any further file is read as a whole at once. */
#define LIMIT_FILES_OPEN 256

/** Size of a kernel module, packed or unpacked. */
#define LIMIT_MODULE (256 * LIMIT_MIB)

/** Size of a perf map. */
#define LIMIT_PERF_MAP (256 * LIMIT_MIB)

/** Size of a jitdump file, which also contains the generated code. */
#define LIMIT_JITDUMP (1 * LIMIT_GIB)

/** Size of a debug file that only its checksum proves to be the right one. */
#define LIMIT_CHECKSUM (512 * LIMIT_MIB)

/** Bytes of all files whose checksums are computed in one run, together. */
#define LIMIT_CHECKSUMS (1 * LIMIT_GIB)

/** Size of a file with split debug information (`.dwo`). */
#define LIMIT_SPLIT (256 * LIMIT_MIB)

/** Bytes of all files with split debug information of one program or library. */
#define LIMIT_SPLITS (1 * LIMIT_GIB)

/** Size of /proc/PID/maps and of other lists of the kernel about a process. */
#define LIMIT_PROCESS_LIST (256 * LIMIT_MIB)

/** Size of a file that an option names, other than a profile: rules, attributes, colours, a copy of
 * /proc/kallsyms. */
#define LIMIT_OPTION_FILE (64 * LIMIT_MIB)

/**
 * Size of a profile of Python's cProfile, unpacked. The objects of such a profile take many times
 * as much memory.
 */
#define LIMIT_PYTHON_PROFILE (64 * LIMIT_MIB)

/** Unpacked size of the profile in a picture, or of its times. By default, a picture packs at most
 * 4 MiB. */
#define LIMIT_PICTURE (1 * LIMIT_GIB)

/** Unpacked size of compressed bytes: LIMIT_UNPACKED_ANYWAY plus LIMIT_UNPACKED_RATIO times the
 * packed size, but never more than LIMIT_UNPACKED. Debug information is rarely compressed to less
 * than a fifth of its size; a decompression bomb is compressed to a thousandth. */
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

#endif
