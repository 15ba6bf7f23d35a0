/* Read the attributes of a recording. */
#include "perf/data/event.h"

#include <stdlib.h>

/** Offsets of the fields of an attribute. */
enum attribute_field {
	AT_TYPE = 0,
	AT_SIZE = 4,
	AT_CONFIG = 8,
	AT_RATE = 16,
	AT_SAMPLE_TYPE = 24,
	AT_READ_FORMAT = 32,
	AT_FLAGS = 40,
	AT_BRANCH_SAMPLE_TYPE = 72,
	AT_REGISTERS_USER = 80,
	AT_STACK_SIZE = 88,
	AT_FRAMES_MOST = 108,
	ATTRIBUTE_LEAST = 64, // size of the first version of the struct
};

/** Bits of an attribute's flags. */
enum {
	FLAG_EXCLUDE_USER = 4,
	FLAG_EXCLUDE_KERNEL = 5,
	FLAG_EXCLUDE_HYPERVISOR = 6,
	FLAG_FREQUENCY = 10,
	FLAG_PRECISE = 15, // a field of two bits
	FLAG_SAMPLE_ID_ALL = 18,
	FLAG_EXCLUDE_HOST = 19,
	FLAG_EXCLUDE_GUEST = 20,
};

static uint64_t event_field_u64(struct str attribute, size_t at, bool swap) {
	return at + sizeof(uint64_t) <= attribute.n ? cursor_load_u64(attribute.p + at, swap) : 0;
}

static uint32_t event_field_u32(struct str attribute, size_t at, bool swap) {
	return at + sizeof(uint32_t) <= attribute.n ? cursor_load_u32(attribute.p + at, swap) : 0;
}

static uint16_t event_field_u16(struct str attribute, size_t at, bool swap) {
	uint16_t value = 0;
	if (at + sizeof(value) <= attribute.n) {
		memcpy(&value, attribute.p + at, sizeof(value));
	}
	return swap ? __builtin_bswap16(value) : value;
}

/** Return the flags of an attribute. If the recording is big-endian, the order of the bits in each
 * byte is reversed. */
static uint64_t event_field_flags(struct str attribute, bool swap) {
	bool big = swap != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	uint64_t flags = 0;
	for (size_t i = 0; i < 64; i++) {
		unsigned char byte = (unsigned char)attribute.p[AT_FLAGS + i / 8];
		unsigned bit = big ? 7 - i % 8 : i % 8;
		flags |= (uint64_t)(byte >> bit & 1) << i;
	}
	return flags;
}

/** Return how many of these fields a sample has. Each field has eight bytes. */
static size_t event_count_fields(uint64_t sample_type, uint64_t fields) {
	return (size_t)__builtin_popcountll(sample_type & fields);
}

static size_t event_time_at(uint64_t sample_type) {
	return (sample_type & SAMPLE_TIME) == 0
		       ? SIZE_MAX
		       : 8 * event_count_fields(sample_type,
						SAMPLE_IDENTIFIER | SAMPLE_IP | SAMPLE_TID);
}

static size_t event_time_back(uint64_t sample_type) {
	return (sample_type & SAMPLE_TIME) == 0
		       ? SIZE_MAX
		       : 8 + 8 * event_count_fields(sample_type, SAMPLE_ID | SAMPLE_STREAM_ID |
									 SAMPLE_CPU |
									 SAMPLE_IDENTIFIER);
}

static size_t event_id_at(uint64_t sample_type) {
	if ((sample_type & SAMPLE_IDENTIFIER) != 0) {
		return 0;
	}
	return (sample_type & SAMPLE_ID) == 0
		       ? SIZE_MAX
		       : 8 * event_count_fields(sample_type,
						SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_ADDR);
}

static size_t event_id_back(uint64_t sample_type) {
	if ((sample_type & SAMPLE_IDENTIFIER) != 0) {
		return 8;
	}
	return (sample_type & SAMPLE_ID) == 0
		       ? SIZE_MAX
		       : 8 + 8 * event_count_fields(sample_type, SAMPLE_STREAM_ID | SAMPLE_CPU);
}

bool events_add(struct perfdata_events *events, struct str attribute, bool swap) {
	if (attribute.n < ATTRIBUTE_LEAST) {
		return false;
	}
	uint64_t flags = event_field_flags(attribute, swap);
	struct perfdata_event *event = arena_take(&events->arena, sizeof(*event));
	*event = (struct perfdata_event){
		.index = (uint32_t)events->n,
		.type = cursor_load_u32(attribute.p + AT_TYPE, swap),
		.config = event_field_u64(attribute, AT_CONFIG, swap),
		.rate = event_field_u64(attribute, AT_RATE, swap),
		.sample_type = event_field_u64(attribute, AT_SAMPLE_TYPE, swap),
		.read_format = event_field_u64(attribute, AT_READ_FORMAT, swap),
		.branch_sample_type = event_field_u64(attribute, AT_BRANCH_SAMPLE_TYPE, swap),
		.registers_user = event_field_u64(attribute, AT_REGISTERS_USER, swap),
		.stack_size = event_field_u32(attribute, AT_STACK_SIZE, swap),
		.frames_most = event_field_u16(attribute, AT_FRAMES_MOST, swap),
		.precise = flags >> FLAG_PRECISE & 3,
		.is_frequency = (flags >> FLAG_FREQUENCY & 1) != 0,
		.has_trailer = (flags >> FLAG_SAMPLE_ID_ALL & 1) != 0,
		.exclude_user = (flags >> FLAG_EXCLUDE_USER & 1) != 0,
		.exclude_kernel = (flags >> FLAG_EXCLUDE_KERNEL & 1) != 0,
		.exclude_hypervisor = (flags >> FLAG_EXCLUDE_HYPERVISOR & 1) != 0,
		.exclude_host = (flags >> FLAG_EXCLUDE_HOST & 1) != 0,
		.exclude_guest = (flags >> FLAG_EXCLUDE_GUEST & 1) != 0,
	};
	event->time_at = event_time_at(event->sample_type);
	event->time_back = event->has_trailer ? event_time_back(event->sample_type) : SIZE_MAX;
	*MEM_APPEND(events->items, events->n, events->capacity) = event;
	return true;
}

