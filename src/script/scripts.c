/* The table of processes with an interpreter. */
#include "script/scripts.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/bounded.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/stop.h"
#include "script/globals.h"

#define LANGUAGE(name) extern const struct script_language language_##name;
#include "languages.h"
#undef LANGUAGE

static const struct script_language *const scripts_languages[] = {
#define LANGUAGE(name) &language_##name,
#include "languages.h"
#undef LANGUAGE
	NULL};

/** An interpreter in a process. */
struct script_entry {
	UT_hash_handle hh;
	int32_t pid;
	unsigned language;
	unsigned users; // number of readers that use the entry now
	bool gone;      // the entry was removed from the table, and its last reader frees it
	bool refused;   // whether a message has said that the process may not be read
	struct buf path;
	pthread_mutex_t lock; // protects `process`
	struct script_process process;
};

/** The offsets of a language's members in a file, so that the debug information of a file is read
 * once. */
struct scripts_offsets {
	struct file_id file;
	struct globals_stamp stamp; // differs if the file was written again
	unsigned language;
	bool found;
	uint32_t offsets[LANGUAGE_MEMBERS];
};

/** A process whose parent had no known interpreter when the process was forked. */
struct scripts_orphan {
	int32_t pid, parent; // pid 0: none
};

enum { SCRIPTS_ORPHANS = 1024 };

struct scripts {
	pthread_mutex_t lock; // protects all members but the names
	struct scripts_listener listener;
	bool lines, debuginfod;
	struct script_entry *entries; // processes by pid
	struct intern starting;       // processes whose program is not known yet: value 1
	struct intern others;         // files without an interpreter
	struct scripts_orphan orphans[SCRIPTS_ORPHANS]; // the latest orphans
	size_t orphans_n;                               // number of all orphans so far
	struct bounded bounded; // reads files; used by one thread, as are the next members
	struct scripts_offsets *offsets;
	size_t offsets_n, offsets_capacity;
	pthread_mutex_t names_lock;
	struct intern names;
};

const struct script_language *scripts_language(size_t i) {
	return i < sizeof(scripts_languages) / sizeof(*scripts_languages) ? scripts_languages[i]
									  : NULL;
}

struct scripts *scripts_new(const struct scripts_listener *listener, bool lines, bool debuginfod) {
	struct scripts *scripts = mem_new(1, sizeof(*scripts));
	scripts->listener = *listener;
	scripts->lines = lines;
	scripts->debuginfod = debuginfod;
	scripts->bounded.limits =
		(struct bounded_limits){.stopped = STOP_STALLED, .total = STOP_SYMBOLS};
	pthread_mutex_init(&scripts->lock, NULL);
	pthread_mutex_init(&scripts->names_lock, NULL);
	return scripts;
}

/** Return the number of a name, adding the name if it is new. If there are very many names, return
 * the number of [other]. */
static uint32_t scripts_name(void *context, struct str text) {
	enum { MOST = 1 << 20 };
	struct scripts *scripts = context;
	pthread_mutex_lock(&scripts->names_lock);
	uint32_t before = scripts->names.count;
	text = before < MOST ? text : STR("[other]");
	uint32_t id = intern_get(&scripts->names, text.p, text.n)->id;
	if (id == before) {
		scripts->listener.named(scripts->listener.context, text);
	}
	pthread_mutex_unlock(&scripts->names_lock);
	return id;
}

/* --- Recognising an interpreter ------------------------------------------------------------- */

/** Return whether a file may contain the interpreter of a language, judged by the name of the
 * file. */
static bool scripts_may_have(const struct script_language *language, struct str path) {
	size_t slash = str_find_last(path, '/');
	struct str base = slash == STR_NONE ? path : str_from(path, slash + 1);
	for (size_t i = 0; language->files[i] != NULL; i++) {
		if (str_has(base, str_of(language->files[i]))) {
			return true;
		}
	}
	return false;
}

static void scripts_free_entry(struct script_entry *entry) {
	const struct script_language *language = scripts_languages[entry->language];
	if (entry->process.state != NULL) {
		language->close(&entry->process);
	}
	pthread_mutex_destroy(&entry->lock);
	buf_release(&entry->path);
	free(entry);
}

/** Remove an entry from the table, and free the entry after its last reader. */
static void scripts_drop(struct scripts *scripts, struct script_entry *entry) {
	HASH_DEL(scripts->entries, entry);
	entry->gone = true;
	if (entry->users == 0) {
		scripts_free_entry(entry);
	}
}

static struct script_entry *scripts_find(const struct scripts *scripts, int32_t pid) {
	struct script_entry *found;
	HASH_FIND_INT(scripts->entries, &pid, found);
	return found;
}

