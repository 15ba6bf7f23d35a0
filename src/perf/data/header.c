/* Read the start of a recording, and its features. */
#include "perf/data/header.h"

#include "perf/data/records.h"

static const struct str magic = STR_INIT("PERFILE2"), magic_swapped = STR_INIT("2ELIFREP"),
			magic_old = STR_INIT("PERFFILE");

bool perfdata_is(struct str start) {
	return str_starts(start, magic) || str_starts(start, magic_swapped) ||
	       str_starts(start, magic_old);
}

static struct section header_read_section(struct cursor *cursor) {
	struct section section;
	section.offset = cursor_u64(cursor);
	section.size = cursor_u64(cursor);
	return section;
}

int header_read(struct header *header, struct input *input, struct diag *diag) {
	struct str bytes;
	bool whole;
	*header = (struct header){0};
	if (input_peek(input, HEADER_FILE_SIZE, &bytes, &whole) != 0) {
		return -1;
	}
	const char *name = input_name(input);
	if (str_starts(bytes, magic_old)) {
		return diag_error(diag,
				  "%s: byte 0: this is a recording of a perf older than Linux 3.2, "
				  "which is not read; try: perf script -i FILE | inferno ...",
				  name);
	}
	if (!perfdata_is(bytes)) {
		return diag_error(diag, "%s: byte 0: this is not a recording of 'perf record'%s",
				  name, bytes.n == 0 ? ": it is empty" : "");
	}
	bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
	header->swap = str_starts(bytes, little ? magic_swapped : magic);
	struct cursor cursor = {bytes.p, bytes.n, header->swap, false};
	cursor_take(&cursor, magic.n);
	uint64_t size = cursor_u64(&cursor);
	header->is_pipe = size == HEADER_PIPE_SIZE;
	if (!header->is_pipe) {
		header->attribute_size = cursor_u64(&cursor);
		header->attributes = header_read_section(&cursor);
		header->data = header_read_section(&cursor);
		header_read_section(&cursor); // a section that is not used any more
		for (size_t i = 0; i < FEATURE_WORDS; i++) {
			header->features[i] = cursor_u64(&cursor);
		}
	}
	if (cursor.failed) {
		return diag_error(diag, "%s: byte %zu: the recording is cut off in its header",
				  name, bytes.n);
	}
	if (!header->is_pipe && size < HEADER_FILE_SIZE) {
		return diag_error(diag, "%s: byte 8: a header of %llu bytes is not supported", name,
				  (unsigned long long)size);
	}
	return 0;
}

/** Read a section into `bytes`. If the file ends earlier, `bytes` is shorter. */
static int header_load(struct input *input, const struct section *section, struct buf *bytes) {
	uint64_t whole = input_seekable_size(input);
	uint64_t left = section->offset < whole ? whole - section->offset : 0;
	size_t size = (size_t)(section->size < left ? section->size : left);
	buf_clear(bytes);
	ptrdiff_t n = input_read_at(input, section->offset, buf_room(bytes, size), size);
	if (n < 0) {
		return -1;
	}
	bytes->n = (size_t)n;
	return 0;
}

/* --- Attributes ----------------------------------------------------------------------------- */

/** Read the ids of one attribute. A crafted file may have the same long list in many attributes, so
 * limit the size of all lists together. The limit is the size of the file, and `*left` is the rest
 * of the limit. */
static int header_read_ids(const struct header *header, struct input *input,
			   const struct section *section, struct perfdata_events *events,
			   size_t index, uint64_t *left) {
	struct buf bytes = {0};
	const struct section most = {section->offset,
				     section->size < *left ? section->size : *left};
	int result = header_load(input, &most, &bytes);
	struct cursor ids = {bytes.p, bytes.n, header->swap, false};
	*left -= bytes.n;
	while (result == 0 && ids.n >= sizeof(uint64_t)) {
		events_add_id(events, cursor_u64(&ids), index);
	}
	buf_release(&bytes);
	return result;
}

