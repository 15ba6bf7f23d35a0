/** Options that say where to find symbols. All commands that read recordings have these options. */
#pragma once

#include "base/opt.h"
#include "symbols/symbols.h"

struct perfdata_options {
	bool no_inline, debuginfod;
	const char *symfs, *debug_dir, *kallsyms;
};

/** Rows for a table of options. `field` of `owner` is a struct perfdata_options. */
#define PERFDATA_OPTION_ROWS(owner, field)                                                         \
	{OPT_IS_BOOL(owner, field.no_inline), .name = "no-inline", .group = "Names in recordings", \
	 .help = "leave out functions that the compiler inlined"},                                 \
		{OPT_IS_PATH(owner, field.symfs), .name = "symfs", .value = "FOLDER",              \
		 .group = "Names in recordings",                                                   \
		 .help = "look for recorded programs and libraries below this folder"},            \
		{OPT_IS_TEXT(owner, field.debug_dir), .name = "debug-dir", .value = "FOLDERS",     \
		 .group = "Names in recordings",                                                   \
		 .help = "look for debug files in these folders as well, separated by ':'"},       \
		{OPT_IS_PATH(owner, field.kallsyms), .name = "kallsyms", .value = "FILE",          \
		 .group = "Names in recordings",                                                   \
		 .help = "read the kernel's symbols from a copy of /proc/kallsyms"},               \
	{                                                                                          \
		OPT_IS_BOOL(owner, field.debuginfod),                                              \
			.name = "debuginfod", .group = "Names in recordings",                      \
			.help = "ask the servers in DEBUGINFOD_URLS for "                          \
				"missing debug files"                                              \
	}

/** Return the options in the form that src/symbols needs. */
static inline struct symbols_options
perfdata_symbols_options(const struct perfdata_options *options) {
	return (struct symbols_options){
		.symfs = options->symfs == NULL ? STR("") : str_of(options->symfs),
		.debug_dir = options->debug_dir == NULL ? STR("") : str_of(options->debug_dir),
		.kallsyms = options->kallsyms == NULL ? STR("") : str_of(options->kallsyms),
		.no_inline = options->no_inline,
		.debuginfod = options->debuginfod,
	};
}