static struct script_entry *scripts_new_entry(struct scripts *scripts, int32_t pid,
					      unsigned language, struct str path,
					      const uint64_t *globals) {
	struct script_entry *entry = mem_new(1, sizeof(*entry));
	entry->pid = pid;
	entry->language = language;
	pthread_mutex_init(&entry->lock, NULL);
	buf_add_str(&entry->path, path);
	entry->process = (struct script_process){.remote = {.pid = pid},
						 .path = buf_str(&entry->path),
						 .lines = scripts->lines,
						 .name = scripts_name,
						 .context = scripts};
	memcpy(entry->process.globals, globals, sizeof(entry->process.globals));
	return entry;
}

/** A search in a mapped file. The search may hang if the file is on a network server that does not
 * answer. */
struct scripts_search {
	int32_t pid;
	struct map map;
	struct buf path;                        // path of the file
	const struct script_language *language; // whose symbols or members are wanted
	bool members, debuginfod;
	uint64_t values[LANGUAGE_GLOBALS];
	struct globals_stamp stamp;
	uint32_t offsets[LANGUAGE_MEMBERS];
	bool found;
};

static void scripts_do_search(void *context) {
	struct scripts_search *search = context;
	search->found =
		search->members
			? globals_find_offsets(search->pid, &search->map, search->language->members,
					       search->debuginfod, search->offsets)
			: globals_find(search->pid, &search->map, search->language->globals,
				       search->values, &search->stamp);
}

static void scripts_free_search(struct scripts_search *search) {
	if (search != NULL) {
		buf_release(&search->path);
		free(search);
	}
}

/** Find the symbols of a language in a mapped file, or with `members` the offsets of members.
 * Return NULL if the symbols or members are not found. After a file could not be read in time, read
 * no further file. */
static struct scripts_search *scripts_search(struct scripts *scripts, int32_t pid,
					     const struct map *map,
					     const struct script_language *language, bool members) {
	enum { USUAL = 1000, SLOW = 60000 }; // ms; a download takes time
	if (scripts->bounded.lost > 0) {
		return NULL;
	}
	struct scripts_search *search = mem_new(1, sizeof(*search));
	search->pid = pid;
	search->map = *map;
	search->language = language;
	search->members = members;
	search->debuginfod = scripts->debuginfod;
	buf_add_str(&search->path, map->path);
	(void)buf_text(&search->path);
	search->map.path = buf_str(&search->path);
	scripts->bounded.limits.stalled = members && scripts->debuginfod ? SLOW : USUAL;
	enum bounded_result result = bounded_do(&scripts->bounded, scripts_do_search, search, NULL);
	if (result == BOUNDED_LOST) {
		return NULL; // the search may still run
	}
	if (result != BOUNDED_DONE || !search->found) {
		scripts_free_search(search);
		return NULL;
	}
	return search;
}

/** Return the offsets of a language's members in a mapped file, or NULL. */
static const uint32_t *scripts_find_offsets(struct scripts *scripts, int32_t pid,
					    const struct map *map, unsigned language,
					    const struct globals_stamp *stamp) {
	for (size_t i = 0; i < scripts->offsets_n; i++) {
		const struct scripts_offsets *known = &scripts->offsets[i];
		if (known->language == language &&
		    memcmp(&known->file, &map->id, sizeof(map->id)) == 0 &&
		    memcmp(&known->stamp, stamp, sizeof(*stamp)) == 0) {
			return known->found ? known->offsets : NULL;
		}
	}
	struct scripts_search *search =
		scripts_search(scripts, pid, map, scripts_languages[language], true);
	struct scripts_offsets *made =
		MEM_APPEND(scripts->offsets, scripts->offsets_n, scripts->offsets_capacity);
	*made = (struct scripts_offsets){map->id, *stamp, language, search != NULL, {0}};
	if (search != NULL) {
		memcpy(made->offsets, search->offsets, sizeof(made->offsets));
		scripts_free_search(search);
	}
	return made->found ? made->offsets : NULL;
}

/** Open the interpreter of an entry, and add its version to `version`. If the version is not known,
 * read the offsets of members from debug information. Return false if the interpreter cannot be
 * read. */
static bool scripts_open(struct scripts *scripts, struct script_entry *entry, const struct map *map,
			 const struct globals_stamp *stamp, struct buf *version) {
	const struct script_language *language = scripts_languages[entry->language];
	struct script_process *process = &entry->process;
	bool known = language->open(process, version);
	if (known || language->members == NULL) {
		return known;
	}
	const uint32_t *offsets =
		scripts_find_offsets(scripts, entry->pid, map, entry->language, stamp);
	if (offsets != NULL) {
		process->has_offsets = members_agree(language->members, offsets);
		memcpy(process->offsets, offsets, sizeof(process->offsets));
		struct buf again = {0};
		known = language->open(process, &again);
		buf_release(&again);
		buf_add_text(version, known ? " by its debug information" : "");
	} else {
		buf_add_text(version, " without debug information");
	}
	return known;
}

