/* The legend. */
#include "picture/legend.h"

/** Set the meanings of the colours of a comparison. Return their number. */
static size_t legend_changes(struct palette_meaning meanings[static MEANINGS_MOST]) {
	static const struct {
		uint8_t shade;
		const char *text;
	} all[] = {
		{SHADE_GREW + 1, "+ grew"}, {SHADE_SHRANK + 1, "- shrank"}, {SHADE_NEW, "+ new"},
		{SHADE_GONE, "- gone"},     {SHADE_NEUTRAL, "unchanged"},
	};
	size_t n = sizeof(all) / sizeof(all[0]);
	for (size_t i = 0; i < n; i++) {
		meanings[i] = (struct palette_meaning){{.is_shade = true, .shade = all[i].shade},
						       all[i].text};
	}
	return n;
}

static void legend_write_number(struct output *out, const char *name, uint64_t value) {
	output_add_text(out, name);
	output_add_u64(out, value);
}

/** Write a colour and its meaning, at a position in px. */
static void legend_write_item(struct output *out, const struct palette_meaning *meaning, uint64_t x,
			      uint64_t size) {
	char hex[RGB_MAX];
	const struct fill *fill = &meaning->fill;
	legend_write_number(out, "<rect x=\"", x);
	legend_write_number(out, "\" width=\"", size);
	legend_write_number(out, "\" height=\"", size);
	if (fill->is_shade) {
		legend_write_number(out, "\" class=\"c", fill->shade);
	}
	output_add_text(out, "\" fill=\"");
	output_add(out, hex,
		   rgb_format_hex(hex, fill->is_shade ? shades[fill->shade].light : fill->colour));
	legend_write_number(out, "\"/><text x=\"", x + size + 4);
	legend_write_number(out, "\" y=\"", size - 1);
	output_add_text(out, "\">");
	output_add_text(out, meaning->text);
	output_add_text(out, "</text>");
}

void legend_write(struct output *out, const struct picture *picture, bool shown) {
	const struct design *design = &picture->design;
	struct palette_meaning meanings[MEANINGS_MOST];
	size_t n = design->compares && design->colours.shaded
			   ? legend_changes(meanings)
			   : palette_meanings(&picture->palette, meanings);
	uint64_t size = design->size.text_height - (design->size.text_height > 2 ? 1 : 0), x = 0;
	uint64_t ends[MEANINGS_MOST];
	char hex[RGB_MAX];
	const double character = design->size.font_size * design->size.font_width,
		     gap = 1.5 * character;
	for (size_t i = 0; i < n; i++) {
		x += size + 4 + (uint64_t)((double)strlen(meanings[i].text) * character + gap);
		ends[i] = x;
	}
	if (n == 0 || picture->tree->deltas != NULL ||
	    x + 2 * design->size.margin > design->size.width) {
		return;
	}
	legend_write_number(out,
			    design->pretty_xml ? "\n    <svg id=\"legend\" class=\"legend\" x=\""
					       : "\n<svg id=\"legend\" class=\"legend\" x=\"",
			    design->size.margin);
	legend_write_number(out, "\" y=\"", picture->layout.matched_y - size + 1);
	legend_write_number(out, "\" width=\"", x - (uint64_t)gap);
	legend_write_number(out, "\" height=\"", size + 4);
	output_add_text(out, "\" fill=\"");
	output_add(out, hex, rgb_format_hex(hex, design->colours.text));
	output_add_text(out, shown ? "\">" : "\" visibility=\"hidden\">");
	for (size_t i = 0; i < n; i++) {
		legend_write_item(out, &meanings[i], i == 0 ? 0 : ends[i - 1], size);
	}
	output_add_text(out, "</svg>");
}
