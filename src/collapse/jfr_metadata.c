/* The metadata of Java Flight Recorder. */
#include "collapse/jfr_metadata.h"

#include <stdlib.h>

/** Read the strings of the metadata. Return false if a string is damaged or missing. */
static bool jfr_metadata_read_strings(struct jfr_metadata *metadata, struct str *rest) {
	uint64_t n;
	struct buf text = {0};
	bool good = jfr_take_number(rest, &n);
	for (uint64_t i = 0; good && i < n; i++) {
		struct jfr_value value;
		good = jfr_take_string(rest, &value);
		buf_clear(&text);
		if (good) {
			jfr_add_string(&text, &value);
		}
		*MEM_APPEND(metadata->strings, metadata->strings_n, metadata->strings_capacity) =
			(struct str){arena_copy(&metadata->texts, buf_str(&text).p, text.n),
				     text.n};
	}
	buf_release(&text);
	return good;
}

/** An element of the metadata: its name, and the attributes that the reader needs. */
struct jfr_element {
	struct str name;
	struct str attribute_name, id, type, pooled, dimension;
};

/** Cut the index of a string off the front, and set `*text` to the string. Return false if there is
 * no such string. */
static bool jfr_metadata_take_text(const struct jfr_metadata *metadata, struct str *rest,
				   struct str *text) {
	uint64_t index;
	if (!jfr_take_number(rest, &index) || index >= metadata->strings_n) {
		return false;
	}
	*text = metadata->strings[index];
	return true;
}

static bool jfr_metadata_take_element(const struct jfr_metadata *metadata, struct str *rest,
				      struct jfr_element *element) {
	uint64_t n;
	*element = (struct jfr_element){.name = STR("")};
	if (!jfr_metadata_take_text(metadata, rest, &element->name) || !jfr_take_number(rest, &n)) {
		return false;
	}
	for (uint64_t i = 0; i < n; i++) {
		struct str key, value;
		if (!jfr_metadata_take_text(metadata, rest, &key) ||
		    !jfr_metadata_take_text(metadata, rest, &value)) {
			return false;
		}
		struct str *kept = str_eq(key, STR("name"))           ? &element->attribute_name
				   : str_eq(key, STR("id"))           ? &element->id
				   : str_eq(key, STR("class"))        ? &element->type
				   : str_eq(key, STR("constantPool")) ? &element->pooled
				   : str_eq(key, STR("dimension"))    ? &element->dimension
								      : &key;
		*kept = value;
	}
	return true;
}

/** Read a number in decimal digits. Return false if the text is not a number, or if the number has
 * more than 64 bits. */
static bool jfr_metadata_read_id(struct str text, uint64_t *id) {
	const uint64_t ten = 10;
	*id = 0;
	for (size_t i = 0; i < text.n; i++) {
		uint64_t digit = (uint64_t)(text.p[i] - '0');
		if (!is_digit(text.p[i]) || *id > (UINT64_MAX - digit) / ten) {
			return false;
		}
		*id = *id * ten + digit;
	}
	return text.n > 0;
}

/**
 * Store a class, or a field of the last class, and ignore other elements. Return false if an id is
 * bad, or if a field precedes all classes.
 */
static bool jfr_metadata_keep_element(struct jfr_metadata *metadata,
				      const struct jfr_element *element) {
	uint64_t id;
	if (str_eq(element->name, STR("class"))) {
		if (!jfr_metadata_read_id(element->id, &id)) {
			return false;
		}
		*MEM_APPEND(metadata->types, metadata->types_n,
			    metadata->types_capacity) = (struct jfr_type){
			.id = id, .name = element->attribute_name, .fields = metadata->fields_n};
		intern_get(&metadata->ids, &id, sizeof(id))->value = metadata->types_n;
		if (id < JFR_SMALL_IDS) {
			metadata->places[id] = (uint32_t)metadata->types_n;
		}
	} else if (str_eq(element->name, STR("field"))) {
		if (metadata->types_n == 0 || !jfr_metadata_read_id(element->type, &id)) {
			return false;
		}
		*MEM_APPEND(metadata->fields, metadata->fields_n, metadata->fields_capacity) =
			(struct jfr_field){
				element->attribute_name, id, str_eq(element->pooled, STR("true")),
				element->dimension.n > 0 && !str_eq(element->dimension, STR("0"))};
		metadata->types[metadata->types_n - 1].fields_n++;
	}
	return true;
}