/** Read one attribute, and the list of its ids, which is in another section. */
static int header_read_attribute(const struct header *header, struct input *input, struct str bytes,
				 struct perfdata_events *events, uint64_t *left) {
	const size_t tail = sizeof(struct section);
	size_t size = cursor_load_u32(bytes.p + 4, header->swap);
	size = size < 64 || size > bytes.n - tail ? bytes.n - tail : size;
	struct cursor cursor = {bytes.p, bytes.n, header->swap, false};
	events_add(events, cursor_take(&cursor, size), header->swap);
	struct section section = header_read_section(&cursor);
	return header_read_ids(header, input, &section, events, events->n - 1, left);
}

int header_read_attributes(const struct header *header, struct input *input,
			   struct perfdata_events *events, struct diag *diag) {
	enum { LEAST = 64 + sizeof(struct section), MOST = 1 << 16 };
	uint64_t size = header->attribute_size;
	uint64_t left = input_seekable_size(input);
	unsigned long long at = header->attributes.offset;
	if (size < LEAST || size > MOST) {
		return diag_error(diag, "%s: byte 16: attributes of %llu bytes are not supported",
				  input_name(input), (unsigned long long)size);
	}
	struct buf bytes = {0};
	int result = header_load(input, &header->attributes, &bytes);
	struct str rest = buf_str(&bytes);
	for (; result == 0 && rest.n >= size; rest = str_from(rest, (size_t)size)) {
		result = header_read_attribute(header, input, str_to(rest, (size_t)size), events,
					       &left);
	}
	buf_release(&bytes);
	if (result == 0 && events->n == 0) {
		result = diag_error(diag, "%s: byte %llu: the recording has no events",
				    input_name(input), at);
	}
	return result;
}

/* --- Features ------------------------------------------------------------------------------- */

static void header_read_event_names(struct features *features, struct cursor *cursor) {
	uint32_t n = cursor_u32(cursor), size = cursor_u32(cursor);
	for (size_t i = 0; i < n && !cursor->failed; i++) {
		struct str attribute = cursor_take(cursor, size);
		uint32_t ids = cursor_u32(cursor);
		struct str name = cursor_string(cursor);
		if (i >= features->events->n && !cursor->failed) {
			events_add(features->events, attribute, cursor->swap);
		}
		events_name(features->events, i, name);
		cursor_take_items(cursor, ids, sizeof(uint64_t));
	}
}

void feature_read_build_id(struct features *features, uint16_t misc, struct str body, bool swap) {
	enum { ROOM = 24 };
	struct cursor cursor = {body.p, body.n, swap, false};
	struct build_id build_id = {.size = BUILD_ID_MAX};
	cursor_u32(&cursor); // skip a process id, which is not used
	struct str bytes = cursor_take(&cursor, ROOM);
	if (cursor.failed) {
		return;
	}
	if ((misc & MISC_BUILD_ID_SIZE) != 0 &&
	    (unsigned char)bytes.p[BUILD_ID_MAX] < BUILD_ID_MAX) {
		build_id.size = (uint8_t)bytes.p[BUILD_ID_MAX];
	}
	memcpy(build_id.bytes, bytes.p, build_id.size);
	// In older files, the length of a build-id is missing, and short build-ids are padded with
	// zeros.
	while ((misc & MISC_BUILD_ID_SIZE) == 0 && build_id.size > 4 && build_id.size % 4 == 0 &&
	       memcmp(build_id.bytes + build_id.size - 4, "\0\0\0\0", 4) == 0) {
		build_id.size = (uint8_t)(build_id.size - 4);
	}
	machine_build_id(features->machine, cursor_text((struct str){cursor.p, cursor.n}),
			 build_id);
}

static void header_read_build_ids(struct features *features, struct cursor *cursor) {
	while (cursor->n >= RECORD_HEAD && !cursor->failed) {
		cursor_u32(cursor);
		uint16_t misc = cursor_u16(cursor), size = cursor_u16(cursor);
		if (size < RECORD_HEAD) {
			break;
		}
		struct str body = cursor_take(cursor, (uint64_t)size - RECORD_HEAD);
		feature_read_build_id(features, misc, body, cursor->swap);
	}
}