/** Add a process whose interpreter was found, and report it, unless the process was added
 * meanwhile. */
static void scripts_add(struct scripts *scripts, int32_t pid, unsigned language,
			const struct map *map, const struct scripts_search *search) {
	struct script_entry *entry =
		scripts_new_entry(scripts, pid, language, map->path, search->values);
	struct buf version = {0};
	buf_add_text(&version, scripts_languages[language]->title);
	buf_add_char(&version, ' ');
	bool known = scripts_open(scripts, entry, map, &search->stamp, &version);
	pthread_mutex_lock(&scripts->lock);
	bool again = scripts_find(scripts, pid) != NULL;
	if (!again) {
		scripts->listener.found(scripts->listener.context, pid, buf_str(&version), known);
	}
	if (again) {
		scripts_free_entry(entry);
	} else {
		HASH_ADD_INT(scripts->entries, pid, entry);
	}
	pthread_mutex_unlock(&scripts->lock);
	buf_release(&version);
}

/**
 * Look for the interpreter of a language in a mapped file. Return whether the interpreter was
 * found.
 */
static bool scripts_look_in(struct scripts *scripts, int32_t pid, const struct map *map,
			    bool is_program) {
	const struct file_id *id = &map->id;
	pthread_mutex_lock(&scripts->lock);
	bool is_other = intern_find(&scripts->others, id, sizeof(*id)) != NULL;
	pthread_mutex_unlock(&scripts->lock);
	for (unsigned i = 0; scripts_languages[i] != NULL && !is_other; i++) {
		const struct script_language *language = scripts_languages[i];
		struct scripts_search *search =
			is_program || scripts_may_have(language, map->path)
				? scripts_search(scripts, pid, map, language, false)
				: NULL;
		if (search != NULL) {
			scripts_add(scripts, pid, i, map, search);
			scripts_free_search(search);
			return true;
		}
	}
	if (is_program && !is_other) {
		pthread_mutex_lock(&scripts->lock);
		intern_get(&scripts->others, id, sizeof(*id));
		pthread_mutex_unlock(&scripts->lock);
	}
	return false;
}

/** Remember a process whose parent has no known interpreter. Each processor has its own records, so
 * the record of a fork may be read before those of the parent's program. */
static void scripts_add_orphan(struct scripts *scripts, int32_t pid, int32_t parent) {
	scripts->orphans[scripts->orphans_n++ % SCRIPTS_ORPHANS] =
		(struct scripts_orphan){pid, parent};
}

/** Forget that a process is an orphan. */
static void scripts_drop_orphan(struct scripts *scripts, int32_t pid) {
	for (size_t i = 0; i < SCRIPTS_ORPHANS; i++) {
		if (scripts->orphans[i].pid == pid) {
			scripts->orphans[i].pid = 0;
		}
	}
}

/** Return an orphan with this parent, and forget it; or return 0 if there is none. */
static int32_t scripts_take_orphan(struct scripts *scripts, int32_t parent) {
	int32_t pid = 0;
	pthread_mutex_lock(&scripts->lock);
	for (size_t i = 0; i < SCRIPTS_ORPHANS && pid == 0; i++) {
		if (scripts->orphans[i].parent == parent) {
			pid = scripts->orphans[i].pid;
			scripts->orphans[i].pid = 0;
		}
	}
	pthread_mutex_unlock(&scripts->lock);
	return pid;
}

/** Look for the interpreter in the mapped files of a process. Return whether it was found. */
static bool scripts_look_in_maps(struct scripts *scripts, int32_t pid) {
	struct maps maps;
	struct map map;
	struct buf last = {0};
	bool found = false, first = true;
	if (!maps_open(&maps, (uint32_t)pid)) {
		return false;
	}
	// The first mapping of each file has its headers. The first file is the program.
	while (!found && maps_next(&maps, &map)) {
		if (map.id.inode != 0 && map.path.n > 0 && !str_eq(map.path, buf_str(&last))) {
			buf_set_str(&last, map.path);
			found = scripts_look_in(scripts, pid, &map, first);
			first = false;
		}
	}
	maps_close(&maps);
	buf_release(&last);
	return found;
}

void scripts_look(struct scripts *scripts, int32_t pid) {
	int32_t child = 0;
	if (scripts_look_in_maps(scripts, pid)) {
		while ((child = scripts_take_orphan(scripts, pid)) != 0) {
			scripts_look(scripts, child);
		}
	}
}