void events_add_id(struct perfdata_events *events, uint64_t id, size_t index) {
	intern_get(&events->ids, &id, sizeof(id))->value = index + 1;
	events->last = NULL;
}

void events_name(struct perfdata_events *events, size_t index, struct str name) {
	enum { LONGEST = 4096 }; // largest number of bytes of a name
	name = str_to(name, name.n < LONGEST ? name.n : LONGEST);
	if (index < events->n && name.n > 0) {
		events->items[index]->name =
			(struct str){arena_copy(&events->arena, name.p, name.n), name.n};
	}
}

/* --- Names that perf gives events by itself ------------------------------------------------- */

static const char *const hardware_names[] = {"cycles",
					     "instructions",
					     "cache-references",
					     "cache-misses",
					     "branches",
					     "branch-misses",
					     "bus-cycles",
					     "stalled-cycles-frontend",
					     "stalled-cycles-backend",
					     "ref-cycles"};
static const char *const software_names[] = {
	"cpu-clock",        "task-clock",   "page-faults",  "context-switches",
	"cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
	"emulation-faults", "dummy",        "bpf-output",   "cgroup-switches"};

static void event_add_modifiers(struct buf *name, const struct perfdata_event *event) {
	struct buf letters = {0};
	if (event->exclude_user || event->exclude_kernel || event->exclude_hypervisor) {
		buf_add_text(&letters, event->exclude_user ? "" : "u");
		buf_add_text(&letters, event->exclude_kernel ? "" : "k");
		buf_add_text(&letters, event->exclude_hypervisor ? "" : "h");
	}
	for (uint64_t i = 0; i < event->precise; i++) {
		buf_add_char(&letters, 'p');
	}
	if (letters.n > 0) {
		buf_add_char(name, ':');
		buf_add_str(name, buf_str(&letters));
	}
	buf_release(&letters);
}

static void event_name_by_number(struct perfdata_events *events, struct perfdata_event *event) {
	enum {
		HARDWARE = sizeof(hardware_names) / sizeof(hardware_names[0]),
		SOFTWARE = sizeof(software_names) / sizeof(software_names[0])
	};
	struct buf name = {0};
	if (event->type == EVENT_HARDWARE && event->config < HARDWARE) {
		buf_add_text(&name, hardware_names[event->config]);
	} else if (event->type == EVENT_SOFTWARE && event->config < SOFTWARE) {
		buf_add_text(&name, software_names[event->config]);
	} else {
		buf_printf(&name, "event-%u-0x%llx", event->type,
			   (unsigned long long)event->config);
	}
	event_add_modifiers(&name, event);
	events_name(events, event->index, buf_str(&name));
	buf_release(&name);
}

/* --- The event of a record -------------------------------------------------------------------- */

bool events_finish(struct perfdata_events *events) {
	for (size_t i = 0; i < events->n; i++) {
		struct perfdata_event *event = events->items[i];
		size_t at = event_id_at(event->sample_type),
		       back = event_id_back(event->sample_type);
		if (event->name.n == 0) {
			event_name_by_number(events, event);
		}
		if (i == 0) {
			events->id_at = at;
			events->id_back = back;
		}
		// If samples have no ids, they must all have the same fields. All samples are then
		// counted for the first event.
		if (at != events->id_at || back != events->id_back ||
		    (at == SIZE_MAX && event->sample_type != events->items[0]->sample_type)) {
			return false;
		}
	}
	return true;
}

static struct perfdata_event *event_find(struct perfdata_events *events, uint64_t id) {
	if (events->last == NULL || id != events->last_id) {
		const struct intern_key *key = intern_find(&events->ids, &id, sizeof(id));
		events->last_id = id;
		events->last = key == NULL || key->value > events->n
				       ? NULL
				       : events->items[key->value - 1];
	}
	return events->last;
}

struct perfdata_event *events_of_sample(struct perfdata_events *events, struct str body,
					bool swap) {
	if (events->n <= 1 || events->id_at == SIZE_MAX) {
		return events->n == 0 ? NULL : events->items[0];
	}
	return events->id_at + 8 > body.n
		       ? NULL
		       : event_find(events, cursor_load_u64(body.p + events->id_at, swap));
}

struct perfdata_event *events_of_other(struct perfdata_events *events, struct str body, bool swap) {
	if (events->n == 0) {
		return NULL;
	}
	struct perfdata_event *first = events->items[0], *found = NULL;
	if (events->n > 1 && first->has_trailer && events->id_back <= body.n) {
		found = event_find(events,
				   cursor_load_u64(body.p + body.n - events->id_back, swap));
	}
	return found != NULL ? found : first; // records that perf itself writes have no id
}

uint64_t event_time(const struct perfdata_event *event, bool is_sample, struct str body,
		    bool swap) {
	if (is_sample) {
		return event->time_at == SIZE_MAX || event->time_at + 8 > body.n
			       ? 0
			       : cursor_load_u64(body.p + event->time_at, swap);
	}
	return event->time_back > body.n
		       ? 0
		       : cursor_load_u64(body.p + body.n - event->time_back, swap);
}

void events_release(struct perfdata_events *events) {
	free(events->items);
	intern_release(&events->ids);
	arena_release(&events->arena);
	*events = (struct perfdata_events){0};
}
