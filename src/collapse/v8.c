/* Functions of V8. */
#include "collapse/v8.h"

#include "base/num.h"
#include "collapse/frames.h"
#include "collapse/text.h"

void v8_function_clear(struct v8_function *function) {
	buf_clear(&function->name);
	buf_clear(&function->url);
	function->line = function->column = 0;
}

void v8_function_read(struct v8_function *function, struct str key, enum json_kind kind,
		      struct str text) {
	if (str_eq(key, STR("functionName")) && kind == JSON_STRING) {
		buf_set_str(&function->name, text);
	} else if (str_eq(key, STR("url")) && kind == JSON_STRING) {
		buf_set_str(&function->url, text);
	} else if (str_eq(key, STR("lineNumber")) && num_parse_u64(text, &function->line)) {
		function->line++;
	} else if (str_eq(key, STR("columnNumber")) && num_parse_u64(text, &function->column)) {
		function->column++;
	}
}

/** Make a name from the file and the line of a function without a name. */
static void v8_add_anonymous(struct v8_function *function) {
	struct str url = buf_str(&function->url);
	url = str_from(url, str_find_last(url, '/') + 1); // 0 if the path has no slash
	if (url.n == 0) {
		buf_add_text(&function->name, "(anonymous)");
		return;
	}
	buf_add_text(&function->name, "(anonymous ");
	buf_add_str(&function->name, url);
	buf_printf(&function->name, ":%llu)", (unsigned long long)function->line);
}

uint32_t v8_function_frame(struct v8_function *function, struct run *run, struct memo *names) {
	if (function->name.n == 0) {
		v8_add_anonymous(function);
	}
	const struct frame_place place = {.file = buf_str(&function->url),
					  .column = function->column,
					  .start_line = function->line};
	return run_site(run, text_frame(run, names, buf_str(&function->name)), &place);
}

void v8_function_release(struct v8_function *function) {
	buf_release(&function->name);
	buf_release(&function->url);
}