void scripts_look_at(struct scripts *scripts, int32_t pid, struct str path) {
	bool wanted = false;
	for (unsigned i = 0; scripts_languages[i] != NULL && !wanted; i++) {
		wanted = scripts_may_have(scripts_languages[i], path);
	}
	pthread_mutex_lock(&scripts->lock);
	bool known = scripts_find(scripts, pid) != NULL;
	struct intern_key *starting = intern_find(&scripts->starting, &pid, sizeof(pid));
	if (starting != NULL && starting->value != 0) {
		starting->value = 0;
		wanted = true;
	}
	pthread_mutex_unlock(&scripts->lock);
	if (wanted && !known) {
		scripts_look(scripts, pid);
	}
}

/** Add a child with the interpreter of its parent. Return whether the child was added. */
static bool scripts_inherit(struct scripts *scripts, const struct script_entry *parent,
			    int32_t child) {
	struct script_entry *entry = scripts_new_entry(
		scripts, child, parent->language, buf_str(&parent->path), parent->process.globals);
	struct buf ignored = {0};
	entry->process.has_offsets = parent->process.has_offsets;
	memcpy(entry->process.offsets, parent->process.offsets, sizeof(parent->process.offsets));
	bool known = scripts_languages[entry->language]->open(&entry->process, &ignored);
	if (known) {
		HASH_ADD_INT(scripts->entries, pid, entry);
	} else {
		scripts_free_entry(entry);
	}
	buf_release(&ignored);
	return known;
}

void scripts_fork(struct scripts *scripts, int32_t pid, int32_t child) {
	int32_t grandchild = 0;
	bool added = false;
	pthread_mutex_lock(&scripts->lock);
	const struct script_entry *parent = scripts_find(scripts, pid);
	if (parent == NULL) {
		scripts_add_orphan(scripts, child, pid);
	} else if (scripts_find(scripts, child) == NULL) {
		added = scripts_inherit(scripts, parent, child);
	}
	pthread_mutex_unlock(&scripts->lock);
	while (added && (grandchild = scripts_take_orphan(scripts, child)) != 0) {
		scripts_fork(scripts, child, grandchild);
	}
}

void scripts_forget(struct scripts *scripts, int32_t pid, bool starts) {
	pthread_mutex_lock(&scripts->lock);
	if (starts) {
		intern_get(&scripts->starting, &pid, sizeof(pid))->value = 1;
	}
	struct script_entry *entry = scripts_find(scripts, pid);
	if (entry != NULL) {
		scripts_drop(scripts, entry);
	}
	scripts_drop_orphan(scripts, pid);
	pthread_mutex_unlock(&scripts->lock);
}

/* --- Reading -------------------------------------------------------------------------------- */

/** If a process may not be read, report this once. */
static void scripts_note_refusal(struct scripts *scripts, struct script_entry *entry) {
	int problem = entry->process.remote.problem;
	if (problem != 0 && !entry->refused) {
		entry->refused = true;
		scripts->listener.refused(scripts->listener.context, entry->pid, problem);
	}
}

bool scripts_reads(struct scripts *scripts, int32_t pid) {
	pthread_mutex_lock(&scripts->lock);
	const struct script_entry *entry = scripts_find(scripts, pid);
	bool reads = entry != NULL && entry->process.state != NULL && !entry->refused;
	pthread_mutex_unlock(&scripts->lock);
	return reads;
}

enum script_state scripts_read(struct scripts *scripts, int32_t pid,
			       const struct script_thread *thread, uint64_t now,
			       struct script_stack *stack, unsigned *language) {
	stack->n = 0;
	stack->cut = false;
	stack->lock = SCRIPT_LOCK_UNKNOWN;
	pthread_mutex_lock(&scripts->lock);
	struct script_entry *entry = scripts_find(scripts, pid);
	entry = entry != NULL && entry->process.state != NULL ? entry : NULL;
	if (entry != NULL) {
		entry->users++;
	}
	pthread_mutex_unlock(&scripts->lock);
	if (entry == NULL) {
		return SCRIPT_NONE;
	}
	*language = entry->language;
	pthread_mutex_lock(&entry->lock);
	entry->process.now = now;
	enum script_state state =
		scripts_languages[entry->language]->read(&entry->process, thread, stack);
	pthread_mutex_unlock(&entry->lock);
	pthread_mutex_lock(&scripts->lock);
	scripts_note_refusal(scripts, entry);
	if (--entry->users == 0 && entry->gone) {
		scripts_free_entry(entry);
	}
	pthread_mutex_unlock(&scripts->lock);
	return state;
}

void scripts_free(struct scripts *scripts) {
	if (scripts == NULL) {
		return;
	}
	bounded_release(&scripts->bounded);
	while (scripts->entries != NULL) {
		scripts_drop(scripts, scripts->entries);
	}
	free(scripts->offsets);
	intern_release(&scripts->names);
	intern_release(&scripts->starting);
	intern_release(&scripts->others);
	pthread_mutex_destroy(&scripts->lock);
	pthread_mutex_destroy(&scripts->names_lock);
	free(scripts);
}
