/* Reading profiles for a command. */
#include "commands/reading.h"

#include "collapse/sniff.h"

static const struct opt reading_options[] = {
	{OPT_IS_UINT(struct reading_options, nthreads), .name = "nthreads", .letter = 'n',
	 .value = "N", .initial = "1",
	 .help = "threads to read with; the result is the same for any number", .group = "Input"},
	{.type = OPT_END},
};

const struct opt_table reading_table = {reading_options, sizeof(struct reading_options)};

int reading_run(const struct command_run *run, const struct source *sources, size_t n,
		struct profile *profile) {
	enum { MOST_THREADS = 64 };
	const struct command *command = run->command;
	const struct reading_options *reading = run->set->values[TABLE_READING];
	struct collapse collapse = {
		.format = command->format,
		.options = run->set->values[TABLE_OWN],
		.otherwise =
			command->fallback == NULL ? NULL : collapse_find_format(command->fallback),
		.threads = reading == NULL || reading->nthreads < 1 ? 1
			   : reading->nthreads > MOST_THREADS       ? MOST_THREADS
								    : (unsigned)reading->nthreads,
		.diag = run->diag,
	};
	return collapse_sources(&collapse, sources, n, profile);
}

int reading_is_folded(struct input *input) {
	struct sniffed sniffed;
	if (sniff_input(input, NULL, &sniffed) != 0) {
		return -1;
	}
	return sniffed.format == NULL || sniffed.format == collapse_find_format("folded");
}
