/* Disassemble with the library capstone. This file declares the structs of capstone itself, because
 * capstone's headers may be missing when inferno is built. */
#include "symbols/capstone.h"

#include <elf.h>
#include <string.h>

#include "symbols/dynlib.h"

/** Pointers to the library's functions. */
static struct {
	int (*open)(int arch, int mode, size_t *handle);
	int (*close)(size_t *handle);
	int (*option)(size_t handle, int type, size_t value);
	size_t (*disasm)(size_t handle, const uint8_t *code, size_t size, uint64_t address,
			 size_t count, void **instructions);
	void (*free)(void *instructions, size_t count);
	unsigned (*version)(int *major, int *minor);
} capstone;

static const struct dynlib_function functions[] = {
	DYNLIB_LOADED_ROW(cs_open, &capstone.open),
	DYNLIB_LOADED_ROW(cs_close, &capstone.close),
	DYNLIB_LOADED_ROW(cs_option, &capstone.option),
	DYNLIB_LOADED_ROW(cs_disasm, &capstone.disasm),
	DYNLIB_LOADED_ROW(cs_free, &capstone.free),
	DYNLIB_LOADED_ROW(cs_version, &capstone.version),
	DYNLIB_END,
};

static struct dynlib_library libraries[] = {
	{.file = "libcapstone.so.5", .functions = functions},
	{.file = "libcapstone.so.4", .functions = functions},
};

/** An instruction as capstone 4 defines it, and below as capstone 5 defines it. */
struct capstone_4 {
	unsigned id;
	uint64_t address;
	uint16_t size;
	uint8_t bytes[16];
	char name[32], operands[160];
	void *detail;
};

struct capstone_5 {
	unsigned id;
	uint64_t address;
	uint16_t size;
	uint8_t bytes[24];
	char name[32], operands[160];
	void *detail;
};

static bool capstone_load(void) {
	bool loaded = false;
	for (size_t i = 0; i < sizeof(libraries) / sizeof(libraries[0]) && !loaded; i++) {
		loaded = dynlib_load(&libraries[i]);
	}
	return loaded;
}

/** Set `*arch` and `*mode` to capstone's constants for a processor. Return false for an unknown
 * processor. */
static bool capstone_find_processor(uint16_t machine, bool wide, int *arch, int *mode) {
	enum { ARCH_ARM64 = 1, ARCH_X86 = 3, MODE_32 = 1 << 2, MODE_64 = 1 << 3 };
	bool is_x86 = machine == EM_X86_64 || machine == EM_386;
	*arch = is_x86 ? ARCH_X86 : ARCH_ARM64;
	*mode = !is_x86 ? 0 : wide ? MODE_64 : MODE_32;
	return is_x86 || machine == EM_AARCH64;
}

static struct str capstone_text(const char *text, size_t most) {
	return (struct str){text, strnlen(text, most)};
}

bool capstone_read(struct str bytes, uint64_t address, uint16_t machine, bool wide,
		   void (*take)(void *context, uint64_t address, struct str name,
				struct str operands),
		   void *context) {
	enum { OPTION_SYNTAX = 1, OPTION_SKIPDATA = 5, SYNTAX_ATT = 2, ON = 3 };
	int arch, mode, major = 0, minor = 0;
	size_t handle = 0;
	void *found = NULL;
	if (!capstone_find_processor(machine, wide, &arch, &mode) || !capstone_load()) {
		return false;
	}
	(void)capstone.version(&major, &minor);
	if (major < 4 || major > 5 || capstone.open(arch, mode, &handle) != 0) {
		return false;
	}
	(void)capstone.option(handle, OPTION_SKIPDATA, ON);
	if (machine != EM_AARCH64) {
		// choose the syntax that objdump prints
		(void)capstone.option(handle, OPTION_SYNTAX, SYNTAX_ATT);
	}
	size_t n = capstone.disasm(handle, (const void *)bytes.p, bytes.n, address, 0, &found);
	for (size_t i = 0; i < n; i++) {
		const struct capstone_4 *old = (const struct capstone_4 *)found + i;
		const struct capstone_5 *now = (const struct capstone_5 *)found + i;
		bool is_old = major == 4;
		take(context, is_old ? old->address : now->address,
		     capstone_text(is_old ? old->name : now->name, sizeof(old->name)),
		     capstone_text(is_old ? old->operands : now->operands, sizeof(old->operands)));
	}
	capstone.free(found, n);
	(void)capstone.close(&handle);
	return n > 0;
}
