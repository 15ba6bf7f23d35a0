/* Addresses as frames. */
#include "collapse/native.h"

#include <stdlib.h>

#include "base/search.h"
#include "base/utf8.h"
#include "collapse/frames.h"
#include "collapse/text.h"
#ifdef HAVE_PERF_DATA
#include "symbols/symbols.h"
#else
struct symbol;
#endif

/** A mapping, and the symbols of its file. */
struct native_place {
	struct native_mapping mapping;
	struct object *object; // object of the file; NULL: no file, or not opened yet
	bool is_open;          // whether opening the file was tried
	uint32_t module;       // module of the mapping in the profile's sites; 0: not added yet
	struct str file;       // last part of the file's path
};

/** A range of items in `frames`. */
struct native_span {
	size_t at, n;
};

/** The start address of a mapping, and its index. */
struct native_start {
	uint64_t start;
	size_t number;
};

struct native {
	struct native_options options;
	struct run *run;
	struct symbols *symbols; // NULL: no address was looked up yet
	struct native_place *places;
	size_t n, capacity;
	struct native_start *starts; // start addresses of the first `sorted` mappings, sorted
	size_t sorted, starts_capacity;
	struct arena texts;
	// addresses; `value` is the index of their frames in the list of spans
	struct intern addresses;
	struct native_span *spans;
	size_t spans_capacity;
	struct ids frames;
	struct buf name, text;
	uint64_t nameless; // number of addresses without symbols
};

/** The key of an address. The struct must have no padding, because its bytes are compared. */
struct native_key {
	uint64_t address, mapping, is_return;
};

struct native *native_new(const struct native_options *options, struct run *run) {
	struct native *native = mem_new(1, sizeof(*native));
	native->options = *options;
	native->run = run;
	return native;
}

void native_clear(struct native *native) {
	arena_release(&native->texts);
	intern_release(&native->addresses);
	native->addresses = (struct intern){0};
	native->texts = (struct arena){0};
	native->n = native->sorted = native->frames.n = 0;
	native->nameless = 0;
}

void native_free(struct native *native) {
	if (native == NULL) {
		return;
	}
	native_clear(native);
#ifdef HAVE_PERF_DATA
	symbols_free(native->symbols);
#endif
	free(native->places);
	free(native->starts);
	free(native->spans);
	ids_release(&native->frames);
	buf_release(&native->name);
	buf_release(&native->text);
	free(native);
}

/* --- Mappings ------------------------------------------------------------------------------- */

static struct str native_keep(struct native *native, struct str text) {
	return (struct str){arena_copy(&native->texts, text.p, text.n), text.n};
}

size_t native_map(struct native *native, const struct native_mapping *mapping) {
	struct native_place place = {.mapping = *mapping};
	place.mapping.file = native_keep(native, mapping->file);
	place.mapping.build_id = native_keep(native, mapping->build_id);
	place.file = str_from(place.mapping.file, str_find_last(place.mapping.file, '/') + 1);
	MEM_GROW(native->places, native->capacity, native->n + 1);
	native->places[native->n] = place;
	return native->n++;
}

