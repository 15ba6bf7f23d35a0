/* Store frames with file, line, module and address. */
#include "profile/sites.h"

#include <stdlib.h>

static const struct site_module sites_no_module = {0, 0};

struct sites *sites_new(void) {
	struct sites *sites = mem_new(1, sizeof(*sites));
	(void)intern_get(&sites->texts, "", 0);
	(void)intern_get(&sites->modules, &sites_no_module, sizeof(sites_no_module));
	return sites;
}

uint32_t sites_text(struct sites *sites, struct str text) {
	return intern_get(&sites->texts, text.p, text.n)->id;
}

struct str sites_text_of(const struct sites *sites, uint32_t text) {
	return intern_str(sites->texts.keys[text]);
}

uint32_t sites_module(struct sites *sites, struct str file, struct str build_id) {
	const struct site_module module = {sites_text(sites, file), sites_text(sites, build_id)};
	return intern_get(&sites->modules, &module, sizeof(module))->id;
}

struct site_module sites_module_of(const struct sites *sites, uint32_t module) {
	struct site_module result;
	memcpy(&result, sites->modules.keys[module]->bytes, sizeof(result));
	return result;
}

void sites_set_place(struct sites *sites, uint32_t module, struct site_place place) {
	if (module >= sites->places_n) {
		size_t n = sites->places_n;
		MEM_GROW(sites->places, sites->places_n, (size_t)module + 1);
		memset(sites->places + n, 0, (sites->places_n - n) * sizeof(*sites->places));
	}
	struct site_place *known = &sites->places[module];
	if (known->end == 0) {
		*known = place;
	} else if (place.start - place.offset == known->start - known->offset) {
		known->offset = place.start < known->start ? place.offset : known->offset;
		known->start = place.start < known->start ? place.start : known->start;
		known->end = place.end > known->end ? place.end : known->end;
	}
}

struct site_place sites_place_of(const struct sites *sites, uint32_t module) {
	return module < sites->places_n ? sites->places[module] : (struct site_place){0};
}

uint32_t sites_add(struct sites *sites, const struct site *site) {
	_Static_assert(sizeof(*site) == 40, "a key has no gaps");
	uint32_t id = intern_get(&sites->table, site, sizeof(*site))->id;
	if (id >= SITE_FLAG || (site->name >= SITE_FLAG && site->name != SITE_NO_NAME)) {
		inferno_out_of_memory(); // all ids are used
	}
	return id | SITE_FLAG;
}

uint32_t sites_add_label(struct sites *sites, const struct site_label *label) {
	const struct site site = {
		.address = label->number,
		.name = SITE_NO_NAME,
		.file = sites_text(sites, label->key),
		.line = sites_text(sites, label->unit),
		.system = sites_text(sites, label->text),
		.kind = SITE_LABEL,
	};
	return sites_add(sites, &site);
}

struct site_label sites_label(const struct sites *sites, const struct site *site) {
	return (struct site_label){.key = sites_text_of(sites, site->file),
				   .text = sites_text_of(sites, site->system),
				   .unit = sites_text_of(sites, site->line),
				   .number = site->address};
}

bool sites_project(void *memory, struct ids *stack) {
	const struct sites *sites = memory;
	size_t n = 0;
	for (size_t d = 0; d < stack->n; d++) {
		uint32_t name = sites_name(sites, stack->items[d]);
		stack->items[n] = name;
		n += name != SITE_NO_NAME;
	}
	stack->n = n;
	return true;
}

/** For each text of `from`, return its id in `sites`. */
static uint32_t *sites_merge_texts(struct sites *sites, const struct sites *from) {
	uint32_t *texts = mem_new(from->texts.count, sizeof(*texts));
	for (uint32_t i = 0; i < from->texts.count; i++) {
		texts[i] = sites_text(sites, sites_text_of(from, i));
	}
	return texts;
}

