/* Settings of cargo's profiles. */
#include "commands/cargo_profile.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/read.h"
#ifdef HAVE_PERF_DATA
#include "symbols/file.h"
#endif

/* --- In a file ------------------------------------------------------------------------------ */

/** A setting to look for in a file: "profile.release.strip". */
struct cargo_profile_search {
	struct str table, key; // "profile.release", "strip"
	struct cargo_setting *setting;
};

/** Add a name without blanks and quotes, so that names can be compared. */
static void cargo_profile_add_plain(struct buf *name, struct str text) {
	for (size_t i = 0; i < text.n; i++) {
		if (strchr(" \t\"'", text.p[i]) == NULL) {
			buf_add_char(name, text.p[i]);
		}
	}
}

/** Return a value without quotes, and without the comment after the value. */
static struct str cargo_profile_plain_value(struct str text) {
	text = str_trim(text);
	char quote = text.n > 0 ? text.p[0] : ' ';
	if (quote == '"' || quote == '\'') {
		text = str_from(text, 1);
		return str_cut(&text, quote);
	}
	text = str_cut(&text, '#');
	return str_trim(text);
}

static void cargo_profile_take(const struct cargo_profile_search *search, struct str value,
			       size_t line) {
	struct str plain = cargo_profile_plain_value(value);
	buf_set_str(&search->setting->value, plain);
	search->setting->line = line;
}

/** Search a table that is written in one line: { strip = true, debug = 1 }. */
static void cargo_profile_search_inline(const struct cargo_profile_search *search, struct str text,
					size_t line) {
	text = str_cut(&text, '}');
	text = str_from(text, text.n > 0 ? 1 : 0);
	while (text.n > 0) {
		struct str value = str_cut(&text, ','), key = str_cut(&value, '=');
		struct buf name = {0};
		cargo_profile_add_plain(&name, key);
		if (str_eq(buf_str(&name), search->key)) {
			cargo_profile_take(search, value, line);
		}
		buf_release(&name);
	}
}

/** Check whether a line `key = value` of a table has the setting. */
static void cargo_profile_search_pair(const struct cargo_profile_search *search, struct str table,
				      struct str text, size_t line) {
	struct buf name = {0};
	struct str key = str_cut(&text, '='), value = str_trim(text);
	buf_add_str(&name, table);
	buf_add_text(&name, table.n > 0 ? "." : "");
	cargo_profile_add_plain(&name, key);
	struct str whole = buf_str(&name);
	if (str_eq(whole, search->table) && str_starts(value, STR("{"))) {
		cargo_profile_search_inline(search, value, line);
	} else if (whole.n == search->table.n + 1 + search->key.n &&
		   str_starts(whole, search->table) && whole.p[search->table.n] == '.' &&
		   str_ends(whole, search->key)) {
		cargo_profile_take(search, value, line);
	}
	buf_release(&name);
}

static void cargo_profile_search_text(const struct cargo_profile_search *search, struct str text) {
	struct lines lines = {.rest = text};
	struct buf table = {0};
	struct str line;
	for (size_t n = 1; lines_next(&lines, &line); n++) {
		line = str_trim(line);
		if (str_starts(line, STR("["))) {
			line = str_from(line, 1);
			buf_clear(&table);
			cargo_profile_add_plain(&table, str_cut(&line, ']'));
		} else if (!str_starts(line, STR("#"))) {
			cargo_profile_search_pair(search, buf_str(&table), line, n);
		}
	}
	buf_release(&table);
}

/** Look for a setting in a file. Return whether the file has the setting. */
static bool cargo_profile_search_file(struct cargo_setting *setting, const char *path,
				      const char *profile, const char *key) {
	enum { MOST = 1 << 20 };
	struct buf text = {0}, table = {0};
	setting->line = 0;
	unread_note_wanted(setting->unread, path, read_whole(path, MOST, &text));
	buf_printf(&table, "profile.%s", profile);
	const struct cargo_profile_search search = {buf_str(&table), str_of(key), setting};
	cargo_profile_search_text(&search, buf_str(&text));
	if (setting->line > 0) {
		buf_set_text(&setting->path, path);
	}
	buf_release(&text);
	buf_release(&table);
	return setting->line > 0;
}

/* --- In all places -------------------------------------------------------------------------- */

/** Search the files of cargo's configuration in a folder for a setting. Return whether they have
 * it. */
static bool cargo_profile_search_configuration(struct cargo_setting *setting, struct str folder,
					       const char *profile, const char *key) {
	static const char *const names[] = {"config", "config.toml"}; // the older name has priority
	bool found = false;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && !found; i++) {
		struct buf path = {0};
		buf_add_str(&path, folder);
		buf_printf(&path, "/%s", names[i]);
		found = cargo_profile_search_file(setting, buf_text(&path), profile, key);
		buf_release(&path);
	}
	return found;
}

