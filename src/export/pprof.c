/*
 * pprof: a profile in the format of pprof, which uses protocol buffers, with all details of its
 * frames. If frames have no details, or if options have changed the stacks, each name becomes one
 * function and one location. Each location is in a mapping, because some readers drop locations
 * without a mapping.
 */
#include <stdlib.h>

#include "base/utf8.h"
#include "export/exporter.h"
#include "export/numbering.h"
#include "profile/unit.h"

/** The fields of a profile. */
enum {
	PPROF_TYPE = 1,
	PPROF_SAMPLE,
	PPROF_MAPPING,
	PPROF_LOCATION,
	PPROF_FUNCTION,
	PPROF_STRING,
	PPROF_START = 9,
	PPROF_DURATION,
	PPROF_PERIOD_TYPE,
	PPROF_PERIOD,
	PPROF_DEFAULT_TYPE = 14,
};

/** A function. The struct is a key, so it must have no padding. */
struct pprof_written_function {
	uint32_t name, system, file, start_line; // indices of three strings; a line
};

/** A module: data about its locations, and the number of its mapping in the output. */
struct pprof_module {
	uint32_t number; // id of the module's mapping, from 1; 0: the mapping is not written
	bool is_used;    // some location is in this module
	bool has_functions, has_files, has_lines, has_inlined;
	uint64_t least, most; // range of the locations' addresses in the file
	struct site_place place;
};

struct pprof_writer {
	struct output *out;
	const struct view *view;
	const struct sites *sites;   // NULL: only names are known
	const struct values *values; // NULL: stacks have only one value
	struct numbering numbering;  // numbers of names, if there are no sites
	struct intern strings;       // keys are strings; the id is the index in the output
	struct intern locations; // keys are locations: lists of sites, innermost last; the id of a
				 // location is 1 + the id of its key
	struct intern functions; // keys are struct pprof_written_function; the id of a function is
				 // 1 + the id of its key
	struct pprof_module *modules;
	uint32_t mappings;
	struct buf message, inner, stack, text;
};

/* --- Fields --------------------------------------------------------------------------------- */

/** Add a number as a field. If it is 0, add nothing: a missing field means 0. */
static void pprof_put_number(struct buf *out, unsigned field, uint64_t number) {
	if (number != 0) {
		buf_add_varint(out, (uint64_t)field << 3);
		buf_add_varint(out, number);
	}
}

static void pprof_put_bytes(struct buf *out, unsigned field, struct str bytes) {
	buf_add_varint(out, (uint64_t)field << 3 | 2);
	buf_add_varint(out, bytes.n);
	buf_add_str(out, bytes);
}

/** Write `writer->message` as a field of the profile, and empty it. */
static void pprof_write_message(struct pprof_writer *writer, unsigned field) {
	struct buf head = {0};
	buf_add_varint(&head, (uint64_t)field << 3 | 2);
	buf_add_varint(&head, writer->message.n);
	output_add_str(writer->out, buf_str(&head));
	output_add_str(writer->out, buf_str(&writer->message));
	buf_release(&head);
	buf_clear(&writer->message);
}

/** Write a number as a field of the profile. */
static void pprof_write_number(struct pprof_writer *writer, unsigned field, uint64_t number) {
	struct buf text = {0};
	pprof_put_number(&text, field, number);
	output_add_str(writer->out, buf_str(&text));
	buf_release(&text);
}

static uint32_t pprof_string(struct pprof_writer *writer, struct str text) {
	buf_clear(&writer->text);
	utf8_repair(&writer->text, text);
	struct str repaired = buf_str(&writer->text);
	return intern_get(&writer->strings, repaired.p, repaired.n)->id;
}

/* --- Types of values ------------------------------------------------------------------------ */

static void pprof_write_type(struct pprof_writer *writer, unsigned field, struct str type,
			     struct str unit) {
	pprof_put_number(&writer->message, 1, pprof_string(writer, type));
	pprof_put_number(&writer->message, 2, pprof_string(writer, unit));
	pprof_write_message(writer, field);
}

/** Return the index of the value that is the count of stacks. If no value is, return SIZE_MAX. */
static size_t pprof_find_chosen(const struct pprof_writer *writer, const struct values *values) {
	struct buf name = {0};
	size_t found = SIZE_MAX;
	for (size_t i = 0; i < values->n; i++) {
		const struct value_column *column = &values->columns[i];
		buf_clear(&name);
		unit_name_of_value(&name, buf_str(&column->name), buf_str(&column->unit));
		bool is_named = str_eq(buf_str(&name), buf_str(&writer->view->profile->unit));
		if (column->sum == writer->view->sum && (found == SIZE_MAX || is_named)) {
			found = i;
		}
	}
	buf_release(&name);
	return found;
}

