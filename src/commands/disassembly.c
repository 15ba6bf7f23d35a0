/* Machine code and sources for reports. */
#include "commands/disassembly.h"

#include <stdlib.h>

#ifdef HAVE_PERF_DATA

#include "symbols/code.h"
#include "symbols/debuginfod.h"

struct disassembly {
	struct code_reader reader;
	struct symbols *symbols;
	struct disassembled code;
	struct instruction *items;
	struct diag *diag;
};

/** Read a build-id from hexadecimal digits. If the text is not a build-id, return a build-id of
 * size 0. */
static struct build_id disassembly_build_id(struct str text) {
	struct build_id id = {0};
	if (text.n % 2 != 0 || text.n > 2 * (size_t)BUILD_ID_MAX || !str_all_hex(text)) {
		return id;
	}
	for (size_t i = 0; i < text.n; i++) {
		char c = text.p[i];
		unsigned digit = c <= '9' ? (unsigned)(c - '0') : (unsigned)((c | 0x20) - 'a' + 10);
		id.bytes[i / 2] = (uint8_t)((unsigned)id.bytes[i / 2] << 4 | digit);
	}
	id.size = (uint8_t)(text.n / 2);
	return id;
}

static const char *disassembly_read(void *context, struct str file, struct str build_id,
				    uint64_t address, struct machine_code *code) {
	struct disassembly *disassembly = context;
	const struct object_file wanted = {.kind = object_kind_of(file),
					   .path = file,
					   .build_id = disassembly_build_id(build_id)};
	if (wanted.kind == OBJECT_ELF && str_starts(file, STR("["))) { // the kernel, or a module
		return "inferno does not read the machine code of the kernel; perf annotate does, "
		       "if it finds the kernel's vmlinux";
	}
	struct object *object = symbols_object(disassembly->symbols, &wanted);
	const char *why = code_read(&disassembly->code, disassembly->symbols, object, address,
				    disassembly->diag);
	size_t n = disassembly->code.n;
	disassembly->items = mem_new(n, sizeof(*disassembly->items));
	for (size_t i = 0; i < n; i++) {
		const struct code_line *line = &disassembly->code.lines[i];
		disassembly->items[i] = (struct instruction){.address = line->address,
							     .shown = line->linked,
							     .text = line->text,
							     .file = line->file,
							     .line = line->line};
	}
	*code = (struct machine_code){disassembly->items, n, disassembly->code.function};
	return why;
}

static bool disassembly_fetch_source(void *context, struct str source, struct str build_id,
				     struct buf *path) {
	struct disassembly *disassembly = context;
	const struct build_id id = disassembly_build_id(build_id);
	bool missing = false;
	bool found = id.size > 0 &&
		     debuginfod_fetch_source(&id, source, disassembly->diag, path, &missing);
	if (missing) {
		diag_note(disassembly->diag, "no source is fetched: libdebuginfod.so.1 is missing");
	}
	return found;
}

struct code_reader *disassembly_new(bool debuginfod, struct diag *diag) {
	const struct symbols_options options = {.srcline = true, .debuginfod = debuginfod};
	struct disassembly *disassembly = mem_new(1, sizeof(*disassembly));
	disassembly->symbols = symbols_new(&options, diag);
	disassembly->diag = diag;
	disassembly->reader = (struct code_reader){disassembly, disassembly_read,
						   debuginfod ? disassembly_fetch_source : NULL};
	return &disassembly->reader;
}

void disassembly_free(struct code_reader *reader) {
	struct disassembly *disassembly = reader == NULL ? NULL : reader->context;
	if (disassembly != NULL) {
		code_release(&disassembly->code);
		symbols_free(disassembly->symbols);
		free(disassembly->items);
	}
	free(disassembly);
}

#else

struct code_reader *disassembly_new(bool debuginfod, struct diag *diag) {
	(void)debuginfod, (void)diag;
	return NULL;
}

void disassembly_free(struct code_reader *reader) {
	(void)reader;
}

#endif
