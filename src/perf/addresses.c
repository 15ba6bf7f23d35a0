/* Make the frames for the addresses in a recording that is folded. */
#include "perf/addresses.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/utf8.h"

struct str addresses_clean(struct buf *text, struct str name) {
	buf_clear(text);
	utf8_repair(text, name);
	for (size_t i = 0; i < text->n; i++) {
		bool control = (unsigned char)text->p[i] < 0x20 || text->p[i] == 0x7f;
		text->p[i] = control ? '?' : text->p[i];
	}
	return str_trim(buf_str(text));
}

/** Add the source of a symbol to the name of the innermost frame of its meaning. */
static void addresses_add_source(struct addresses *addresses, struct meaning *meaning,
				 const struct symbol *symbol) {
	struct perf_names *names = addresses->names;
	struct buf *text = &addresses->text;
	(void)addresses_clean(text, symbol->file);
	buf_printf(text, ":%u", symbol->line);
	uint32_t *id = &meaning->id;
	if (meaning->kind == MEANS_FRAMES) {
		uint32_t *list = names->lists.items + meaning->id;
		id = &list[*list];
	}
	*id = perf_add_source(names, *id, buf_str(text));
}

/** Return the site of a symbol at a place. If the symbol is NULL, return the site of an unknown
 * function. */
static struct site addresses_site(struct addresses *addresses, const struct lookup_place *place,
				  const struct symbol *symbol) {
	const struct image *image = place->location.image;
	struct perf_names *names = addresses->names;
	struct perf_frame frame = {0};
	struct str gone = STR(" (deleted)");
	struct str module =
		addresses_clean(&addresses->text, image == NULL ? STR("") : image->name);
	module.n -= str_ends(module, gone) ? gone.n : 0;
	perf_frame_set_module(&frame, module);
	char build_id[2 * BUILD_ID_MAX + 1];
	struct site site = perf_site_of(
		names, &frame,
		image == NULL ? STR("") : object_build_id_text(image->object, build_id));
	// For a return address, subtract 1: the result is inside the call instruction.
	site.address = place->location.address - place->is_return;
	if (symbol != NULL) {
		struct buf path = {0};
		symbol_add_source(&path, symbol);
		site.file = sites_text(names->profile->sites,
				       addresses_clean(&addresses->text, buf_str(&path)));
		buf_release(&path);
		site.line = symbol->line;
		site.column = symbol->column;
		site.inlined = symbol->inlined;
	}
	return site;
}

/** Return the meaning of one symbol, or of an unknown address if the symbol is NULL. If the callers
 * of the symbol are to be left out, set the mark of the meaning. */
static struct meaning addresses_name_symbol(struct addresses *addresses,
					    const struct lookup_place *place,
					    const struct symbol *symbol) {
	struct perf_names *names = addresses->names;
	char address[24];
	struct str gone = STR(" (deleted)");
	struct perf_frame frame = lookup_frame(place, symbol);
	frame.function = addresses_clean(&addresses->function, frame.function);
	struct str module = addresses_clean(&addresses->text, frame.module);
	module.n -= str_ends(module, gone) ? gone.n : 0;
	perf_frame_set_module(&frame, module);
	if (names->options.addrs) {
		int n = snprintf(address, sizeof(address), "%llx",
				 (unsigned long long)place->location.shown);
		frame.address = (struct str){address, (size_t)n};
	}
	struct meaning meaning =
		perf_name_frame(names, &frame, (place->flags & ADDRESS_IN_JAVA) != 0);
	if (symbol == NULL && (meaning.mark & PERF_SHOWS_ADDRESS) != 0) {
		meaning.id = perf_add_address(names, meaning.id, frame.address);
	}
	if (addresses->srcline && symbol != NULL && symbol->file.n > 0) {
		addresses_add_source(addresses, &meaning, symbol);
	}
	if (profile_wants_sites(names->profile)) {
		const struct site site = addresses_site(addresses, place, symbol);
		perf_add_site(names, &meaning, &site);
	}
	meaning.mark &= PERF_ENDS_STACK;
	return meaning;
}

/** Add the frames of a meaning to the open list. */
static void addresses_add_to_list(struct ids *lists, struct meaning meaning) {
	if (meaning.kind != MEANS_FRAMES) {
		ids_push(lists, meaning.id);
		return;
	}
	for (size_t i = 1; i <= lists->items[meaning.id]; i++) {
		ids_push(lists, lists->items[meaning.id + i]);
	}
}

/** Return the meaning of a place that has these symbols, innermost first. */
static struct meaning addresses_join_symbols(struct addresses *addresses,
					     const struct lookup_place *place,
					     const struct symbol *symbols, size_t n) {
	struct ids *lists = &addresses->names->lists;
	struct meaning meaning = {.kind = MEANS_UNKNOWN};
	size_t named = 0;
	for (size_t i = 0; (i < n || i == 0) && meaning.mark == 0; i++) {
		meaning = addresses_name_symbol(addresses, place, n == 0 ? NULL : &symbols[i]);
		if (meaning.kind == MEANS_IDLE) {
			return meaning;
		}
		*MEM_APPEND(addresses->symbols, named, addresses->capacity) = meaning;
	}
	uint16_t mark = meaning.mark;
	size_t list = frame_lists_open(lists);
	while (named > 0) {
		addresses_add_to_list(lists, addresses->symbols[--named]);
	}
	meaning = frame_lists_close(lists, list);
	meaning.mark = mark;
	return meaning;
}

static uint64_t addresses_pack(struct meaning meaning, uint64_t nameless, enum quality_end end) {
	return nameless << NAMELESS_AT | (uint64_t)end << END_AT |
	       (uint64_t)meaning.mark << MARK_AT | (uint64_t)meaning.kind << KIND_AT | meaning.id;
}

uint64_t addresses_make(void *context, const struct lookup_place *place,
			const struct symbol *symbols, size_t n) {
	struct addresses *addresses = context;
	if (place->deferred) {
		uint32_t id = deferred_frame(addresses->deferred, place);
		return addresses_pack(meaning_frame(id), 0, QUALITY_OPEN) | (uint64_t)ROLE_MADE
										    << ROLE_AT;
	}
	uint64_t nameless =
		n > 0 ? 0 : 1 + (uint64_t)quality_image(addresses->quality, place->location.image);
	struct meaning meaning = addresses_join_symbols(addresses, place, symbols, n);
	enum interpreted_role role =
		lookup_is_made(&place->location) ? ROLE_MADE
		: n == 0                         ? ROLE_NONE
			 : interpreted_role(addresses->interpreted, symbols[n - 1].name);
	if (role == ROLE_LOOP) {
		interpreted_note_image(addresses->interpreted,
				       quality_image(addresses->quality, place->location.image));
	}
	enum quality_end end =
		meaning.mark != 0 ? QUALITY_FIRST : quality_end_of(&place->location, symbols, n);
	return addresses_pack(meaning, nameless, end) | (uint64_t)role << ROLE_AT;
}

void addresses_release(struct addresses *addresses) {
	free(addresses->symbols);
	buf_release(&addresses->function);
	buf_release(&addresses->text);
}
