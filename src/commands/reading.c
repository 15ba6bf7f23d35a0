/* Reading profiles for a command. */
#include "commands/reading.h"

#include "base/decimal.h"
#include "base/num.h"
#include "collapse/value.h"

struct reading_options {
	const char *nthreads, *value;
};

/** Check a value of --nthreads. */
static const char *reading_check_threads(const char *value) {
	uint64_t n;
	return strcmp(value, "auto") == 0 || num_parse_u64(str_of(value), &n)
		       ? NULL
		       : "a whole number or auto";
}

static const struct opt reading_rows[] = {
	{OPT_IS_TEXT(struct reading_options, nthreads), .name = "nthreads", .letter = 'n',
	 .value = "N", .initial = "auto", .check = reading_check_threads,
	 .help = "number of threads that read the input; auto chooses a number; the result does "
		 "not depend on it",
	 .group = "Input"},
	READING_VALUE_ROW(struct reading_options, value),
	{.type = OPT_END},
};

const struct opt_table reading_table = {reading_rows, sizeof(struct reading_options)};

const struct opt reading_times_rows[] = {
	{OPT_IS_BOOL(struct reading_times_options, latency), .name = "latency", .group = "Input",
	 .help = "divide the time of each sample by the number of threads that ran at that moment; "
		 "the recording must have the times at which threads ran"},
	{OPT_IS_BOOL(struct reading_times_options, wall), .name = "wall", .group = "Input",
	 .conflicts = "latency",
	 .help = "count the nanoseconds in which threads ran or waited; the recording must have "
		 "the times at which threads ran"},
	{OPT_IS_BOOL(struct reading_times_options, off_cpu), .name = "off-cpu", .group = "Input",
	 .conflicts = "latency wall",
	 .help = "count the nanoseconds in which threads waited; the recording must have the times "
		 "at which threads ran"},
	{OPT_IS_BOOL(struct reading_times_options, gil), .name = "gil", .group = "Input",
	 .conflicts = "latency",
	 .help = "in recordings of Python, count only the threads that hold the global interpreter "
		 "lock (GIL)"},
	{.type = OPT_END},
};

unsigned reading_threads(const struct opt_set *set) {
	enum { MOST_THREADS = 64 };
	if (set->tables[TABLE_READING].rows == NULL) {
		return 0;
	}
	const char *value = OPT_VALUES(set, TABLE_READING, struct reading_options)->nthreads;
	uint64_t n;
	if (!num_parse_u64(str_of(value), &n)) {
		return 0;
	}
	return n < 1 ? 1 : n > MOST_THREADS ? MOST_THREADS : (unsigned)n;
}

/** Return the text of an option, or NULL if the command does not have the option, or it was not
 * given. */
static const char *reading_text(const struct opt_set *set, const char *name) {
	struct opt_place place = opt_by_name(set, str_of(name));
	const char *value = NULL;
	if (place.row != NULL && place.row->type == OPT_TEXT && opt_given(set, name)) {
		memcpy(&value, (const char *)set->values[place.table] + place.row->offset,
		       sizeof(value));
	}
	return value;
}

const char *reading_value(const struct opt_set *set) {
	return reading_text(set, "value");
}

int reading_set_value(const struct command *command, struct opt_set *set, struct diag *diag) {
	const char *value = command->format == NULL ? NULL : reading_value(set);
	return value == NULL ? 0 : collapse_set_value(set, command->format, value, diag);
}

enum { READING_SETTINGS = 10 }; // --from, --to, --by, two flags, four choices, and the end

/** The options that choose which samples or times of a recording are counted. */
static const struct collapse_setting reading_times[] = {
	{"latency", NULL, "--latency",
	 "does not say how many threads ran; record with: inferno record --latency -o out.data "
	 "-- COMMAND"},
	{"wall", NULL, "--wall",
	 "does not say when threads waited; record with: inferno record --wall -o out.data -- "
	 "COMMAND"},
	{"off-cpu", NULL, "--off-cpu",
	 "does not say when threads waited; record with: inferno record --off-cpu -o out.data -- "
	 "COMMAND"},
	{"gil", NULL, "--gil",
	 "does not say which threads held the GIL; record with: inferno record -o out.data -- "
	 "python3 PROGRAM"},
};