/** Write the types of values. If the default value is not the last value, write which value is the
 * default. */
static void pprof_write_types(struct pprof_writer *writer) {
	const struct values *values = writer->values;
	if (values == NULL) {
		struct str type, unit;
		unit_split_name(buf_str(&writer->view->profile->unit), &type, &unit);
		pprof_write_type(writer, PPROF_TYPE, type, unit);
		return;
	}
	for (size_t i = 0; i < values->n; i++) {
		pprof_write_type(writer, PPROF_TYPE, buf_str(&values->columns[i].name),
				 buf_str(&values->columns[i].unit));
	}
	size_t chosen = pprof_find_chosen(writer, values);
	if (chosen + 1 < values->n) {
		pprof_write_number(writer, PPROF_DEFAULT_TYPE,
				   pprof_string(writer, buf_str(&values->columns[chosen].name)));
	}
}

/** Write the settings of the profiler. */
static void pprof_write_period(struct pprof_writer *writer) {
	const struct values *values = writer->view->profile->values;
	if (values != NULL && values->period.known) {
		const struct value_period *period = &values->period;
		pprof_write_number(writer, PPROF_START, period->start);
		pprof_write_number(writer, PPROF_DURATION, period->duration);
		pprof_write_type(writer, PPROF_PERIOD_TYPE, buf_str(&period->name),
				 buf_str(&period->unit));
		pprof_write_number(writer, PPROF_PERIOD, period->period);
	}
}

/* --- Without sites -------------------------------------------------------------------------- */

/** Write each stack that has a count, leaf first. */
static void pprof_write_tree(struct pprof_writer *writer) {
	const struct tree *tree = writer->view->tree;
	uint32_t *path = mem_new(tree->levels + 1, sizeof(*path)); // the location at each depth
	for (size_t i = 0; i < tree->n; i++) {
		const struct call_item *frame = &tree->frames[i];
		if (frame->depth > 0) {
			path[frame->depth] = numbering_of(&writer->numbering, frame) + 1;
		}
		if (frame->count == 0) {
			continue;
		}
		buf_clear(&writer->stack);
		for (uint32_t depth = frame->depth; depth > 0; depth--) {
			buf_add_varint(&writer->stack, path[depth]);
		}
		pprof_put_bytes(&writer->message, 1, buf_str(&writer->stack));
		pprof_put_number(&writer->message, 2, frame->count);
		pprof_write_message(writer, PPROF_SAMPLE);
	}
	free(path);
}

/** Write a location and a function for each name, both with the same id. Put all locations into one
 * mapping. */
static void pprof_write_names(struct pprof_writer *writer) {
	enum { LINE = 4, HAS_FUNCTIONS = 7 };
	pprof_put_number(&writer->message, 1, 1);
	pprof_put_number(&writer->message, HAS_FUNCTIONS, 1);
	pprof_write_message(writer, PPROF_MAPPING);
	for (uint32_t i = 0; i < writer->numbering.n; i++) {
		struct str name = numbering_name(&writer->numbering, writer->view, i);
		buf_clear(&writer->inner);
		pprof_put_number(&writer->inner, 1, i + (uint64_t)1);
		pprof_put_number(&writer->message, 1, i + (uint64_t)1);
		pprof_put_number(&writer->message, 2, 1);
		pprof_put_bytes(&writer->message, LINE, buf_str(&writer->inner));
		pprof_write_message(writer, PPROF_LOCATION);
		pprof_put_number(&writer->message, 1, i + (uint64_t)1);
		pprof_put_number(&writer->message, 2, pprof_string(writer, name));
		pprof_write_message(writer, PPROF_FUNCTION);
	}
}

/* --- Samples with sites --------------------------------------------------------------------- */

static const struct site *pprof_site(const struct pprof_writer *writer, uint32_t id) {
	return sites_get(writer->sites, id);
}

static struct str pprof_text_of_site(const struct pprof_writer *writer, uint32_t text) {
	return sites_text_of(writer->sites, text);
}