/** Read the tree of elements. Return false if the tree is damaged or too deep. */
static bool jfr_metadata_read_elements(struct jfr_metadata *metadata, struct str *rest) {
	enum { DEPTH = 32 };
	uint64_t left[DEPTH] = {1}; // number of elements still to read, by level
	size_t level = 0;
	while (level > 0 || left[0] > 0) {
		if (left[level] == 0) {
			level--;
			continue;
		}
		left[level]--;
		struct jfr_element element;
		uint64_t children;
		if (!jfr_metadata_take_element(metadata, rest, &element) ||
		    !jfr_take_number(rest, &children) ||
		    !jfr_metadata_keep_element(metadata, &element) ||
		    (children > 0 && level + 1 == DEPTH)) {
			return false;
		}
		if (children > 0) {
			left[++level] = children;
		}
	}
	return true;
}

int jfr_read_metadata(struct jfr_file *file, struct jfr_metadata *metadata) {
	struct jfr_event event;
	uint64_t at = file->chunk.metadata, number;
	if (jfr_look_event(file, at, file->chunk.end - at, true, &event) != 0) {
		return -1;
	}
	metadata->places = mem_new(JFR_SMALL_IDS, sizeof(*metadata->places));
	buf_add_str(&metadata->bytes, event.rest);
	struct str rest = buf_str(&metadata->bytes);
	bool good = event.type == 0 && jfr_take_number(&rest, &number) && // the start
		    jfr_take_number(&rest, &number) &&                    // the duration
		    jfr_take_number(&rest, &number) &&                    // the id
		    jfr_metadata_read_strings(metadata, &rest) &&
		    jfr_metadata_read_elements(metadata, &rest);
	return good ? 0 : jfr_fail(file, at, "bad metadata of a chunk");
}

static const struct {
	const char *field;
	enum jfr_slot slot;
} jfr_slots[] = {
	{"string", JFR_TEXT},
	{"description", JFR_TEXT},
	{"name", JFR_NAME},
	{"type", JFR_TYPE},
	{"method", JFR_METHOD},
	{"lineNumber", JFR_LINE},
	{"frames", JFR_FRAMES},
	{"osName", JFR_OS_NAME},
	{"javaName", JFR_JAVA_NAME},
	{"stackTrace", JFR_STACK},
	{"sampledThread", JFR_THREAD},
	{"eventThread", JFR_THREAD},
	{"state", JFR_STATE},
	{"startTime", JFR_START},
	{"objectClass", JFR_CLASS},
	{"monitorClass", JFR_CLASS},
	{"parkedClass", JFR_CLASS},
	{"weight", JFR_WEIGHT},
	{"tlabSize", JFR_TLAB_SIZE},
	{"allocationSize", JFR_ALLOCATION_SIZE},
	{"duration", JFR_DURATION},
	{"size", JFR_SIZE},
	{"samples", JFR_SAMPLES},
};

static enum jfr_slot jfr_metadata_find_slot(struct str field) {
	for (size_t i = 0; i < sizeof(jfr_slots) / sizeof(jfr_slots[0]); i++) {
		if (str_eq(field, str_of(jfr_slots[i].field))) {
			return jfr_slots[i].slot;
		}
	}
	return JFR_NOWHERE;
}

static struct jfr_step *jfr_metadata_push_step(struct jfr_metadata *metadata,
					       struct jfr_step step) {
	MEM_GROW(metadata->steps, metadata->steps_capacity, metadata->steps_n + 1);
	metadata->steps[metadata->steps_n] = step;
	return &metadata->steps[metadata->steps_n++];
}

/** Add the step that reads a value of a basic type. Return false for any other type. */
static bool jfr_metadata_push_plain(struct jfr_metadata *metadata, struct str type,
				    enum jfr_slot slot) {
	static const struct {
		const char *name;
		struct jfr_step step;
	} plain[] = {
		{"int", {.what = JFR_STEP_NUMBER}},
		{"long", {.what = JFR_STEP_NUMBER}},
		{"short", {.what = JFR_STEP_NUMBER}},
		{"char", {.what = JFR_STEP_NUMBER}},
		{"boolean", {.what = JFR_STEP_BYTES, .n = 1}},
		{"byte", {.what = JFR_STEP_BYTES, .n = 1}},
		{"float", {.what = JFR_STEP_BYTES, .n = 4}},
		{"double", {.what = JFR_STEP_BYTES, .n = 8}},
		{"java.lang.String", {.what = JFR_STEP_STRING}},
	};
	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++) {
		if (str_eq(type, str_of(plain[i].name))) {
			struct jfr_step step = plain[i].step;
			step.slot = slot;
			jfr_metadata_push_step(metadata, step);
			return true;
		}
	}
	return false;
}

/** The greatest depth of nested types, and the greatest number of steps for all types of a chunk.
 */
enum { JFR_DEPTH_MOST = 8, JFR_STEPS_MOST = 1 << 20 };