/** Collect the settings of formats that correspond to the options of a command. */
static void reading_collect_settings(const struct opt_set *set,
				     struct collapse_setting settings[READING_SETTINGS]) {
	static const char label[] = "label=";
	const char *from = reading_text(set, "from"), *to = reading_text(set, "to");
	const char *by = reading_text(set, "by");
	size_t n = 0;
	if (from != NULL) {
		settings[n++] = (struct collapse_setting){"from", from, "--from", NULL};
	}
	if (to != NULL) {
		settings[n++] = (struct collapse_setting){"to", to, "--to", NULL};
	}
	if (by != NULL && strcmp(by, "thread") == 0) {
		settings[n++] = (struct collapse_setting){
			"tid", NULL, "--by thread", "does not say which threads were sampled"};
	} else if (by != NULL && str_starts(str_of(by), str_of(label))) {
		settings[n++] = (struct collapse_setting){"label-frames", by + strlen(label),
							  "--by", "has no labels"};
	}
	if (opt_given(set, "debuginfod")) {
		settings[n++] = (struct collapse_setting){"debuginfod", NULL, "--debuginfod",
							  "has no addresses to look up"};
	}
	if (opt_given(set, "estimate-stacks")) {
		settings[n++] =
			(struct collapse_setting){"estimate-stacks", NULL, "--estimate-stacks",
						  "has stacks, which need no estimate"};
	}
	for (size_t i = 0; i < sizeof(reading_times) / sizeof(reading_times[0]); i++) {
		if (opt_given(set, reading_times[i].option)) {
			settings[n++] = reading_times[i];
		}
	}
	settings[n] = (struct collapse_setting){0};
}

/** Return the format that the options give all inputs, or NULL if the format of each input is to be
 * recognised. */
static const struct collapser *reading_format(const struct command_run *run) {
	unsigned choice;
	return opt_chosen(run->set, "from", collapse_format_names, &choice)
		       ? collapse_formats[choice]
		       : run->command->format;
}

/** Return a time of --from or --to in nanoseconds, rounded up, or `otherwise` if the option is not
 * given. */
static uint64_t reading_ns(const struct opt_set *set, const char *option, uint64_t otherwise) {
	enum { NANO = 9 };
	const char *text = reading_text(set, option);
	struct decimal time;
	if (text == NULL) {
		return otherwise;
	}
	// The option was checked, so only a number that is too large fails.
	return !decimal_parse(str_of(text), NANO, &time) ? UINT64_MAX
							 : (uint64_t)time.whole + (time.part > 0);
}

/** Cut a profile by --from and --to, unless its format did this. Return 0, or -1 after
 * diag_error(). */
static int reading_cut(const struct opt_set *set, struct profile *profile, struct diag *diag) {
	static const char options[] = "--from and --to";
	const struct time_buckets *buckets = profile->time_buckets;
	bool given = reading_text(set, "from") != NULL || reading_text(set, "to") != NULL;
	profile_settle(profile);
	if (!given || buckets == NULL || buckets->moments == NULL ||
	    (profile_count(profile) == 0 && !profile_has_table(profile))) {
		return 0;
	}
	if (buckets->too_many) {
		return diag_error(diag, "%s: the stacks are too deep to be cut by time", options);
	}
	if (!buckets->any || profile->calls.stacks > 0) {
		return diag_error(diag, "%s: the input does not say when its stacks were sampled",
				  options);
	}
	if (buckets->untimed > 0) {
		return diag_error(diag, "%s: %llu stacks of the input have no time", options,
				  (unsigned long long)buckets->untimed);
	}
	uint64_t us = (buckets->last - buckets->first + 500) / 1000; // the cut drops the times
	if (profile_cut(profile, reading_ns(set, "from", 0), reading_ns(set, "to", UINT64_MAX)) >
	    0) {
		return 0;
	}
	char seconds[NUM_EXACT_MAX];
	num_format_exact(seconds, (double)us / 1e6);
	return diag_error(diag,
			  "%s: no sample is between these times; the input has samples from 0 to "
			  "%s seconds",
			  options, seconds);
}

int reading_run(const struct command_run *run, const struct source *sources, size_t n,
		struct profile *profile) {
	const struct command *command = run->command;
	struct collapse_setting settings[READING_SETTINGS];
	reading_collect_settings(run->set, settings);
	struct collapse collapse = {
		.format = reading_format(run),
		.options = command->format == NULL ? NULL : run->set->values[TABLE_OWN],
		.value = reading_value(run->set),
		.settings = settings,
		.otherwise =
			command->fallback == NULL ? NULL : collapse_find_format(command->fallback),
		.threads = run->threads,
		.diag = run->diag,
	};
	return collapse_sources(&collapse, sources, n, profile) == 0
		       ? reading_cut(run->set, profile, run->diag)
		       : -1;
}

int reading_fill(const struct command_run *run, struct profile *profile) {
	return reading_run(run, run->sources, run->sources_n, profile);
}
