/* The constant pools of Java Flight Recorder. */
#include "collapse/jfr_pools.h"

static const char *const jfr_pool_types[JFR_POOLS] = {
	"java.lang.String",     "jdk.types.Symbol", "java.lang.Class",     "jdk.types.Method",
	"jdk.types.StackTrace", "java.lang.Thread", "jdk.types.FrameType", "jdk.types.ThreadState",
};

/** Read the entries of a pool, and keep the offset of each entry if the reader uses the pool. */
static int jfr_pools_read_one(const struct jfr_file *file, struct jfr_pools *pools, uint64_t at,
			      struct str *rest) {
	uint64_t id, n;
	struct jfr_value values[JFR_SLOTS];
	struct jfr_type *type = NULL;
	if (!jfr_take_number(rest, &id) || !jfr_take_number(rest, &n) ||
	    (type = jfr_find_type(pools->metadata, id)) == NULL) {
		return jfr_fail(file, at, "a constant pool of a type that is not there");
	}
	size_t place = (size_t)(type - pools->metadata->types);
	struct intern *ids = NULL;
	for (size_t i = 0; i < JFR_POOLS; i++) {
		ids = pools->types[i] == place ? &pools->ids[i] : ids;
	}
	if (jfr_compile(file, pools->metadata, type) != 0) {
		return -1;
	}
	for (uint64_t i = 0; i < n; i++) {
		if (!jfr_take_number(rest, &id)) {
			return jfr_fail(file, at, "a constant pool that ends early");
		}
		size_t start = (size_t)(rest->p - pools->bytes.p);
		if (!jfr_run(pools->metadata, type, rest, values)) {
			return jfr_fail(file, at, "a constant pool that ends early");
		}
		if (ids != NULL) {
			intern_get(ids, &id, sizeof(id))->value = start + 1;
		}
	}
	return 0;
}

/** Read the constant pools in the event at `*at`. Set `*at` to the offset of the previous pools, or
 * to 0 if there are no previous pools. Events at `limit` and after it were read already. */
static int jfr_pools_read_event(struct jfr_file *file, struct jfr_pools *pools, uint64_t *at,
				uint64_t limit) {
	uint64_t start, delta, n;
	struct jfr_event event;
	if (jfr_look_event(file, *at, limit - *at, true, &event) != 0) {
		return -1;
	}
	size_t before = pools->bytes.n;
	buf_add_str(&pools->bytes, event.rest);
	struct str rest = str_from(buf_str(&pools->bytes), before);
	bool good = event.type == 1 && jfr_take_number(&rest, &start) &&
		    jfr_take_number(&rest, &start) && jfr_take_number(&rest, &delta) && rest.n > 0;
	rest = str_from(rest, good); // skip the kind of the checkpoint
	good = good && jfr_take_number(&rest, &n);
	// The distance to the previous pools is negative: pools are linked from the last to the
	// first.
	if (!good || (delta != 0 && 0 - delta > *at - file->chunk.at - JFR_HEAD)) {
		return jfr_fail(file, *at, "bad constant pools");
	}
	for (uint64_t i = 0; i < n; i++) {
		if (jfr_pools_read_one(file, pools, *at, &rest) != 0) {
			return -1;
		}
	}
	*at = delta == 0 ? 0 : *at + delta;
	return 0;
}

int jfr_read_pools(struct jfr_file *file, struct jfr_metadata *metadata, struct jfr_pools *pools) {
	pools->metadata = metadata;
	for (size_t i = 0; i < JFR_POOLS; i++) {
		pools->types[i] = SIZE_MAX;
		for (size_t k = 0; k < metadata->types_n; k++) {
			if (str_eq(metadata->types[k].name, str_of(jfr_pool_types[i]))) {
				pools->types[i] = k;
			}
		}
	}
	uint64_t at = file->chunk.pools, limit = file->chunk.end;
	while (at != 0) {
		uint64_t start = at;
		if (jfr_pools_read_event(file, pools, &at, limit) != 0) {
			return -1;
		}
		limit = start;
	}
	return 0;
}

bool jfr_find(const struct jfr_pools *pools, enum jfr_pool_id pool, uint64_t id,
	      struct jfr_value *values) {
	const struct intern_key *key = intern_find(&pools->ids[pool], &id, sizeof(id));
	if (key == NULL) {
		return false;
	}
	const struct jfr_type *type = &pools->metadata->types[pools->types[pool]];
	struct str rest = str_from(buf_str(&pools->bytes), (size_t)key->value - 1);
	memset(values, 0, JFR_SLOTS * sizeof(*values));
	return jfr_run(pools->metadata, type, &rest, values);
}

void jfr_add_text(const struct jfr_pools *pools, struct buf *text, const struct jfr_value *value) {
	struct jfr_value values[JFR_SLOTS];
	if (value->encoding != JFR_POOLED) {
		jfr_add_string(text, value);
	} else if (jfr_find(pools, JFR_STRINGS, value->number, values)) {
		jfr_add_string(text, &values[JFR_TEXT]);
	}
}

bool jfr_add_entry(const struct jfr_pools *pools, struct buf *text, enum jfr_pool_id pool,
		   uint64_t id, enum jfr_slot slot) {
	struct jfr_value values[JFR_SLOTS];
	bool found = jfr_find(pools, pool, id, values);
	if (found) {
		jfr_add_text(pools, text, &values[slot]);
	}
	return found;
}

void jfr_release_pools(struct jfr_pools *pools) {
	for (size_t i = 0; i < JFR_POOLS; i++) {
		intern_release(&pools->ids[i]);
	}
	buf_release(&pools->bytes);
}