/** Add the steps of all fields of a type. Return false if the type of a field is missing, or if the
 * types are too large or nested too deeply. `captures` says whether the steps store the values in
 * slots. */
static bool jfr_metadata_compile_fields(struct jfr_metadata *metadata, const struct jfr_type *type,
					unsigned depth, bool captures);

static bool jfr_metadata_compile_field(struct jfr_metadata *metadata, const struct jfr_field *field,
				       unsigned depth, bool captures) {
	enum jfr_slot slot = captures ? jfr_metadata_find_slot(field->name) : JFR_NOWHERE;
	const struct jfr_type *type = jfr_find_type(metadata, field->type);
	size_t list = metadata->steps_n;
	if (type == NULL || depth > JFR_DEPTH_MOST || metadata->steps_n > JFR_STEPS_MOST) {
		return false;
	}
	if (field->list) {
		jfr_metadata_push_step(metadata, (struct jfr_step){JFR_STEP_LIST, slot, 0});
	}
	bool good = true;
	if (field->pooled) {
		jfr_metadata_push_step(metadata, (struct jfr_step){JFR_STEP_NUMBER, slot, 0});
	} else if (!jfr_metadata_push_plain(metadata, type->name,
					    field->list ? JFR_NOWHERE : slot)) {
		good = jfr_metadata_compile_fields(metadata, type, depth + 1,
						   captures && slot == JFR_FRAMES);
	}
	if (field->list) {
		metadata->steps[list].n = (uint32_t)(metadata->steps_n - list - 1);
	}
	return good;
}

static bool jfr_metadata_compile_fields(struct jfr_metadata *metadata, const struct jfr_type *type,
					unsigned depth, bool captures) {
	bool good = true;
	for (size_t i = 0; i < type->fields_n && good; i++) {
		good = jfr_metadata_compile_field(metadata, &metadata->fields[type->fields + i],
						  depth, captures);
	}
	return good;
}

int jfr_compile(const struct jfr_file *file, struct jfr_metadata *metadata, struct jfr_type *type) {
	if (type->is_compiled) {
		return 0;
	}
	type->is_compiled = true;
	type->steps = metadata->steps_n;
	bool good = jfr_metadata_push_plain(metadata, type->name, JFR_TEXT) ||
		    jfr_metadata_compile_fields(metadata, type, 0, true);
	type->steps_n = metadata->steps_n - type->steps;
	return good ? 0
		    : diag_error(file->diag,
				 "%s: byte %llu: the metadata describes '%s' with a type that is "
				 "missing or too large",
				 input_name(file->input), (unsigned long long)file->chunk.metadata,
				 quote(type->name).text);
}

static bool jfr_metadata_run(const struct jfr_step *step, size_t n, struct str *rest,
			     struct jfr_value *values) {
	for (const struct jfr_step *end = step + n; step < end; step++) {
		struct jfr_value *value = &values[step->slot];
		switch (step->what) {
		case JFR_STEP_NUMBER:
			value->encoding = JFR_POOLED;
			if (!jfr_take_number(rest, &value->number)) {
				return false;
			}
			break;
		case JFR_STEP_BYTES:
			if (rest->n < step->n) {
				return false;
			}
			value->number = (unsigned char)rest->p[0];
			*rest = str_from(*rest, step->n);
			break;
		case JFR_STEP_STRING:
			if (!jfr_take_string(rest, value)) {
				return false;
			}
			break;
		case JFR_STEP_LIST:
			if (!jfr_take_number(rest, &value->number)) {
				return false;
			}
			value->text = *rest;
			for (uint64_t i = value->number; i > 0 && step->n > 0; i--) {
				if (!jfr_run_item(step, rest, values)) {
					return false;
				}
			}
			step += step->n;
			break;
		}
	}
	return true;
}

bool jfr_run_item(const struct jfr_step *list, struct str *rest, struct jfr_value *values) {
	return jfr_metadata_run(list + 1, list->n, rest, values);
}

bool jfr_run(const struct jfr_metadata *metadata, const struct jfr_type *type, struct str *rest,
	     struct jfr_value *values) {
	// if no type has steps, `metadata->steps` is NULL
	return type->steps_n == 0 ||
	       jfr_metadata_run(metadata->steps + type->steps, type->steps_n, rest, values);
}

void jfr_release_metadata(struct jfr_metadata *metadata) {
	buf_release(&metadata->bytes);
	arena_release(&metadata->texts);
	free(metadata->strings);
	free(metadata->types);
	free(metadata->fields);
	free(metadata->steps);
	free(metadata->places);
	intern_release(&metadata->ids);
	*metadata = (struct jfr_metadata){0};
}