/** Return whether a site is inlined into the site before it. */
static bool pprof_is_inlined(const struct pprof_writer *writer, const uint32_t *ids) {
	const struct site *site = pprof_site(writer, ids[0]), *caller = pprof_site(writer, ids[-1]);
	return site->inlined && caller->kind != SITE_LABEL && site->address == caller->address &&
	       site->module == caller->module;
}

/** Extend the address range of a location's module by the address of the location. */
static void pprof_note_module(struct pprof_writer *writer, const struct site *site) {
	struct pprof_module *module = &writer->modules[site->module];
	if (!module->is_used) {
		module->is_used = true;
		module->least = module->most = site->address;
	}
	module->least = site->address < module->least ? site->address : module->least;
	module->most = site->address > module->most ? site->address : module->most;
}

/** Add the locations of a stack, leaf first. */
static void pprof_add_locations(struct pprof_writer *writer, struct stack_row row) {
	buf_clear(&writer->stack);
	for (size_t end = row.depth, start; end > 0; end = start) {
		start = end - 1;
		const struct site *site = pprof_site(writer, row.ids[start]);
		if (site->kind == SITE_LABEL) {
			continue;
		}
		while (start > 0 && pprof_is_inlined(writer, &row.ids[start])) {
			start--;
		}
		uint32_t known = writer->locations.count;
		uint32_t id = intern_get(&writer->locations, &row.ids[start],
					 (end - start) * sizeof(*row.ids))
				      ->id;
		if (id == known) {
			pprof_note_module(writer, site);
		}
		buf_add_varint(&writer->stack, id + (uint64_t)1);
	}
	if (writer->stack.n > 0) {
		pprof_put_bytes(&writer->message, 1, buf_str(&writer->stack));
	}
}

/** Add the values of a stack. Return whether any value is above 0. */
static bool pprof_add_values(struct pprof_writer *writer, uint32_t stack, uint64_t count) {
	const struct values *values = writer->values;
	bool any = values == NULL && count > 0;
	buf_clear(&writer->inner);
	if (values == NULL) {
		buf_add_varint(&writer->inner, count);
	}
	for (size_t i = 0; values != NULL && i < values->n; i++) {
		const struct value_column *column = &values->columns[i];
		uint64_t value = stack < column->n ? column->counts[stack] : 0;
		buf_add_varint(&writer->inner, value);
		any |= value > 0;
	}
	pprof_put_bytes(&writer->message, 2, buf_str(&writer->inner));
	return any;
}

static void pprof_add_labels(struct pprof_writer *writer, struct stack_row row) {
	enum { LABEL = 3 };
	for (size_t i = 0; i < row.depth; i++) {
		const struct site *site = pprof_site(writer, row.ids[i]);
		if (site->kind == SITE_LABEL) {
			const struct site_label label = sites_label(writer->sites, site);
			buf_clear(&writer->inner);
			pprof_put_number(&writer->inner, 1, pprof_string(writer, label.key));
			pprof_put_number(&writer->inner, 2, pprof_string(writer, label.text));
			pprof_put_number(&writer->inner, 3, label.number);
			pprof_put_number(&writer->inner, 4, pprof_string(writer, label.unit));
			pprof_put_bytes(&writer->message, LABEL, buf_str(&writer->inner));
		}
	}
}

static void pprof_write_samples(struct pprof_writer *writer) {
	const struct sites *sites = writer->sites;
	struct ids room = {0};
	for (uint32_t i = 0; i < sites->stacks.table.count; i++) {
		struct stack_row row = stacks_get(&sites->stacks, i, &room);
		buf_clear(&writer->message);
		if (pprof_add_values(writer, i, row.count)) {
			pprof_add_locations(writer, row);
			pprof_add_labels(writer, row);
			pprof_write_message(writer, PPROF_SAMPLE);
		}
	}
	ids_release(&room);
	buf_clear(&writer->message);
}

/* --- Mappings, locations, functions ------------------------------------------------------------
 */

/** Set the mapping of a module. If the mapping is not known, choose a free range of addresses.
 * Modules of the kernel keep their addresses. */