bool native_take_hex(struct str *text, uint64_t *number) {
	enum { MOST = 16 };
	(void)text_take(text, STR("0x"));
	size_t n = text_hex_digits(*text);
	*number = 0;
	for (size_t i = 0; i < n; i++) {
		char c = text->p[i];
		*number = *number << 4 | (uint64_t)(is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
	}
	*text = str_from(*text, n);
	return n > 0 && n <= MOST;
}

/** Return whether a word consists of letters of permissions, such as r-xp. */
static bool native_is_permissions(struct str word) {
	size_t n = 0;
	while (n < word.n && memchr("rwxps-", word.p[n], 6) != NULL) {
		n++;
	}
	return n == word.n && n > 0;
}

/** Cut the offset, the device and the inode of a line of /proc/PID/maps off the front. */
static bool native_take_file_numbers(struct str *rest, uint64_t *offset) {
	struct str after = *rest, word = text_next_word(&after), device, inode;
	device = text_next_word(&after);
	inode = text_next_word(&after);
	size_t colon = str_find(device, ':');
	if (word.n == 0 || !str_all_hex(word) || colon == STR_NONE || inode.n == 0 ||
	    !str_all_digits(inode) || !native_take_hex(&word, offset)) {
		return false;
	}
	*rest = after;
	return true;
}

/** Cut the optional offset and build-id, which follow the file, off the end of a line. */
static void native_take_brief_tail(struct str rest, struct native_mapping *mapping) {
	struct str word = text_next_word(&rest);
	if (text_take(&word, STR("(@"))) {
		(void)native_take_hex(&word, &mapping->offset);
		word = text_next_word(&rest);
	}
	mapping->build_id = word;
}

bool native_map_line(struct native *native, struct str line) {
	struct native_mapping mapping = {0};
	struct str rest = text_trim(text_line(line));
	if (!native_take_hex(&rest, &mapping.start) ||
	    !(text_take(&rest, STR("-")) || text_take(&rest, STR(" "))) ||
	    !native_take_hex(&rest, &mapping.end)) {
		return false;
	}
	(void)text_take(&rest, STR(":"));
	struct str after = rest, word = text_next_word(&after);
	if (native_is_permissions(word)) {
		rest = after;
	}
	if (native_take_file_numbers(&rest, &mapping.offset)) {
		mapping.file = text_trim(rest);
		struct str gone = STR(" (deleted)");
		mapping.file.n -= str_ends(mapping.file, gone) ? gone.n : 0;
	} else {
		mapping.file = text_next_word(&rest);
		native_take_brief_tail(rest, &mapping);
	}
	(void)native_map(native, &mapping);
	return true;
}

static int native_compare_starts(const void *a, const void *b) {
	const struct native_start *x = a, *y = b;
	return x->start != y->start ? (x->start > y->start) - (x->start < y->start)
				    : (x->number < y->number) - (x->number > y->number);
}

/** Sort the starts of all mappings. If several mappings have the same start, they are in reverse
 * order of their addition. */
static void native_sort(struct native *native) {
	MEM_GROW(native->starts, native->starts_capacity, native->n);
	for (size_t i = 0; i < native->n; i++) {
		native->starts[i] = (struct native_start){native->places[i].mapping.start, i};
	}
	if (native->n > 0) {
		qsort(native->starts, native->n, sizeof(*native->starts), native_compare_starts);
	}
	native->sorted = native->n;
}

size_t native_find(struct native *native, uint64_t address) {
	if (native->sorted != native->n) {
		native_sort(native);
	}
	size_t n = search_up_to(native->starts, native->n, sizeof(*native->starts), address);
	size_t before = n == 0 ? NATIVE_NO_MAPPING : native->starts[n - 1].number;
	if (before != NATIVE_NO_MAPPING && address < native->places[before].mapping.end) {
		return before;
	}
	if (n == native->n) {
		return NATIVE_NO_MAPPING;
	}
	// The address may be in the part of a file before the next mapping: some lists lack the
	// mapping of the part of a file before its code.
	const struct native_start *after = &native->starts[n];
	uint64_t offset = native->places[after->number].mapping.offset;
	return offset <= after->start && after->start - offset <= address ? after->number
									  : NATIVE_NO_MAPPING;
}

/** Return a text with ill-formed UTF-8 replaced. The result is valid until the next call. */
static struct str native_repair(struct native *native, struct str text) {
	buf_clear(&native->name);
	utf8_repair(&native->name, text);
	return buf_str(&native->name);
}

/** Return the offset that an address has in the file of a mapping. */
static uint64_t native_offset(const struct native_mapping *mapping, uint64_t address) {
	return address - mapping->start + mapping->offset;
}

void native_set_module(struct native *native, struct native_address at, struct site *site) {
	struct sites *sites = native->run->profile->sites;
	site->address = at.address - (at.is_return ? 1 : 0);
	if (at.mapping == NATIVE_NO_MAPPING) {
		return;
	}
	struct native_place *place = &native->places[at.mapping];
	if (place->module == 0) {
		uint32_t file = sites_text(sites, native_repair(native, place->mapping.file));
		uint32_t id = sites_text(sites, native_repair(native, place->mapping.build_id));
		place->module =
			sites_module(sites, sites_text_of(sites, file), sites_text_of(sites, id));
		const struct native_mapping *mapping = &place->mapping;
		const struct site_place mapped = {mapping->start, mapping->end, mapping->offset};
		sites_set_place(sites, place->module, mapped);
	}
	bool is_in = site->address >= place->mapping.start || place->mapping.offset > 0;
	site->module = place->module;
	site->address = is_in ? native_offset(&place->mapping, site->address) : site->address;
}

/** Set the source file and line of a site from a symbol, which may be NULL. */
#ifdef HAVE_PERF_DATA
static void native_set_source(struct native *native, const struct symbol *symbol,
			      struct site *site) {
	if (symbol != NULL) {
		site->file = sites_text(native->run->profile->sites,
					native_repair(native, symbol->file));
		site->line = symbol->line;
		site->column = symbol->column;
		site->inlined = symbol->inlined;
	}
}
#else
static void native_set_source(struct native *native, const struct symbol *symbol,
			      struct site *site) {
	(void)native, (void)symbol, (void)site;
}
#endif

/** Add a frame with this name for a symbol of an address. The symbol may be NULL. */
static void native_push(struct native *native, struct native_address at, struct str name,
			const struct symbol *symbol) {
	uint32_t id = run_frame(native->run, name);
	native->run->profile->has_lines = true;
	if (profile_wants_sites(native->run->profile)) {
		struct site site = {.name = id};
		native_set_module(native, at, &site);
		native_set_source(native, symbol, &site);
		id = profile_site(native->run->profile, &site);
	}
	ids_push(&native->frames, id);
}

/* --- Symbols -------------------------------------------------------------------------------- */

#ifdef HAVE_PERF_DATA
static struct build_id native_build_id(struct str digits) {
	struct build_id id = {.size = 0};
	if (digits.n % 2 != 0 || digits.n / 2 > BUILD_ID_MAX || !str_all_hex(digits)) {
		return id;
	}
	for (; digits.n > 0; digits = str_from(digits, 2)) {
		struct str byte = str_to(digits, 2);
		uint64_t value;
		(void)native_take_hex(&byte, &value);
		id.bytes[id.size++] = (uint8_t)value;
	}
	return id;
}

/** Return the object file of a mapping, or NULL if there is none. */
static struct object *native_object(struct native *native, struct native_place *place) {
	struct str file = place->mapping.file;
	if (place->is_open || file.n == 0 || file.p[0] != '/') {
		return place->object;
	}
	if (native->symbols == NULL) {
		const struct native_options *given = &native->options;
		const struct symbols_options options = {
			.symfs = given->symfs == NULL ? STR("") : str_of(given->symfs),
			.debug_dir = given->debug_dir == NULL ? STR("") : str_of(given->debug_dir),
			.no_inline = given->no_inline,
			.srcline = profile_wants_sites(native->run->profile),
		};
		native->symbols = symbols_new(&options, NULL);
	}
	const struct object_file object = {.kind = OBJECT_ELF,
					   .path = file,
					   .build_id = native_build_id(place->mapping.build_id)};
	place->object = symbols_object(native->symbols, &object);
	place->is_open = true;
	return place->object;
}

/** Add the frames of the symbols of an address, outermost first. Return the number of frames. */
static size_t native_add_symbols(struct native *native, struct native_address at) {
	const struct symbol *symbols = NULL;
	struct native_place *place = &native->places[at.mapping];
	struct object *object = native_object(native, place);
	if (object == NULL) {
		return 0;
	}
	uint64_t address = at.address - (at.is_return ? 1 : 0);
	uint64_t offset = native_offset(&place->mapping, address);
	size_t n = symbols_at(native->symbols, object, offset, false, &symbols);
	for (size_t i = n; i > 0; i--) {
		native_push(native, at, symbols[i - 1].name, &symbols[i - 1]);
	}
	return n;
}
#else
static size_t native_add_symbols(struct native *native, struct native_address at) {
	(void)native, (void)at;
	return 0;
}
#endif

/** Add the frame of an address without symbols. */
static void native_add_module(struct native *native, struct native_address at) {
	struct str file =
		at.mapping == NATIVE_NO_MAPPING ? STR("") : native->places[at.mapping].file;
	bool has_brackets = file.n > 1 && file.p[0] == '[' && file.p[file.n - 1] == ']';
	file = has_brackets ? str_to(str_from(file, 1), file.n - 2) : file;
	buf_clear(&native->text);
	buf_add_char(&native->text, '[');
	buf_add_str(&native->text, file.n > 0 ? file : STR("unknown"));
	if (native->options.addrs) {
		buf_printf(&native->text, " <%llx>", (unsigned long long)at.address);
	}
	buf_add_char(&native->text, ']');
	native_push(native, at, buf_str(&native->text), NULL);
	native->nameless++;
}

/** Look up the frames of the address that was added to `addresses` last. */
static void native_resolve(struct native *native, struct native_address at) {
	struct native_span span = {.at = native->frames.n};
	if (at.mapping == NATIVE_NO_MAPPING || native_add_symbols(native, at) == 0) {
		native_add_module(native, at);
	}
	span.n = native->frames.n - span.at;
	size_t number = native->addresses.count - 1;
	MEM_GROW(native->spans, native->spans_capacity, number + 1);
	native->spans[number] = span;
}

void native_frames(struct native *native, struct native_address at, struct ids *frames) {
	struct native_key key = {at.address, at.mapping, at.is_return};
	uint32_t known = native->addresses.count;
	uint32_t number = intern_get(&native->addresses, &key, sizeof(key))->id;
	if (number == known) {
		native_resolve(native, at);
	}
	const struct native_span *span = &native->spans[number];
	ids_add_part(frames, &native->frames, span->at, span->n);
}

int native_report(struct native *native) {
	uint64_t all = native->addresses.count;
	return native->nameless == 0
		       ? 0
		       : run_notice(
				 native->run, NOTICE_NOTE, 0,
				 "%llu of %llu addresses have no symbols; --symfs names a folder "
				 "with the programs and libraries",
				 (unsigned long long)native->nameless, (unsigned long long)all);
}
