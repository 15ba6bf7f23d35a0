/* The items of one long array in JSON. This file counts the open values, and keeps the members of
 * one item at a time. Other values are checked and dropped. */
#include "collapse/json.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"

/** A member of an item. The key and the value of a member are in `texts`. */
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
	struct json_parser *parser;
	const char *name;
	json_on_item *on_item;
	void *context;
	size_t open;  // number of open objects and arrays
	size_t items; // number of open values that enclose an item; 0 outside of the array
	bool wanted;  // whether the last key is the key of the array
	bool found;   // whether the array was found
	bool stopped; // whether on_item() returned false
	bool ended;   // whether json_finish() has closed the array
	char last;    // the last byte so far that is not a blank
	struct json_item item;
	uint64_t item_line;
};

/* --- Values --------------------------------------------------------------------------------- */

static bool json_is_member(const struct json *json) {
	return json->items > 0 && json->open == json->items + 1 && json->item.is_object;
}

static bool json_is_item(const struct json *json) {
	return json->items > 0 && json->open == json->items;
}

/** If the value is an item, start the item. */
static bool json_begin_value(struct json *json, bool is_object) {
	if (json_is_item(json)) {
		json->item_line = json_parser_line(json->parser);
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

/** Keep a value if it is the value of a member of an item. */
static void json_set_member(struct json *json, enum json_kind kind, struct str text) {
	if (json_is_member(json)) {
		struct member *member = &json->item.members[json->item.n - 1];
		member->kind = kind;
		member->text = json->item.texts.n;
		member->text_n = text.n;
		buf_add_str(&json->item.texts, text);
	}
}

/** Handle a value that is neither an object nor an array. */
static bool json_take_value(void *context, enum json_kind kind, struct str text) {
	struct json *json = context;
	if (json->open == 0) {
		return json_parser_fail(json->parser, "expected an object or an array");
	}
	if (json->open == 1 && json->wanted) {
		return json_parser_fail(json->parser, "the member with the events is not an array");
	}
	json_begin_value(json, false);
	json_set_member(json, kind, text);
	return json_end_value(json);
}

/** Enter an object or an array. */
static bool json_open_value(void *context, bool is_object) {
	struct json *json = context;
	bool is_wanted = json->open == 0 ? !is_object : json->open == 1 && json->wanted;
	if (is_wanted && is_object) {
		return json_parser_fail(json->parser, "the member with the events is not an array");
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

static bool json_close_value(void *context) {
	struct json *json = context;
	if (json->open == json->items) {
		json->items = 0;
	}
	json->open--;
	json->wanted = false;
	return json_end_value(json);
}

static bool json_take_key(void *context, struct str key) {
	struct json *json = context;
	struct json_item *item = &json->item;
	json->wanted = json->open == 1 && str_eq(key, str_of(json->name));
	if (json_is_member(json)) {
		*MEM_APPEND(item->members, item->n, item->capacity) =
			(struct member){.key = item->texts.n, .key_n = key.n};
		buf_add_str(&item->texts, key);
	}
	return true;
}

struct json *json_new(const char *name, json_on_item *on_item, void *context) {
	static const struct json_calls calls = {
		json_take_value, json_open_value, json_close_value, json_take_key, NULL, NULL};
	struct json *json = mem_new(1, sizeof(*json));
	json->parser = json_parser_new(&calls, json);
	json->name = name;
	json->on_item = on_item;
	json->context = context;
	return json;
}

/* --- Pieces --------------------------------------------------------------------------------- */

/** End the text. If the array is the whole text and is still open, close the array. Return false if
 * the text is incomplete or lacks the array. */
static bool json_finish(struct json *json) {
	if (json->items == 1 && json->open == 1) {
		json->ended = true;
		if (!json_parser_feed(json->parser, json->last == ',' ? STR("null]") : STR("]"))) {
			return json_parser_fail(json->parser, "unexpected end");
		}
	}
	return json_parser_end(json->parser) &&
	       (json->found || json_parser_fail(json->parser, "there is no array of events in it"));
}

bool json_feed(struct json *json, struct str bytes, bool last) {
	struct str rest = str_trim_end(bytes);
	json->last = rest.n > 0 ? rest.p[rest.n - 1] : json->last;
	bool good = json->stopped || json_parser_feed(json->parser, bytes);
	return json->stopped || (good && (!last || json_finish(json)));
}

const char *json_error(const struct json *json) {
	return json_parser_error(json->parser);
}

uint64_t json_line(const struct json *json) {
	return json_parser_line(json->parser);
}

void json_free(struct json *json) {
	if (json != NULL) {
		json_parser_free(json->parser);
		buf_release(&json->item.texts);
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
