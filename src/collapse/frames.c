/* Frames whose names are used as they are in the input. */
#include "collapse/frames.h"

#include "base/utf8.h"

void frame_clean(struct buf *text, struct str name) {
	buf_clear(text);
	utf8_repair(text, name);
	for (size_t i = 0; i < text->n; i++) {
		unsigned char c = (unsigned char)text->p[i];
		if (c == ';') {
			text->p[i] = ':';
		} else if (c < 0x20 || c == 0x7f) {
			text->p[i] = ' ';
		}
	}
}

uint32_t run_frame(struct run *run, struct str name) {
	frame_clean(&run->text, name);
	return profile_frame(run->profile, buf_str(&run->text));
}

/** Return a number as a field of a site, or 0 if the number is too large. */
static uint32_t frames_small(uint64_t number) {
	return number > UINT32_MAX ? 0 : (uint32_t)number;
}

uint32_t run_site(struct run *run, uint32_t name, const struct frame_place *place) {
	struct sites *sites = run->profile->sites;
	struct buf *text = &run->text;
	bool has_lines = place->file.n > 0 || place->line > 0;
	run->profile->has_lines |= has_lines;
	if (!profile_wants_sites(run->profile)) {
		run->profile->skipped.lines |= has_lines;
		return name;
	}
	struct site site = {.name = name,
			    .line = frames_small(place->line),
			    .column = frames_small(place->column),
			    .start_line = frames_small(place->start_line)};
	buf_clear(text);
	utf8_repair(text, place->file);
	site.file = sites_text(sites, buf_str(text));
	if (place->module.n > 0) {
		buf_clear(text);
		utf8_repair(text, place->module);
		site.module = sites_module(sites, buf_str(text), STR(""));
	}
	return profile_site(run->profile, &site);
}

struct meaning meaning_of_name(struct run *run, struct str name) {
	return name.n == 0 ? (struct meaning){.kind = MEANS_NOTHING}
			   : meaning_frame(run_frame(run, name));
}