static void header_read_text(struct features *features, enum perfdata_text which,
			     struct cursor *cursor) {
	buf_set_str(&features->texts[which], cursor_string(cursor));
}

/** Read the command that made the recording. If the command is inferno, read its options. Options
 * of other programs have other meanings. */
static void header_read_command(struct features *features, struct cursor *cursor) {
	struct perfdata_counts *counts = &features->counts;
	uint32_t n = cursor_u32(cursor);
	bool ours = n > 0 && str_eq(cursor_string(cursor), STR("inferno"));
	*counts = (struct perfdata_counts){0};
	for (uint32_t i = 1; i < n && ours && !cursor->failed; i++) {
		struct str word = cursor_string(cursor);
		counts->off_cpu |= str_eq(word, STR("--off-cpu"));
		counts->wall |= str_eq(word, STR("--wall"));
		counts->latency |= str_eq(word, STR("--latency"));
		counts->io |= str_eq(word, STR("--io"));
		counts->wakers |= str_eq(word, STR("--wakers"));
	}
}

void feature_read(struct features *features, uint64_t feature, struct str bytes, bool swap) {
	struct cursor cursor = {bytes.p, bytes.n, swap, false};
	switch (feature) {
	case FEATURE_TRACING_DATA:
		buf_set_str(&features->tracing, bytes);
		break;
	case FEATURE_BUILD_ID:
		header_read_build_ids(features, &cursor);
		break;
	case FEATURE_HOSTNAME:
		header_read_text(features, PERFDATA_HOSTNAME, &cursor);
		break;
	case FEATURE_RELEASE:
		header_read_text(features, PERFDATA_RELEASE, &cursor);
		break;
	case FEATURE_ARCH:
		header_read_text(features, PERFDATA_ARCH, &cursor);
		break;
	case FEATURE_COMMAND:
		header_read_command(features, &cursor);
		break;
	case FEATURE_EVENT_DESC:
		header_read_event_names(features, &cursor);
		break;
	default:
		break;
	}
}

/** Return whether feature_read() needs a feature. */
static bool header_is_wanted(size_t feature) {
	return feature == FEATURE_TRACING_DATA || feature == FEATURE_BUILD_ID ||
	       feature == FEATURE_HOSTNAME || feature == FEATURE_RELEASE ||
	       feature == FEATURE_ARCH || feature == FEATURE_COMMAND ||
	       feature == FEATURE_EVENT_DESC;
}

/** Return whether the file contains a whole section. */
static bool header_is_whole(const struct section *section, struct input *input) {
	uint64_t size = input_seekable_size(input);
	return section->offset <= size && section->size <= size - section->offset;
}

int header_read_features(const struct header *header, struct input *input,
			 struct features *features) {
	struct section table = {header->data.offset + header->data.size,
				FEATURES * sizeof(struct section)};
	struct buf sections = {0}, bytes = {0};
	int result = header->data.size == 0 ? 0 : header_load(input, &table, &sections);
	struct cursor cursor = {sections.p, sections.n, header->swap, false};
	for (size_t i = 0; i < FEATURES && result == 0; i++) {
		if ((header->features[i / 64] >> i % 64 & 1) == 0) {
			continue;
		}
		struct section section = header_read_section(&cursor);
		features->cut_off |= cursor.failed || !header_is_whole(&section, input);
		if (cursor.failed) {
			break;
		}
		features->has_parts |= i == FEATURE_DIRECTORY;
		if (header_is_wanted(i)) {
			result = header_load(input, &section, &bytes);
			feature_read(features, i, buf_str(&bytes), header->swap);
		}
	}
	buf_release(&sections);
	buf_release(&bytes);
	return result;
}

void features_release(struct features *features) {
	for (size_t i = 0; i < PERFDATA_TEXTS; i++) {
		buf_release(&features->texts[i]);
	}
	buf_release(&features->tracing);
}
