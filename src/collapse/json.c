/*
 * A reader of JSON in pieces, which uses yajl.
 *
 * yajl reports each token. This file counts the open values, and keeps the members of one item at a
 * time. Other values are checked and dropped.
 */
#include "collapse/json.h"

#include <stdlib.h>
#include <yajl/yajl_parse.h>

#include "base/buf.h"
#include "base/mem.h"

/** A member of an item. Its key and its text are in `texts`. */
struct member {
	enum json_kind kind;
	size_t key, key_n, text, text_n;
};

struct json_item {
	bool is_object;
	struct member *members;
	size_t n, capacity;
	struct buf texts;
};

struct json {
	yajl_handle parser;
	const char *name;
	json_on_item *on_item;
	void *context;
	size_t open;   // number of open objects and arrays
	size_t items;  // how many of them enclose an item; 0 outside of the array
	bool wanted;   // the last key is that of the array
	bool found;    // the array was found
	bool stopped;  // fuzz_json_on_item() returned false
	bool ended;    // json_finish() has closed the array
	char last;     // the last byte so far that is not a blank
	size_t silent; // bytes read since the last token
	struct json_item item;
	struct str piece; // the bytes that are being read
	size_t counted;   // how many of them are in `line`
	uint64_t line;    // the line at `counted`, from 1
	uint64_t item_line;
	const char *error;
	struct buf error_text;
};

/** Stop the reader. Return the value that stops yajl. */
static int json_fail(struct json *json, const char *error) {
	json->error = error;
	return false;
}

/** Count the lines up to yajl's place in the text. */
static uint64_t json_count_lines(struct json *json) {
	size_t at = yajl_get_bytes_consumed(json->parser);
	at = at < json->piece.n ? at : json->piece.n;
	while (json->counted < at) {
		struct str rest = str_from(str_to(json->piece, at), json->counted);
		size_t end = str_find(rest, '\n');
		json->line += end != STR_NONE;
		json->counted = end == STR_NONE ? at : json->counted + end + 1;
	}
	return json->line;
}

/* --- Values --------------------------------------------------------------------------------- */

static bool json_is_member(const struct json *json) {
	return json->items > 0 && json->open == json->items + 1 && json->item.is_object;
}

static bool json_is_item(const struct json *json) {
	return json->items > 0 && json->open == json->items;
}

/** Note that a value begins. */
static bool json_begin_value(struct json *json, bool is_object) {
	json->silent = 0;
	if (json_is_item(json)) {
		json->item_line = json_count_lines(json);
		json->item.is_object = is_object;
		json->item.n = json->item.texts.n = 0;
	}
	return true;
}

static bool json_end_value(struct json *json) {
	if (json_is_item(json) && !json->ended) {
		json->stopped = !json->on_item(json->context, &json->item, json->item_line);
	}
	return !json->stopped;
}

/** Keep a value if it belongs to a member of an item. */
static void json_set_member(struct json *json, enum json_kind kind, struct str text) {
	if (json_is_member(json)) {
		struct member *member = &json->item.members[json->item.n - 1];
		member->kind = kind;
		member->text = json->item.texts.n;
		member->text_n = text.n;
		buf_add_str(&json->item.texts, text);
	}
}

/** Take a value that is neither an object nor an array. */
static int json_take_value(struct json *json, enum json_kind kind, struct str text) {
	if (json->open == 0) {
		return json_fail(json, "expected an object or an array");
	}
	if (json->open == 1 && json->wanted) {
		return json_fail(json, "the member with the events is not an array");
	}
	json_begin_value(json, false);
	json_set_member(json, kind, text);
	return json_end_value(json);
}

/** Enter an object or an array. */
static int json_open_value(struct json *json, bool is_object) {
	bool is_wanted = json->open == 0 ? !is_object : json->open == 1 && json->wanted;
	if (is_wanted && is_object) {
		return json_fail(json, "the member with the events is not an array");
	}
	json_set_member(json, JSON_OTHER, STR(""));
	json_begin_value(json, is_object);
	json->open++;
	json->wanted = false;
	if (is_wanted) {
		json->found = true;
		json->items = json->open;
	}
	return true;
}

static int json_close_value(void *context) {
	struct json *json = context;
	if (json->open == json->items) {
		json->items = 0;
	}
	json->open--;
	json->wanted = false;
	return json_end_value(json);
}

/* --- What yajl calls ------------------------------------------------------------------------ */

static int json_on_null(void *context) {
	return json_take_value(context, JSON_MISSING, STR(""));
}

static int json_on_boolean(void *context, int value) {
	(void)value;
	return json_take_value(context, JSON_OTHER, STR(""));
}

static int json_on_number(void *context, const char *text, size_t n) {
	return json_take_value(context, JSON_NUMBER, (struct str){text, n});
}

static int json_on_string(void *context, const unsigned char *text, size_t n) {
	return json_take_value(context, JSON_STRING, (struct str){(const char *)text, n});
}

static int json_on_object(void *context) {
	return json_open_value(context, true);
}

