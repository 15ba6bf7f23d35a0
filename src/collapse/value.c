/* The values that a format can count. */
#include "collapse/value.h"

const struct collapser_value *collapse_find_value(const struct collapser *format,
						  const char *name) {
	const struct collapser_value *value = format->values;
	while (value != NULL && value->option != NULL && value->name != NULL &&
	       strcmp(value->name, name) != 0) {
		value++;
	}
	return value == NULL || value->option == NULL ? NULL : value;
}

/** Report that a format has no value of this name. Return -1. */
static int value_refuse(const struct collapser *format, const char *name, struct diag *diag) {
	struct buf known = {0};
	for (const struct collapser_value *value = format->values;
	     value != NULL && value->option != NULL; value++) {
		buf_printf(&known, "%s%s", known.n > 0 ? ", " : "", value->name);
	}
	if (known.n == 0) {
		diag_error(diag, "--value %s: the format %s has one value only",
			   quote(str_of(name)).text, format->name);
	} else {
		diag_error(diag, "--value %s: the format %s has no such value; it has %s",
			   quote(str_of(name)).text, format->name, buf_text(&known));
	}
	buf_release(&known);
	return -1;
}

int collapse_set_value(struct opt_set *set, const struct collapser *format, const char *name,
		       struct diag *diag) {
	const struct collapser_value *value = collapse_find_value(format, name);
	if (value == NULL) {
		return value_refuse(format, name, diag);
	}
	return value->option[0] == '\0'
		       ? 0
		       : opt_set(set, opt_by_name(set, str_of(value->option)),
				 value->name == NULL ? name : value->setting, diag);
}
