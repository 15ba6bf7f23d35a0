/*
 * A thin layer over json-c.
 *
 * What is outside the values, and of the outermost two levels, is read here; each value is left to
 * json-c, which tells where it ends.
 */
#include "collapse/json.h"

#include <json-c/json.h>
#include <limits.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"

enum { DEPTH_MOST = 2048 }; // of a value

/** What comes next. */
enum place {
	AT_START,
	AT_FIRST_KEY, // or the end of the object
	AT_KEY,
	AT_COLON,
	AT_VALUE,
	BEHIND_VALUE,
	AT_FIRST_ITEM, // or the end of the array
	AT_ITEM,
	BEHIND_ITEM,
	AT_END,
};

struct json {
	struct json_tokener *tokener;
	const char *name;
	json_on_item *on_item;
	void *context;
	enum place place;
	bool in_value; // of the place: json-c has its start
	bool in_object, found, wanted, stopped;
	uint64_t line, item_line;
	const char *error;
	struct buf text; // to read: repaired
	struct buf tail; // of the last piece: perhaps the start of a character
};

struct json *json_new(const char *name, json_on_item *on_item, void *context) {
	struct json *json = mem_new(1, sizeof(*json));
	json->tokener = json_tokener_new_ex(DEPTH_MOST);
	if (json->tokener == NULL) {
		inferno_out_of_memory();
	}
	// Behind a value stands what is read here.
	json_tokener_set_flags(json->tokener,
			       JSON_TOKENER_STRICT | JSON_TOKENER_ALLOW_TRAILING_CHARS);
	json->name = name;
	json->on_item = on_item;
	json->context = context;
	json->line = 1;
	return json;
}

static bool fail(struct json *json, const char *error) {
	json->error = error;
	return false;
}

/** Takes bytes off the front, and counts the lines that end in them. */
static void take(struct json *json, struct str *rest, size_t n) {
	struct str taken = str_to(*rest, n);
	for (size_t at = 0; (at = str_find(taken, '\n')) != STR_NONE;) {
		taken = str_from(taken, at + 1);
		json->line++;
	}
	*rest = str_from(*rest, n);
}

/** Uses a value that is complete. */
static void use_value(struct json *json, struct json_object *value) {
	if (json->place == AT_KEY) {
		json->wanted = strcmp(json_object_get_string(value), json->name) == 0;
		json->place = AT_COLON;
	} else if (json->place == AT_VALUE) {
		json->place = BEHIND_VALUE;
	} else {
		json->stopped =
			!json->on_item(json->context, (struct json_item *)value, json->item_line);
		json->place = BEHIND_ITEM;
	}
}

/** Has json-c read on in a value. */
static bool read_value(struct json *json, struct str *rest) {
	size_t n = rest->n < INT_MAX ? rest->n : INT_MAX;
	struct json_object *value = json_tokener_parse_ex(json->tokener, rest->p, (int)n);
	enum json_tokener_error error = json_tokener_get_error(json->tokener);
	take(json, rest, json_tokener_get_parse_end(json->tokener));
	if (error == json_tokener_continue) {
		return true;
	}
	if (error != json_tokener_success) {
		return fail(json, json_tokener_error_desc(error));
	}
	json->in_value = false;
	use_value(json, value);
	json_object_put(value);
	return true;
}

/** Takes the byte at the front, which leads to another place. */
static bool step(struct json *json, struct str *rest, enum place place) {
	take(json, rest, 1);
	json->place = place;
	return true;
}

static bool start_value(struct json *json, enum place place) {
	json->place = place;
	json->in_value = true;
	json->item_line = json->line;
	return true;
}

/** Enters the array; there may be several. */
static bool enter_array(struct json *json, struct str *rest) {
	json->found = true;
	return step(json, rest, AT_FIRST_ITEM);
}

static bool read_start(struct json *json, struct str *rest) {
	json->in_object = rest->p[0] == '{';
	if (json->in_object) {
		return step(json, rest, AT_FIRST_KEY);
	}
	return rest->p[0] == '[' ? enter_array(json, rest)
				 : fail(json, "expected an object or an array");
}

