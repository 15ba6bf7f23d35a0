/* Fields of comma-separated values. */
#include "collapse/csv.h"

static enum csv_result csv_quoted(struct csv *csv, struct buf *scratch, struct str *field) {
	struct str rest = str_from(csv->rest, 1);
	buf_clear(scratch);
	for (;;) {
		size_t quote = str_find(rest, '"');
		if (quote == STR_NONE) {
			return CSV_BAD;
		}
		buf_add_str(scratch, str_to(rest, quote));
		rest = str_from(rest, quote + 1);
		if (rest.n == 0 || rest.p[0] != '"') {
			break;
		}
		buf_add_char(scratch, '"');
		rest = str_from(rest, 1);
	}
	csv->ended = rest.n == 0;
	if (rest.n > 0 && rest.p[0] != ',') {
		return CSV_BAD;
	}
	csv->rest = str_from(rest, rest.n > 0 ? 1 : 0);
	*field = buf_str(scratch);
	return CSV_FIELD;
}

enum csv_result csv_next(struct csv *csv, struct buf *scratch, struct str *field) {
	if (csv->ended) {
		return CSV_END;
	}
	if (csv->rest.n > 0 && csv->rest.p[0] == '"') {
		return csv_quoted(csv, scratch, field);
	}
	csv->ended = str_find(csv->rest, ',') == STR_NONE;
	*field = str_cut(&csv->rest, ',');
	return CSV_FIELD;
}
