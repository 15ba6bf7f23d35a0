/* The commands collapse FORMAT and collapse guess: profiles to folded text. */
#include "commands/collapse.h"

#include "commands/outputs.h"
#include "commands/reading.h"

static int collapse_run(const struct command_run *run) {
	return output_run(run, reading_fill);
}

static const struct example guess_examples[] = {
	{"inferno collapse guess out.txt > out.folded", "fold a profile of any known format"},
	{NULL, NULL},
};

const struct command command_collapse_guess = {
	.group = "collapse",
	.name = "guess",
	.brief = "recognise the format of a profile, and fold it",
	.task = TASK_FOLD,
	.about = "Checks the start of the input against every format, and chooses the format that "
		 "matches with the most evidence. Each input is recognised separately, and read "
		 "with the default options of its format. 'inferno formats' lists the formats.",
	.examples = guess_examples,
	.operands = "[FILE...]",
	.operands_most = SIZE_MAX,
	.output = "folded",
	.writes = EXPORT_ONE,
	.run = collapse_run,
};

struct command command_collapse(const struct collapser *format) {
	return (struct command){
		.group = "collapse",
		.name = format->name,
		.aliases = format->aliases,
		.brief = format->brief,
		.task = TASK_FOLD,
		.about = format->about,
		.examples = format->examples,
		.usual = format->usual,
		.operands = "[FILE...]",
		.operands_most = SIZE_MAX,
		.tables = {[TABLE_OWN] = format->options},
		.output = "folded",
		.writes = EXPORT_ONE,
		.run = collapse_run,
		.format = format,
	};
}