static bool read_member_value(struct json *json, struct str *rest) {
	if (!json->wanted) {
		return start_value(json, AT_VALUE);
	}
	return rest->p[0] == '[' ? enter_array(json, rest)
				 : fail(json, "the member with the events is not an array");
}

/** Reads what stands between values, from a byte that is no blank. */
static bool read_between(struct json *json, struct str *rest) {
	char c = rest->p[0];
	switch (json->place) {
	case AT_START:
		return read_start(json, rest);
	case AT_FIRST_KEY:
	case AT_KEY:
		if (c == '}' && json->place == AT_FIRST_KEY) {
			return step(json, rest, AT_END);
		}
		return c == '"' ? start_value(json, AT_KEY) : fail(json, "expected a key");
	case AT_COLON:
		return c == ':' ? step(json, rest, AT_VALUE) : fail(json, "expected a colon");
	case AT_VALUE:
		return read_member_value(json, rest);
	case BEHIND_VALUE:
		return c == ','   ? step(json, rest, AT_KEY)
		       : c == '}' ? step(json, rest, AT_END)
				  : fail(json, "expected a comma or the end of the object");
	case AT_FIRST_ITEM:
		if (c == ']') {
			return step(json, rest, json->in_object ? BEHIND_VALUE : AT_END);
		}
		return start_value(json, AT_ITEM);
	case AT_ITEM:
		return start_value(json, AT_ITEM);
	case BEHIND_ITEM:
		return c == ','   ? step(json, rest, AT_ITEM)
		       : c == ']' ? step(json, rest, json->in_object ? BEHIND_VALUE : AT_END)
				  : fail(json, "expected a comma or the end of the array");
	case AT_END:
		break;
	}
	return fail(json, "there is something behind its end");
}

/** Whether the text may end here. */
static bool check_end(struct json *json) {
	bool in_array = json->place == AT_FIRST_ITEM || json->place == AT_ITEM ||
			json->place == BEHIND_ITEM;
	if (json->place != AT_END && (json->in_object || json->in_value || !in_array)) {
		return fail(json, "unexpected end");
	}
	return json->found || fail(json, "there is no array of events in it");
}

static bool read_text(struct json *json, struct str rest) {
	if (json->place == AT_START && str_starts(rest, STR("\xef\xbb\xbf"))) {
		rest = str_from(rest, 3);
	}
	while (rest.n > 0 && !json->stopped) {
		char c = rest.p[0];
		bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
		if (!json->in_value && blank) {
			take(json, &rest, 1);
		} else if (!(json->in_value ? read_value(json, &rest)
					    : read_between(json, &rest))) {
			return false;
		}
	}
	return true;
}

bool json_feed(struct json *json, struct str bytes, bool last) {
	buf_add_str(&json->tail, bytes);
	struct str all = buf_str(&json->tail);
	size_t open = last ? 0 : utf8_open_tail(all);
	buf_clear(&json->text);
	utf8_repair(&json->text, str_to(all, all.n - open));
	if (open > 0) {
		memmove(json->tail.p, all.p + all.n - open, open);
	}
	json->tail.n = open;
	return read_text(json, buf_str(&json->text)) && (!last || json->stopped || check_end(json));
}

const char *json_error(const struct json *json) {
	return json->error;
}

uint64_t json_line(const struct json *json) {
	return json->line;
}

void json_free(struct json *json) {
	if (json != NULL) {
		json_tokener_free(json->tokener);
		buf_release(&json->text);
		buf_release(&json->tail);
		free(json);
	}
}

bool json_is_object(const struct json_item *item) {
	return json_object_is_type((const struct json_object *)item, json_type_object);
}

enum json_kind json_member(struct json_item *item, const char *name, struct str *text) {
	struct json_object *value;
	*text = STR("");
	if (!json_object_object_get_ex((struct json_object *)item, name, &value) || value == NULL) {
		return JSON_MISSING;
	}
	switch (json_object_get_type(value)) {
	case json_type_string:
		*text = (struct str){json_object_get_string(value),
				     (size_t)json_object_get_string_len(value)};
		return JSON_STRING;
	case json_type_int:
	case json_type_double:
		*text = str_of(json_object_get_string(value));
		return JSON_NUMBER;
	default:
		return JSON_OTHER;
	}
}
