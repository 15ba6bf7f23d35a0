/* A picture to an HTML page. The page allows its own style and script alone, which it names by
 * their hashes: it can load nothing and send nothing. */
#include "plot/html.h"

#include <sha2.h>

#include "base/base64.h"
#include "base/num.h"
#include "plot/escape.h"
#include "plot/svg.h"
#include "page.css.h"
#include "page.js.h"

static void add(struct output *out, const char *text) {
	output_add_text(out, text);
}

static int append(void *buf, const void *bytes, size_t n) {
	buf_add(buf, bytes, n);
	return 0;
}

/** Return the style sheet: the rules of the picture, then those of the page. */
static struct buf style_of(const struct design *design) {
	struct buf style = {0};
	struct output out;
	output_init(&out, append, &style);
	svg_write_rules(&out, design);
	output_add(&out, page_css, sizeof(page_css) - 1);
	(void)output_finish(&out); // memory takes all
	output_release(&out);
	return style;
}

/** Write the hash by which a policy names a text. */
static void write_hash(struct output *out, struct str text) {
	unsigned char digest[SHA256_DIGEST_LENGTH];
	SHA2_CTX hash;
	SHA256Init(&hash);
	SHA256Update(&hash, (const uint8_t *)text.p, text.n);
	SHA256Final(digest, &hash);
	add(out, "'sha256-");
	base64_write(out, (struct str){(const char *)digest, sizeof(digest)});
	add(out, "'");
}

static void write_head(struct output *out, const struct design *design) {
	struct buf style = style_of(design);
	add(out, "<!DOCTYPE html>\n<html lang=\"en\"");
	add(out, design->adapts ? " class=\"adapts\"" : "");
	add(out, ">\n<head>\n<meta charset=\"utf-8\">\n"
		 "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		 "script-src ");
	write_hash(out, (struct str){page_js, sizeof(page_js) - 1});
	add(out, "; style-src ");
	write_hash(out, buf_str(&style));
	add(out, "; worker-src blob:; img-src blob: data:; base-uri 'none'; form-action 'none'\">\n"
		 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		 "<title>");
	escape_xml(out, str_of(design->title));
	add(out, "</title>\n<style>");
	output_add(out, style.p, style.n);
	add(out, "</style>\n</head>\n<body>\n");
	buf_release(&style);
}

static void write_setting(struct output *out, const char *name, struct str value) {
	add(out, " data-");
	add(out, name);
	add(out, "=\"");
	escape_xml(out, value);
	add(out, "\"");
}

static void write_number(struct output *out, const char *name, double value) {
	char digits[NUM_EXACT_MAX];
	size_t n = num_format_exact(digits, value);
	write_setting(out, name, (struct str){digits, n});
}

/** Write the settings of the viewer, which a picture has in its script. */
static void write_settings(struct output *out, const struct design *design) {
	char search[RGB_MAX];
	size_t n = rgb_format(search, design->search);
	write_setting(out, "nametype", str_of(design->nametype));
	write_setting(out, "searchcolor", (struct str){search, n});
	write_number(out, "fontsize", design->font_size);
	write_number(out, "fontwidth", design->font_width);
	write_number(out, "xpad", (double)design->margin);
	write_number(out, "inverted", design->inverted);
	write_number(out, "fluiddrawing", design->fluid);
	if (design->source_url != NULL) {
		write_setting(out, "source-url", str_of(design->source_url));
	}
}

/** Write the notes on functions. The viewer finds the functions. */
static void write_notes(struct output *out, const struct opt_list *notes) {
	add(out, notes->n > 0 ? "<ul id=\"notes\">\n" : "");
	for (size_t i = 0; i < notes->n; i++) {
		struct str text = str_of(notes->items[i]), pattern = str_cut(&text, '=');
		add(out, "<li");
		write_setting(out, "pattern", pattern);
		write_setting(out, "text", text);
		add(out, ">");
		escape_xml(out, pattern);
		add(out, ": ");
		escape_xml(out, text);
		add(out, "</li>\n");
	}
	add(out, notes->n > 0 ? "</ul>\n" : "");
}

void html_write(struct output *out, const struct picture *picture) {
	const struct design *design = &picture->design;
	write_head(out, design);
	add(out, "<main>\n<div id=\"graph\" tabindex=\"-1\"");
	write_settings(out, design);
	add(out, ">\n");
	svg_write_in_page(out, picture);
	add(out, "</div>\n</main>\n");
	write_notes(out, &design->frame_notes);
	if (!design->no_javascript) {
		add(out, "<script>");
		output_add(out, page_js, sizeof(page_js) - 1);
		add(out, "</script>\n");
	}
	add(out, "</body>\n</html>\n");
}

void html_write_error(struct output *out, const struct design *design) {
	write_head(out, design);
	add(out, "<p>ERROR: No valid input provided to flamegraph</p>\n</body>\n</html>\n");
}
