/* Read the kernel's list of symbols. Its lines are, for example, `ffffffff81000000 T _text` and
 * `ffffffffc0001000 t probe [snd]`. */
#include "symbols/kallsyms.h"

#include <errno.h>
#include <stdlib.h>

#include "base/limits.h"
#include "base/read.h"

static bool kallsyms_is_code_or_data(char type) {
	char lower = (char)(type | 0x20);
	return is_alpha(type) && (lower == 't' || lower == 'w' || lower == 'd' || lower == 'b');
}

/** Read at most 16 hexadecimal digits. Return their number. The kernel has over 100,000 addresses,
 * so take the values of digits from a table: this saves 7 % of the instructions to fold a short
 * recording. */
static size_t kallsyms_parse_hex(struct str text, uint64_t *value) {
	enum { MOST = 16 };
	static const uint8_t values[256] = {
		['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,
		['6'] = 7,  ['7'] = 8,  ['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12,
		['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16, ['A'] = 11, ['B'] = 12,
		['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16}; // the value of each digit plus
								 // one; 0: not a digit
	size_t n = 0, most = text.n < MOST ? text.n : MOST;
	uint64_t sum = 0;
	for (uint8_t digit; n < most && (digit = values[(uint8_t)text.p[n]]) != 0; n++) {
		sum = sum << 4 | (uint64_t)(digit - 1);
	}
	*value = sum;
	return n;
}

/** Return the group of a module. Add a group if the module is new. */
static uint16_t kallsyms_add_group(struct kallsyms *kallsyms, char *name, size_t n) {
	for (size_t i = 0; i < n; i++) {
		name[i] = name[i] == '-' ? '_' : name[i];
	}
	uint32_t id = intern_get(&kallsyms->modules, name, n)->id;
	return id + 1 < KALLSYMS_GROUPS ? (uint16_t)(id + 1) : KALLSYMS_GROUPS;
}

/** Add the symbol of a line. Write a NUL after its name, in place of a tab or the line end. */
static void kallsyms_add_line(struct kallsyms *kallsyms, char *line, size_t n) {
	uint64_t address;
	size_t digits = kallsyms_parse_hex((struct str){line, n}, &address);
	if (digits == 0 || n < digits + 4 || line[digits] != ' ' || line[digits + 2] != ' ') {
		return;
	}
	kallsyms->restricted = kallsyms->restricted && address == 0;
	if (!kallsyms_is_code_or_data(line[digits + 1]) || address == 0) {
		return;
	}
	char *name = line + digits + 3;
	char *end = line + n;
	char *blank = memchr(name, '\t', (size_t)(end - name));
	char *bracket = blank == NULL ? NULL : memchr(blank, '[', (size_t)(end - blank));
	uint16_t group = KALLSYMS_KERNEL;
	if (bracket != NULL) {
		char *close = memchr(bracket, ']', (size_t)(end - bracket));
		close = close == NULL ? end : close;
		group = kallsyms_add_group(kallsyms, bracket + 1, (size_t)(close - bracket - 1));
	}
	*(blank == NULL ? end : blank) = '\0';
	table_add(&kallsyms->table, (struct table_entry){.start = address,
							 .end = address,
							 .name = name,
							 .rank = TABLE_GLOBAL,
							 .group = group});
}

struct kallsyms *kallsyms_take(struct buf *text, struct demangler *demangler) {
	struct kallsyms *kallsyms = mem_new(1, sizeof(*kallsyms));
	buf_add_char(text, '\n');
	kallsyms->text = *text;
	*text = (struct buf){0};
	kallsyms->restricted = true;
	char *at = kallsyms->text.p, *end = at + kallsyms->text.n;
	while (at < end) {
		char *newline = memchr(at, '\n', (size_t)(end - at));
		if (newline > at) {
			kallsyms_add_line(kallsyms, at, (size_t)(newline - at));
		}
		at = newline + 1;
	}
	table_finish(&kallsyms->table, demangler);
	return kallsyms;
}

struct kallsyms *kallsyms_read(const char *path, struct demangler *demangler) {
	struct buf text = {0};
	int problem = read_whole(path, LIMIT_OPTION_FILE, &text);
	// do not use a part of the list: functions that are missing would get the names of their
	// neighbours
	if (problem != 0) {
		buf_release(&text);
		errno = problem;
		return NULL;
	}
	return kallsyms_take(&text, demangler);
}

uint16_t kallsyms_group(const struct kallsyms *kallsyms, struct str module) {
	struct buf name = {0};
	buf_add_str(&name, module);
	buf_replace(&name, '-', '_');
	struct intern_key *key = intern_find(&kallsyms->modules, name.p, name.n);
	buf_release(&name);
	return key == NULL || key->id + 1 >= KALLSYMS_GROUPS ? 0 : (uint16_t)(key->id + 1);
}

void kallsyms_free(struct kallsyms *kallsyms) {
	if (kallsyms == NULL) {
		return;
	}
	buf_release(&kallsyms->text);
	table_release(&kallsyms->table);
	intern_release(&kallsyms->modules);
	free(kallsyms);
}
