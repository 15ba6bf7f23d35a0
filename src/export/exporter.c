/* List all exporters, and choose an exporter by the name of a file. */
#include "export/exporter.h"

#include <stdlib.h>
#include <strings.h>

#include "base/compressor.h"

#define EXPORTER(name) extern const struct exporter exporter_##name;
#include "exporters.h"
#undef EXPORTER

#define EXPORTER(name) &exporter_##name,
const struct exporter *const exporters[] = {
#include "exporters.h"
	NULL,
};
#undef EXPORTER

#define EXPORTER(name) #name,
const char *const exporter_names[] = {
#include "exporters.h"
	NULL,
};
#undef EXPORTER

const struct exporter *exporter_find(const char *name) {
	size_t i = 0;
	while (exporters[i] != NULL && strcmp(exporters[i]->name, name) != 0) {
		i++;
	}
	return exporters[i];
}

void exporter_ask(unsigned needs, bool in_order, struct profile *profile) {
	if ((needs & EXPORT_TIMES) != 0 && !in_order) {
		profile_ask_times(profile);
	}
	if ((needs & EXPORT_MOMENTS) != 0 && !in_order) {
		profile_ask_moments(profile, (needs & EXPORT_EACH) != 0);
	}
	if ((needs & EXPORT_VALUES) != 0) {
		profile_ask_values(profile);
	}
	if ((needs & EXPORT_SITES) != 0) {
		profile_ask_sites(profile);
	}
}

/** Return whether a text ends in a suffix. Ignore the case of letters. */
static bool exporter_ends(struct str text, struct str suffix) {
	return text.n >= suffix.n &&
	       strncasecmp(text.p + text.n - suffix.n, suffix.p, suffix.n) == 0;
}

/** Return the longest suffix of an exporter at the end of a text, and set `*found` to the exporter.
 * If there is none, return an empty text. */
static struct str exporter_known_suffix(struct str text, const struct exporter **found) {
	struct str longest = {text.p + text.n, 0};
	*found = NULL;
	for (size_t i = 0; exporters[i] != NULL; i++) {
		struct str rest = str_of(exporters[i]->suffixes), suffix;
		while ((suffix = str_next_word(&rest)).n > 0) {
			if (suffix.n > longest.n && exporter_ends(text, suffix)) {
				longest = str_from(text, text.n - suffix.n);
				*found = exporters[i];
			}
		}
	}
	return longest;
}

/** If a name begins with the prefix of an exporter, return the usual suffix of that exporter.
 * Otherwise, return an empty text. */
static struct str exporter_prefix_suffix(struct str path) {
	struct str name = str_from(path, str_find_last(path, '/') + 1); // if there is no slash,
									// this starts at 0, because
									// STR_NONE + 1 is 0
	for (size_t i = 0; exporters[i] != NULL; i++) {
		if (exporters[i]->prefix != NULL &&
		    str_starts(name, str_of(exporters[i]->prefix))) {
			struct str rest = str_of(exporters[i]->suffixes);
			return str_next_word(&rest);
		}
	}
	return STR("");
}

struct str exporter_suffix(const char *path) {
	const struct exporter *exporter;
	struct str name = compressor_inner_name(path);
	struct str suffix = exporter_known_suffix(name, &exporter);
	if (suffix.n == 0) {
		suffix = exporter_prefix_suffix(name);
	}
	size_t at = name.n;
	while (at > 0 && is_alpha(name.p[at - 1])) {
		at--;
	}
	bool has_one = at > 1 && at < name.n && name.p[at - 1] == '.' && name.p[at - 2] != '/' &&
		       name.p[at - 2] != '.';
	return suffix.n > 0 || !has_one ? suffix : str_from(name, at - 1);
}

const struct exporter *exporter_of_suffix(struct str suffix) {
	const struct exporter *exporter;
	struct str known = exporter_known_suffix(suffix, &exporter);
	return known.n == suffix.n ? exporter : NULL;
}

int export_open(struct export *export, const struct exporter *exporter,
		const struct opt_set *options, struct diag *diag) {
	*export = (struct export){exporter, options, NULL};
	if (exporter->state_size > 0) {
		export->state = mem_new(1, exporter->state_size);
	}
	return exporter->init == NULL ? 0 : exporter->init(export->state, options, diag);
}

int export_write(struct export *export, struct output *out, struct view *view, struct diag *diag) {
	const struct exporter *exporter = export->exporter;
	bool arranges = (exporter->needs & EXPORT_TREE) != 0 || view->compared != NULL;
	if (arranges && view_arrange(view, diag) != 0) {
		return -1;
	}
	if (exporter->bits > 0 && view->sum >> exporter->bits != 0) {
		return diag_error(diag,
				  "the counts are too large for %s, whose numbers have %u bits",
				  exporter->name, exporter->bits);
	}
	return exporter->write(export->state, out, view, export->options, diag);
}

void export_close(struct export *export) {
	if (export->exporter != NULL && export->exporter->release != NULL) {
		export->exporter->release(export->state);
	}
	free(export->state);
	*export = (struct export){0};
}