/** Return the id in `sites` of a module of `from`. */
static uint32_t sites_translate_module(struct sites *sites, const struct sites *from, uint32_t old,
				       const uint32_t *texts) {
	struct site_module module = sites_module_of(from, old);
	module = (struct site_module){texts[module.file], texts[module.build_id]};
	return intern_get(&sites->modules, &module, sizeof(module))->id;
}

/** Return a site of `from` with the ids in its fields replaced by ids of `sites`. */
static struct site sites_translate(struct sites *sites, const struct sites *from,
				   const struct site *old, const uint32_t *names,
				   const uint32_t *texts) {
	struct site site = *old;
	site.name = old->name == SITE_NO_NAME ? old->name : names[old->name];
	site.module = sites_translate_module(sites, from, old->module, texts);
	site.file = texts[old->file];
	site.system = texts[old->system];
	site.line = old->kind == SITE_LABEL ? texts[old->line] : old->line;
	return site;
}

uint32_t *sites_merge(struct sites *sites, const struct sites *from, const uint32_t *names) {
	uint32_t *texts = sites_merge_texts(sites, from);
	uint32_t *ids = mem_new(from->table.count, sizeof(*ids));
	for (uint32_t i = 0; i < from->table.count; i++) {
		struct site site = sites_translate(sites, from, sites_get(from, i), names, texts);
		ids[i] = sites_add(sites, &site);
	}
	for (uint32_t i = 0; i < from->places_n && i < from->modules.count; i++) {
		uint32_t module = sites_translate_module(sites, from, i, texts);
		sites_set_place(sites, module, from->places[i]);
	}
	free(texts);
	return ids;
}

/* --- The end -------------------------------------------------------------------------------- */

/** Replace all ids of a stack by ids of sites without the flag. */
static bool sites_number(void *memory, struct ids *stack) {
	struct sites *sites = memory;
	for (size_t d = 0; d < stack->n; d++) {
		uint32_t id = stack->items[d];
		if ((id & SITE_FLAG) == 0) {
			const struct site plain = {.name = id};
			id = sites_add(sites, &plain);
		}
		stack->items[d] = id & ~SITE_FLAG;
	}
	return true;
}

uint32_t *sites_take(struct sites *sites, const struct stacks *stacks,
		     const struct values *values) {
	uint32_t *ids = stacks_merge(&sites->stacks, stacks, sites_number, sites);
	sites->stack_of = mem_new(sites->stacks.table.count, sizeof(*sites->stack_of));
	for (uint32_t i = 0; i < stacks->table.count; i++) {
		sites->stack_of[ids[i]] = i;
	}
	if (values != NULL) {
		sites->values = values_new();
		values_merge(sites->values, values, ids);
	}
	sites->names = mem_new(sites->table.count, sizeof(*sites->names));
	for (uint32_t i = 0; i < sites->table.count; i++) {
		sites->names[i] = sites_get(sites, i)->name;
	}
	sites->finished = true;
	return ids;
}

void sites_renumber(struct sites *sites, const uint32_t *new_stacks) {
	for (uint32_t i = 0; i < sites->stacks.table.count; i++) {
		uint32_t *stack = &sites->stack_of[i];
		*stack = *stack == STACKS_NONE ? STACKS_NONE : new_stacks[*stack];
	}
}

void sites_rename(struct sites *sites, const uint32_t *new_names) {
	for (uint32_t i = 0; sites->finished && i < sites->table.count; i++) {
		uint32_t *name = &sites->names[i];
		*name = *name == SITE_NO_NAME ? SITE_NO_NAME : new_names[*name];
	}
}

void sites_free(struct sites *sites) {
	if (sites != NULL) {
		intern_release(&sites->table);
		intern_release(&sites->texts);
		intern_release(&sites->modules);
		free(sites->places);
		stacks_release(&sites->stacks);
		values_free(sites->values);
		free(sites->names);
		free(sites->stack_of);
	}
	free(sites);
}