/** Search cargo's configuration: in this folder and the folders above it, then in cargo's own
 * folder. */
static bool cargo_profile_search_configurations(struct cargo_setting *setting, const char *profile,
						const char *key) {
	char here[PATH_MAX];
	const char *home = getenv("CARGO_HOME"), *user = getenv("HOME");
	struct buf folder = {0};
	bool found = false;
	struct str above = getcwd(here, sizeof(here)) == NULL ? (struct str){"", 0} : str_of(here);
	while (above.n > 0 && !found) {
		buf_set_str(&folder, above);
		buf_add_text(&folder, "/.cargo");
		found = cargo_profile_search_configuration(setting, buf_str(&folder), profile, key);
		size_t slash = str_find_last(above, '/');
		above = str_to(above, slash == STR_NONE ? 0 : slash);
	}
	if (!found && (home != NULL || user != NULL)) {
		buf_set_text(&folder, home != NULL ? home : user);
		buf_add_text(&folder, home != NULL ? "" : "/.cargo");
		found = cargo_profile_search_configuration(setting, buf_str(&folder), profile, key);
	}
	buf_release(&folder);
	return found;
}

void cargo_variable(const char *profile, const char *key, struct buf *variable) {
	const char *const parts[] = {"CARGO_PROFILE_", profile, "_", key};
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		for (const char *c = parts[i]; *c != '\0'; c++) {
			bool lower = *c >= 'a' && *c <= 'z';
			buf_add_char(variable, *c == '-' ? '_' : (char)(lower ? *c & ~0x20 : *c));
		}
	}
}

/** Look for a setting of a profile, but not of the profile that it inherits from. Return whether it
 * was found. */
static bool cargo_profile_find_own(const char *folder, const char *profile, const char *key,
				   struct cargo_setting *setting) {
	buf_clear(&setting->variable);
	cargo_variable(profile, key, &setting->variable);
	const char *value = getenv(buf_text(&setting->variable));
	if (value != NULL) {
		buf_set_text(&setting->value, value);
		return true;
	}
	buf_clear(&setting->variable);
	struct buf path = {0};
	buf_printf(&path, "%s/Cargo.toml", folder);
	bool found = cargo_profile_search_configurations(setting, profile, key) ||
		     cargo_profile_search_file(setting, buf_text(&path), profile, key);
	buf_release(&path);
	return found;
}

/** Replace the name of a profile by the name of the profile that it inherits from. Return false if
 * the profile inherits from no other. */
static bool cargo_profile_find_parent(const char *folder, struct buf *profile,
				      struct unread *unread) {
	struct cargo_setting parent = {.unread = unread};
	struct str name = buf_str(profile);
	bool found = cargo_profile_find_own(folder, buf_text(profile), "inherits", &parent);
	if (found) {
		buf_set_str(profile, buf_str(&parent.value));
	} else if (str_eq(name, STR("bench")) || str_eq(name, STR("test"))) {
		bool bench = str_eq(name, STR("bench"));
		buf_set_text(profile, bench ? "release" : "dev");
		found = true;
	}
	cargo_setting_release(&parent);
	return found;
}

bool cargo_find_setting(const char *folder, const char *profile, const char *key,
			struct cargo_setting *setting, struct unread *unread) {
	enum { DEEPEST = 16 };
	struct buf name = {0};
	*setting = (struct cargo_setting){.unread = unread};
	buf_add_text(&name, profile);
	bool found = cargo_profile_find_own(folder, buf_text(&name), key, setting);
	for (int i = 0; i < DEEPEST && !found && cargo_profile_find_parent(folder, &name, unread);
	     i++) {
		found = cargo_profile_find_own(folder, buf_text(&name), key, setting);
	}
	buf_release(&name);
	return found;
}

void cargo_setting_release(struct cargo_setting *setting) {
	buf_release(&setting->value);
	buf_release(&setting->variable);
	buf_release(&setting->path);
}

/* --- In the program ------------------------------------------------------------------------- */

#ifdef HAVE_PERF_DATA
struct cargo_names cargo_names_in(const char *path) {
	enum object_state state = OBJECT_MISSING;
	struct file *file = file_open(path, &state);
	struct cargo_names names = {true, true};
	if (file != NULL) {
		names.functions = elf_section_of_type(&file->elf, SHT_SYMTAB) != NULL;
		names.inlined = elf_section(&file->elf, STR(".debug_info")) != NULL ||
				elf_section(&file->elf, STR(".zdebug_info")) != NULL;
	}
	file_free(file);
	return names;
}
#else
struct cargo_names cargo_names_in(const char *path) {
	(void)path;
	return (struct cargo_names){true, true};
}
#endif