static void pprof_place_module(struct pprof_writer *writer, uint32_t number, uint64_t *next) {
	const uint64_t page = 0x1000, kernel = UINT64_C(1) << 47;
	struct pprof_module *module = &writer->modules[number];
	module->place = sites_place_of(writer->sites, number);
	if (module->is_used || module->place.end != 0) {
		module->number = ++writer->mappings;
	}
	if (number == 0 || module->place.end != 0 || !module->is_used) {
		return;
	}
	uint64_t size = (module->most | (page - 1)) + 1;
	if (module->most >= kernel) {
		uint64_t least = module->least & ~(page - 1);
		module->place = (struct site_place){least, module->most + 1, least};
		return;
	}
	module->place = (struct site_place){*next, *next + size, 0};
	*next += size;
}

static void pprof_write_mapping(struct pprof_writer *writer, uint32_t number) {
	enum { START = 2, LIMIT, OFFSET, FILENAME, BUILD_ID, FUNCTIONS, FILENAMES, LINES, INLINED };
	const struct pprof_module *module = &writer->modules[number];
	const struct site_module known = sites_module_of(writer->sites, number);
	struct buf *out = &writer->message;
	pprof_put_number(out, 1, module->number);
	pprof_put_number(out, START, module->place.start);
	pprof_put_number(out, LIMIT, module->place.end);
	pprof_put_number(out, OFFSET, module->place.offset);
	pprof_put_number(out, FILENAME,
			 pprof_string(writer, pprof_text_of_site(writer, known.file)));
	pprof_put_number(out, BUILD_ID,
			 pprof_string(writer, pprof_text_of_site(writer, known.build_id)));
	pprof_put_number(out, FUNCTIONS, module->has_functions);
	pprof_put_number(out, FILENAMES, module->has_files);
	pprof_put_number(out, LINES, module->has_lines);
	pprof_put_number(out, INLINED, module->has_inlined);
	pprof_write_message(writer, PPROF_MAPPING);
}

/** Return whether a site has no symbol, so that its name is only the name of its module. */
static bool pprof_is_nameless(const struct pprof_writer *writer, const struct site *site,
			      struct str name) {
	const struct site_module module = sites_module_of(writer->sites, site->module);
	struct str file = pprof_text_of_site(writer, module.file);
	file = str_from(file, str_find_last(file, '/') + 1);
	bool is_bare = site->address != 0 && site->file == 0 && site->line == 0 &&
		       site->system == 0 && name.n > 1 && name.p[0] == '[';
	struct str inner = str_to(str_from(name, is_bare), is_bare ? name.n - 2 : name.n);
	return is_bare && (str_eq(name, STR("[unknown]")) || str_eq(name, file) ||
			   (file.n > 0 && str_eq(inner, file)));
}

/** Add the line of a site to the location. */
static void pprof_add_line(struct pprof_writer *writer, const struct site *site, struct str name) {
	enum { LINE = 4 };
	struct pprof_module *module = &writer->modules[site->module];
	struct pprof_written_function function = {
		.name = pprof_string(writer, name),
		.system = pprof_string(writer, pprof_text_of_site(writer, site->system)),
		.file = pprof_string(writer, pprof_text_of_site(writer, site->file)),
		.start_line = site->start_line};
	uint32_t id = intern_get(&writer->functions, &function, sizeof(function))->id;
	buf_clear(&writer->inner);
	pprof_put_number(&writer->inner, 1, id + (uint64_t)1);
	pprof_put_number(&writer->inner, 2, site->line);
	pprof_put_number(&writer->inner, 3, site->column);
	pprof_put_bytes(&writer->message, LINE, buf_str(&writer->inner));
	module->has_functions = true;
	module->has_files |= site->file != 0;
	module->has_lines |= site->line != 0;
	module->has_inlined |= site->inlined != 0;
}

/** Write a location: its functions, innermost first. */
static void pprof_write_location(struct pprof_writer *writer, uint32_t location) {
	const struct intern_key *key = writer->locations.keys[location];
	const uint32_t *ids = (const void *)key->bytes;
	size_t n = key->len / sizeof(*ids);
	const struct site *first = pprof_site(writer, ids[0]);
	const struct pprof_module *module = &writer->modules[first->module];
	uint64_t address = first->address;
	if (first->module != 0 && module->place.end != 0) {
		address += module->place.start - module->place.offset;
	}
	pprof_put_number(&writer->message, 1, location + (uint64_t)1);
	pprof_put_number(&writer->message, 2, module->number);
	pprof_put_number(&writer->message, 3, address);
	for (size_t i = n; i > 0; i--) {
		const struct site *site = pprof_site(writer, ids[i - 1]);
		struct str name =
			profile_name(writer->view->profile, writer->sites->names[ids[i - 1]]);
		if (n > 1 || !pprof_is_nameless(writer, site, name)) {
			pprof_add_line(writer, site, name);
		}
	}
	pprof_write_message(writer, PPROF_LOCATION);
}

