/*
 * Resolves addresses of an ELF file, for comparison with other tools:
 *
 *     resolve [OPTION]... FILE < ADDRESSES
 *
 * takes linked addresses in hexadecimal, a line each, and writes the functions there, innermost
 * first, the last with `+offset`, and an empty line after each address.
 *
 *     --inline         with inlined functions
 *     --lines          with lines instead of offsets
 *     --offsets        the addresses are file offsets already
 *     --quiet          write nothing, to measure
 *     --state          write only how the symbols were found, a number of enum object_state
 *     --build-id HEX   the recorded build-id
 *     --pid N          a process that has the file mapped
 *     --symfs DIR, --debug-dir DIR, --cache DIR
 */
#include <stdio.h>
#include <stdlib.h>

#include "symbols/file.h"
#include "symbols/symbols.h"

static void resolve_print(const struct symbol *frames, size_t n, uint64_t offset, bool lines) {
	for (size_t i = 0; i < n; i++) {
		printf("%.*s", (int)frames[i].name.n, frames[i].name.p);
		if (lines) {
			printf(" %.*s:%u", (int)frames[i].file.n, frames[i].file.p, frames[i].line);
		} else if (!frames[i].inlined) {
			printf("+0x%llx", (unsigned long long)(offset - frames[i].start));
		}
		putchar('\n');
	}
	fputs(n == 0 ? "[unknown]\n\n" : "\n", stdout);
}

struct resolve_job {
	struct symbols_options options;
	struct object_file file;
	bool lines, quiet, offsets, state;
};

static struct build_id resolve_build_id_of(const char *text) {
	struct build_id id = {0};
	unsigned byte;
	while (id.size < BUILD_ID_MAX && sscanf(text + 2 * (size_t)id.size, "%2x", &byte) == 1) {
		id.bytes[id.size++] = (uint8_t)byte;
	}
	return id;
}

/** Set an option that has a value. Return false if the word is another option. */
static bool resolve_take_value(struct resolve_job *job, struct str word, const char *value) {
	if (str_eq(word, STR("--build-id"))) {
		job->file.build_id = resolve_build_id_of(value);
	} else if (str_eq(word, STR("--pid"))) {
		job->file.pid = (uint32_t)strtoul(value, NULL, 10);
	} else if (str_eq(word, STR("--symfs"))) {
		job->options.symfs = str_of(value);
	} else if (str_eq(word, STR("--debug-dir"))) {
		job->options.debug_dir = str_of(value);
	} else if (str_eq(word, STR("--cache"))) {
		job->options.cache = str_of(value);
	} else {
		return false;
	}
	return true;
}

static void resolve_take_words(struct resolve_job *job, int argc, char **argv) {
	for (int i = 1; i < argc; i++) {
		struct str word = str_of(argv[i]);
		if (i + 1 < argc && resolve_take_value(job, word, argv[i + 1])) {
			i++;
		} else if (str_eq(word, STR("--inline"))) {
			job->options.no_inline = false;
		} else if (str_eq(word, STR("--lines"))) {
			job->options.srcline = true;
		} else if (str_eq(word, STR("--quiet"))) {
			job->quiet = true;
		} else if (str_eq(word, STR("--offsets"))) {
			job->offsets = true;
		} else if (str_eq(word, STR("--state"))) {
			job->quiet = job->state = true;
		} else {
			job->file.path = word;
		}
	}
}

/** Open the file, to translate addresses to offsets. */
static struct file *resolve_open_file(const struct resolve_job *job) {
	struct buf path = {0};
	enum object_state state = OBJECT_MISSING;
	buf_add_str(&path, job->options.symfs);
	buf_add_str(&path, job->file.path);
	struct file *file = file_open(buf_text(&path), &state);
	buf_release(&path);
	return file;
}

int main(int argc, char **argv) {
	struct resolve_job job = {.options.no_inline = true, .options.cache = STR("/nonexistent")};
	resolve_take_words(&job, argc, argv);
	struct diag diag = {0};
	struct symbols *symbols = symbols_new(&job.options, &diag);
	struct object *object = symbols_object(symbols, &job.file);
	struct file *file = resolve_open_file(&job);
	char line[64];
	while (fgets(line, sizeof(line), stdin) != NULL) {
		uint64_t address = strtoull(line, NULL, 16), offset = address;
		const struct symbol *frames = NULL;
		bool known =
			job.offsets || (file != NULL && elf_offset(&file->elf, address, &offset));
		size_t n = known ? symbols_at(symbols, object, offset, false, &frames) : 0;
		if (!job.quiet) {
			resolve_print(frames, n, offset, job.options.srcline);
		}
	}
	if (job.state) {
		printf("%d\n", (int)object_state(object));
	}
	file_free(file);
	symbols_free(symbols);
	diag_release(&diag);
	return 0;
}