static int json_on_array(void *context) {
	return json_open_value(context, false);
}

static int json_on_key(void *context, const unsigned char *text, size_t n) {
	struct json *json = context;
	struct json_item *item = &json->item;
	struct str key = {(const char *)text, n};
	json->silent = 0;
	json->wanted = json->open == 1 && str_eq(key, str_of(json->name));
	if (json_is_member(json)) {
		item->members = mem_grow(item->members, &item->capacity, item->n + 1,
					 sizeof(*item->members));
		item->members[item->n++] = (struct member){.key = item->texts.n, .key_n = n};
		buf_add_str(&item->texts, key);
	}
	return true;
}

/* These never return NULL, because yajl does not check its memory. */

static void *json_resize(void *context, void *memory, size_t size) {
	(void)context;
	memory = realloc(memory, size);
	if (memory == NULL) {
		inferno_out_of_memory();
	}
	return memory;
}

static void *json_allocate(void *context, size_t size) {
	return json_resize(context, NULL, size);
}

static void json_release(void *context, void *memory) {
	(void)context;
	free(memory);
}

struct json *json_new(const char *name, json_on_item *on_item, void *context) {
	static const yajl_callbacks callbacks = {
		.yajl_null = json_on_null,
		.yajl_boolean = json_on_boolean,
		.yajl_number = json_on_number,
		.yajl_string = json_on_string,
		.yajl_start_map = json_on_object,
		.yajl_map_key = json_on_key,
		.yajl_end_map = json_close_value,
		.yajl_start_array = json_on_array,
		.yajl_end_array = json_close_value,
	};
	static yajl_alloc_funcs memory = {json_allocate, json_resize, json_release, NULL};
	struct json *json = mem_new(1, sizeof(*json));
	json->parser = yajl_alloc(&callbacks, &memory, json);
	yajl_config(json->parser, yajl_dont_validate_strings, 1);
	json->name = name;
	json->on_item = on_item;
	json->context = context;
	json->line = 1;
	return json;
}

/* --- Pieces --------------------------------------------------------------------------------- */

/**
 * Put yajl's error, such as "parse error: unallowed token.\n", into words.
 */
static void json_describe(struct json *json) {
	if (json->error == NULL) {
		unsigned char *text = yajl_get_error(json->parser, 0, NULL, 0);
		struct str phrase = str_trim(str_of((const char *)text));
		size_t kind = str_find_str(phrase, STR(": "));
		phrase = kind == STR_NONE ? phrase : str_from(phrase, kind + 2);
		buf_add_str(&json->error_text,
			    str_to(phrase, phrase.n - str_ends(phrase, STR("."))));
		yajl_free_error(json->parser, text);
		json->error = buf_text(&json->error_text);
	}
}

/** Read a piece. Return false if it is not JSON. */
static bool json_parse(struct json *json, struct str piece) {
	json->piece = piece;
	json->counted = 0;
	yajl_status status = yajl_parse(json->parser, (const unsigned char *)piece.p, piece.n);
	json_count_lines(json);
	if (status != yajl_status_ok && !json->stopped) {
		json_describe(json);
		return false;
	}
	return true;
}

/** End the text, and the array if no object is around it. */
static bool json_finish(struct json *json) {
	if (json->items == 1 && json->open == 1) {
		json->ended = true;
		if (!json_parse(json, json->last == ',' ? STR("null]") : STR("]"))) {
			return json_fail(json, "unexpected end");
		}
	}
	if (yajl_complete_parse(json->parser) != yajl_status_ok) {
		return json_fail(json, json->error != NULL ? json->error : "unexpected end");
	}
	return json->found || json_fail(json, "there is no array of events in it");
}

bool json_feed(struct json *json, struct str bytes, bool last) {
	static const size_t longest = (size_t)1 << 30; // a longer token is not a name
	json->silent += bytes.n;
	struct str rest = str_trim_end(bytes);
	json->last = rest.n > 0 ? rest.p[rest.n - 1] : json->last;
	if (json->silent > longest) {
		return json_fail(json, "a string is longer than a gigabyte");
	}
	return json->stopped ||
	       (json_parse(json, bytes) && (!last || json->stopped || json_finish(json)));
}

const char *json_error(const struct json *json) {
	return json->error;
}

uint64_t json_line(const struct json *json) {
	return json->line;
}

void json_free(struct json *json) {
	if (json != NULL) {
		yajl_free(json->parser);
		buf_release(&json->item.texts);
		buf_release(&json->error_text);
		free(json->item.members);
		free(json);
	}
}

bool json_is_object(const struct json_item *item) {
	return item->is_object;
}

enum json_kind json_member(const struct json_item *item, const char *name, struct str *text) {
	*text = STR("");
	for (size_t i = item->n; i > 0; i--) {
		const struct member *member = &item->members[i - 1];
		const char *texts = item->texts.p;
		if (str_eq((struct str){texts + member->key, member->key_n}, str_of(name))) {
			*text = (struct str){texts + member->text, member->text_n};
			return member->kind;
		}
	}
	return JSON_MISSING;
}