static void pprof_write_function(struct pprof_writer *writer, uint32_t number) {
	enum { NAME = 2, SYSTEM, FILENAME, START_LINE };
	struct pprof_written_function function;
	memcpy(&function, writer->functions.keys[number]->bytes, sizeof(function));
	pprof_put_number(&writer->message, 1, number + (uint64_t)1);
	pprof_put_number(&writer->message, NAME, function.name);
	pprof_put_number(&writer->message, SYSTEM, function.system);
	pprof_put_number(&writer->message, FILENAME, function.file);
	pprof_put_number(&writer->message, START_LINE, function.start_line);
	pprof_write_message(writer, PPROF_FUNCTION);
}

static void pprof_write_sites(struct pprof_writer *writer) {
	uint32_t modules = writer->sites->modules.count;
	uint64_t next = 0x1000; // start address of the next module without a known mapping
	writer->modules = mem_new((size_t)modules + 1, sizeof(*writer->modules));
	pprof_write_samples(writer);
	for (uint32_t i = 1; i <= modules; i++) { // write the unknown module last
		pprof_place_module(writer, i % modules, &next);
	}
	for (uint32_t i = 0; i < writer->locations.count; i++) {
		pprof_write_location(writer, i);
	}
	for (uint32_t i = 1; i <= modules; i++) {
		if (writer->modules[i % modules].number > 0) {
			pprof_write_mapping(writer, i % modules);
		}
	}
	for (uint32_t i = 0; i < writer->functions.count; i++) {
		pprof_write_function(writer, i);
	}
}

/* --- The exporter --------------------------------------------------------------------------- */

/** Choose the values that are written. Return 0, or -1 after diag_error(). */
static int pprof_choose_values(struct pprof_writer *writer, struct diag *diag) {
	const struct values *values = writer->sites == NULL ? NULL : writer->sites->values;
	bool all = values != NULL && values->n > 0 && !values->partial && !values->overflow &&
		   pprof_find_chosen(writer, values) != SIZE_MAX;
	bool fits = values == NULL || values->period.duration <= INT64_MAX;
	writer->values = all ? values : NULL;
	for (size_t i = 0; all && i < values->n; i++) {
		fits &= values->columns[i].sum <= INT64_MAX;
	}
	return fits ? 0
		    : diag_error(diag, "the counts are too large for pprof, whose numbers have 63 "
				       "bits");
}

static void pprof_write_strings(struct pprof_writer *writer) {
	for (uint32_t i = 0; i < writer->strings.count; i++) {
		buf_add_str(&writer->message, intern_str(writer->strings.keys[i]));
		pprof_write_message(writer, PPROF_STRING);
	}
}

static void pprof_writer_release(struct pprof_writer *writer) {
	struct intern *tables[] = {&writer->strings, &writer->locations, &writer->functions};
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		intern_release(tables[i]);
	}
	struct buf *texts[] = {&writer->message, &writer->inner, &writer->stack, &writer->text};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		buf_release(texts[i]);
	}
	free(writer->modules);
	numbering_release(&writer->numbering);
}

static int pprof_write(void *state, struct output *out, const struct view *view,
		       const struct opt_set *options, struct diag *diag) {
	(void)state, (void)options;
	struct pprof_writer writer = {.out = out, .view = view, .sites = view_sites(view)};
	if (pprof_choose_values(&writer, diag) != 0) {
		return -1;
	}
	(void)pprof_string(&writer, STR("")); // the empty string has the index 0
	pprof_write_types(&writer);
	pprof_write_period(&writer);
	if (writer.sites != NULL) {
		pprof_write_sites(&writer);
	} else {
		numbering_init(&writer.numbering, view);
		pprof_write_tree(&writer);
		pprof_write_names(&writer);
	}
	pprof_write_strings(&writer);
	pprof_writer_release(&writer);
	return 0;
}

const struct exporter exporter_pprof = {
	.name = "pprof",
	.suffixes = ".pprof .pb",
	.brief = "the protocol buffers of pprof",
	.needs = EXPORT_ONE | EXPORT_TREE | EXPORT_VALUES | EXPORT_SITES | EXPORT_LABELS,
	.bits = 63,
	.write = pprof_write,
};
