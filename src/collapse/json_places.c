/* Places of values in JSON. */
#include "collapse/json_places.h"

enum { JSON_IS_ARRAY = 128 };

/** Return the place of the innermost open value, with JSON_IS_ARRAY if the value is an array. If no
 * value is open, return JSON_NOWHERE. */
static unsigned json_places_level(const struct json_places *places) {
	return places->levels.n == 0 ? JSON_NOWHERE
				     : (unsigned char)places->levels.p[places->levels.n - 1];
}

bool json_places_in_array(const struct json_places *places) {
	return (json_places_level(places) & JSON_IS_ARRAY) != 0;
}

/** Return whether a rule applies: to an item of an array, or to the member with the last key. */
static bool json_places_has_key(const struct json_places *places, const struct json_rule *rule,
				bool is_item) {
	return is_item || rule->key == NULL
		       ? is_item && rule->key == NULL
		       : strcmp(rule->key, JSON_ANY_KEY) == 0 ||
				 str_eq(buf_str(&places->key), str_of(rule->key));
}

/** Return the place of an object or an array that begins. */
static unsigned json_places_find(const struct json_places *places, bool is_object) {
	unsigned in = json_places_level(places) & ~(unsigned)JSON_IS_ARRAY;
	bool is_item = json_places_in_array(places);
	if (places->levels.n == 0) {
		return is_object ? JSON_TOP : places->calls->list;
	}
	for (const struct json_rule *rule = places->calls->rules; rule->place != 0; rule++) {
		if (rule->in == in && json_places_has_key(places, rule, is_item)) {
			return rule->place;
		}
	}
	return JSON_NOWHERE;
}

static bool json_places_stop(struct json_places *places, bool goes_on) {
	places->stopped = !goes_on;
	return goes_on;
}

static bool json_places_is_record(const struct json_places *places, unsigned place) {
	return places->calls->records != NULL && places->calls->records->place == place;
}

/* --- Records -------------------------------------------------------------------------------- */

static bool json_places_take(struct json_places *places, const struct json_field *fields) {
	return json_places_stop(places, places->calls->records->take(places->state, fields));
}

/** Keep a member of a record. */
static void json_places_set_field(struct json_places *places, struct str key, enum json_kind kind,
				  struct str text) {
	size_t i = json_record_field(key, places->calls->records->keys);
	if (i < JSON_FIELDS_MOST && kind != JSON_MISSING) {
		struct buf *copy = &places->texts[i];
		buf_set_str(copy, text);
		places->fields[i] = (struct json_field){kind, buf_str(copy)};
	}
}

/** Read records that are the next items of an array. */
static size_t json_places_objects(void *context, struct str text) {
	struct json_places *places = context;
	struct json_field fields[JSON_FIELDS_MOST];
	size_t end = 0;
	if (places->calls->records == NULL ||
	    !json_places_is_record(places, json_places_find(places, true))) {
		return 0;
	}
	for (size_t at = 0; at < text.n;) {
		size_t n = json_shape_match(&places->shape, str_from(text, at), fields);
		if (n == 0 && end == 0) {
			json_shape_learn(&places->shape, text, places->calls->records->keys);
			n = json_shape_match(&places->shape, text, fields);
		}
		if (n == 0) {
			break;
		}
		if (!json_places_take(places, fields)) {
			return STR_NONE;
		}
		end = at += n;
		at += json_blanks(str_from(text, at));
		if (at < text.n && text.p[at] != ',') {
			break;
		}
		at += at < text.n;
		at += json_blanks(str_from(text, at));
	}
	return end;
}

/* --- Values of all kinds -------------------------------------------------------------------- */

static bool json_places_open(void *context, bool is_object) {
	struct json_places *places = context;
	unsigned place = json_places_find(places, is_object);
	buf_add_char(&places->levels, (char)(place | (is_object ? 0 : JSON_IS_ARRAY)));
	if (json_places_is_record(places, place)) {
		memset(places->fields, 0, sizeof(places->fields));
		return true;
	}
	return place == JSON_NOWHERE ||
	       json_places_stop(places, places->calls->open(places->state, place));
}

static bool json_places_close(void *context) {
	struct json_places *places = context;
	unsigned place = json_places_level(places) & ~(unsigned)JSON_IS_ARRAY;
	places->levels.n--;
	if (json_places_is_record(places, place)) {
		return json_places_take(places, places->fields);
	}
	return place == JSON_NOWHERE ||
	       json_places_stop(places, places->calls->close(places->state, place));
}

static bool json_places_key(void *context, struct str key) {
	struct json_places *places = context;
	if (json_places_level(places) != JSON_NOWHERE) {
		buf_set_str(&places->key, key);
	}
	return true;
}

static bool json_places_value(void *context, enum json_kind kind, struct str text) {
	struct json_places *places = context;
	unsigned level = json_places_level(places), place = level & ~(unsigned)JSON_IS_ARRAY;
	if (place == JSON_NOWHERE) {
		return places->levels.n > 0 ||
		       json_parser_fail(places->parser, "expected an object or an array");
	}
	struct str key = level != place ? STR("") : buf_str(&places->key);
	if (json_places_is_record(places, place)) {
		json_places_set_field(places, key, kind, text);
		return true;
	}
	bool is_absent = kind == JSON_MISSING && key.n > 0;
	return is_absent || json_places_stop(places, places->calls->value(places->state, place, key,
									  kind, text));
}

static bool json_places_integers(void *context, const uint64_t *items, size_t n) {
	struct json_places *places = context;
	unsigned place = json_places_level(places) & ~(unsigned)JSON_IS_ARRAY;
	return place == JSON_NOWHERE ||
	       json_places_stop(places, places->calls->integers(places->state, place, items, n));
}

static void json_places_start(struct json_places *places) {
	static const struct json_calls plain = {json_places_value,
						json_places_open,
						json_places_close,
						json_places_key,
						NULL,
						json_places_objects},
				       quick = {json_places_value,    json_places_open,
						json_places_close,    json_places_key,
						json_places_integers, json_places_objects};
	json_parser_free(places->parser);
	places->parser = json_parser_new(places->calls->integers != NULL ? &quick : &plain, places);
	places->open_line = places->stopped = false;
	places->shape.n = 0;
	buf_clear(&places->levels);
}

int json_places_block(struct json_places *places, const struct json_places_calls *calls,
		      void *state, const struct block *block, const char *what) {
	struct run *run = ((const struct state_head *)state)->run;
	places->calls = calls;
	places->state = state;
	if (block->first) {
		json_places_start(places);
	}
	places->lines_before = json_parser_line(places->parser) - 1;
	bool good = json_parser_feed(places->parser, block->bytes) &&
		    (!block->last || json_parser_end(places->parser, calls->list != JSON_NOWHERE));
	uint64_t line = json_parser_line(places->parser) - places->lines_before;
	run->lines = run_count_lines(block, &places->open_line);
	return good              ? 0
	       : places->stopped ? -1
				 : run_error(run, run_line((int64_t)line), "not %s in JSON: %s",
					     what, json_parser_error(places->parser));
}

void json_places_release(struct json_places *places) {
	json_parser_free(places->parser);
	buf_release(&places->levels);
	buf_release(&places->key);
	buf_release(&places->shape.example);
	for (size_t i = 0; i < JSON_FIELDS_MOST; i++) {
		buf_release(&places->texts[i]);
	}
}
