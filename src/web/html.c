/* Writes a picture as an HTML page. The policy of the page allows only its own style sheets and
 * script, by their hashes, so the page cannot load or send anything. The hashes are computed when
 * inferno is built, so options must not change the script: they change attributes. */
#include "web/html.h"

#include "base/num.h"
#include "picture/escape.h"
#include "web/lines.h"
#include "page.css.h"
#include "page.js.h"

static void html_add(struct output *out, const char *text) {
	output_add_text(out, text);
}

static void html_write_style(struct output *out, struct str sheet) {
	html_add(out, "<style>");
	output_add(out, sheet.p, sheet.n);
	html_add(out, "</style>\n");
}

static void html_write_head(struct output *out, const struct design *design) {
	struct sheet sheets[DOCUMENT_SHEETS];
	size_t n = document_sheets(sheets, design);
	html_add(out, "<!DOCTYPE html>\n<html lang=\"en\"");
	html_add(out, design->colours.adapts ? " class=\"adapts\"" : "");
	html_add(out, ">\n<head>\n<meta charset=\"utf-8\">\n"
		      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		      "script-src '" PAGE_JS_HASH "'; style-src");
	for (size_t i = 0; i < n; i++) {
		html_add(out, " '");
		html_add(out, sheets[i].hash);
		html_add(out, "'");
	}
	html_add(out,
		 " '" PAGE_CSS_HASH "'; worker-src blob:; img-src blob: data:; base-uri 'none'; "
		 "form-action 'none'\">\n"
		 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		 "<title>");
	escape_xml(out, str_of(design->title));
	html_add(out, "</title>\n");
	for (size_t i = 0; i < n; i++) {
		html_write_style(out, sheets[i].text);
	}
	html_write_style(out, (struct str){page_css, sizeof(page_css) - 1});
	html_add(out, "</head>\n<body>\n");
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

/** Write the settings of the viewer as attributes. An SVG file has these settings in its script. */
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
	if (design->unsorted) {
		html_write_number(out, "unsorted", 1);
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

/** Write notes on left-out frames and on the quality of the data. */
static void html_write_remarks(struct output *out, const struct picture *picture) {
	struct str left_out = buf_str(&picture->left_out);
	if (left_out.n + picture->remarks.n > 0) {
		html_add(out, "<p id=\"remarks\">");
		escape_xml(out, left_out);
		html_add(out, left_out.n > 0 && picture->remarks.n > 0 ? " - " : "");
		escape_xml(out, picture->remarks);
		html_add(out, "</p>\n");
	}
}

void html_write(struct output *out, struct document *document) {
	const struct design *design = &document->picture.design;
	html_write_head(out, design);
	html_add(out, "<header><h1>");
	escape_xml(out, str_of(design->title));
	html_add(out, "</h1></header>\n");
	html_write_remarks(out, &document->picture);
	html_add(out, "<main>\n<div id=\"stage\">\n<div id=\"graph\" tabindex=\"-1\"");
	html_write_settings(out, design);
	html_add(out, ">\n");
	document_write_element(out, document);
	html_add(out, "</div>\n</div>\n</main>\n<footer></footer>\n");
	html_write_notes(out, &design->frame_notes);
	lines_write(out, &document->lines, document->view);
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
