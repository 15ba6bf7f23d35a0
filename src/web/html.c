/* A picture to an HTML page. The page allows its own style and script alone, which it names by
 * their hashes: it can load nothing and send nothing. */
#include "web/html.h"

#include "base/base64.h"
#include "base/num.h"
#include "base/sha256.h"
#include "picture/escape.h"
#include "page.css.h"
#include "page.js.h"

static void html_add(struct output *out, const char *text) {
	output_add_text(out, text);
}

static int html_append(void *buf, const void *bytes, size_t n) {
	buf_add(buf, bytes, n);
	return 0;
}

/** Return the style sheet: the rules of the picture, then those of the page. */
static struct buf html_style_of(const struct design *design) {
	struct buf style = {0};
	struct output out;
	output_init(&out, html_append, &style);
	document_write_rules(&out, design);
	output_add(&out, page_css, sizeof(page_css) - 1);
	(void)output_finish(&out); // memory takes all
	output_release(&out);
	return style;
}

/** Write the hash by which the policy names the style sheet. It is made here because options change
 * the rules; that of the script is made with the program. */
static void html_write_hash(struct output *out, struct str style) {
	unsigned char hash[SHA256_SIZE];
	sha256(hash, style);
	html_add(out, "'sha256-");
	base64_write(out, (struct str){(const char *)hash, sizeof(hash)});
	html_add(out, "'");
}

static void html_write_head(struct output *out, const struct design *design) {
	struct buf style = html_style_of(design);
	html_add(out, "<!DOCTYPE html>\n<html lang=\"en\"");
	html_add(out, design->colours.adapts ? " class=\"adapts\"" : "");
	html_add(out, ">\n<head>\n<meta charset=\"utf-8\">\n"
		      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		      "script-src '" PAGE_JS_HASH "'; style-src ");
	html_write_hash(out, buf_str(&style));
	html_add(out,
		 "; worker-src blob:; img-src blob: data:; base-uri 'none'; form-action 'none'\">\n"
		 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		 "<title>");
	escape_xml(out, str_of(design->title));
	html_add(out, "</title>\n<style>");
	output_add(out, style.p, style.n);
	html_add(out, "</style>\n</head>\n<body>\n");
	buf_release(&style);
}

static void html_write_setting(struct output *out, const char *name, struct str value) {
	html_add(out, " data-");
	html_add(out, name);
	html_add(out, "=\"");
	escape_xml(out, value);
	html_add(out, "\"");
}

static void html_write_number(struct output *out, const char *name, double value) {
	char digits[NUM_EXACT_MAX];
	size_t n = num_format_exact(digits, value);
	html_write_setting(out, name, (struct str){digits, n});
}

/** Write the settings of the viewer, which a picture has in its script. */
static void html_write_settings(struct output *out, const struct design *design) {
	char search[RGB_MAX];
	size_t n = rgb_format(search, design->colours.search);
	html_write_setting(out, "nametype", str_of(design->nametype));
	html_write_setting(out, "searchcolor", (struct str){search, n});
	html_write_number(out, "fontsize", design->size.font_size);
	html_write_number(out, "fontwidth", design->size.font_width);
	html_write_number(out, "xpad", (double)design->size.margin);
	html_write_number(out, "inverted", design->inverted);
	html_write_number(out, "fluiddrawing", design->size.fluid);
	if (design->reverse) {
		html_write_number(out, "reversed", 1);
	}
	if (design->source_url != NULL) {
		html_write_setting(out, "source-url", str_of(design->source_url));
	}
}

/** Write the notes on functions. The viewer finds the functions. */
static void html_write_notes(struct output *out, const struct opt_list *notes) {
	html_add(out, notes->n > 0 ? "<ul id=\"notes\">\n" : "");
	for (size_t i = 0; i < notes->n; i++) {
		struct str text = str_of(notes->items[i]), pattern = str_cut(&text, '=');
		html_add(out, "<li");
		html_write_setting(out, "pattern", pattern);
		html_write_setting(out, "text", text);
		html_add(out, ">");
		escape_xml(out, pattern);
		html_add(out, ": ");
		escape_xml(out, text);
		html_add(out, "</li>\n");
	}
	html_add(out, notes->n > 0 ? "</ul>\n" : "");
}

void html_write(struct output *out, const struct document *document) {
	const struct design *design = &document->picture.design;
	html_write_head(out, design);
	html_add(out, "<main>\n<div id=\"graph\" tabindex=\"-1\"");
	html_write_settings(out, design);
	html_add(out, ">\n");
	document_write_element(out, document);
	html_add(out, "</div>\n</main>\n");
	html_write_notes(out, &design->frame_notes);
	if (!design->no_javascript) {
		html_add(out, "<script>");
		output_add(out, page_js, sizeof(page_js) - 1);
		html_add(out, "</script>\n");
	}
	html_add(out, "</body>\n</html>\n");
}

void html_write_error(struct output *out, const struct design *design) {
	html_write_head(out, design);
	html_add(out, "<p>ERROR: No valid input provided to flamegraph</p>\n</body>\n</html>\n");
}
