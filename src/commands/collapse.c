/* The commands collapse FORMAT and collapse guess: profiles to folded text. */
#include "commands/collapse.h"

#include "commands/reading.h"
#include "profile/folded.h"

int collapse_run(const struct command_run *run) {
	struct profile profile;
	profile_init(&profile, PROFILE_STACKS);
	int result = reading_run(run, run->sources, run->sources_n, &profile);
	if (result == 0) {
		folded_write(&profile, run->out);
	}
	profile_release(&profile);
	return result;
}

static const struct example guess_examples[] = {
	{"inferno collapse guess out.txt > out.folded", "fold a profile of any known format"},
	{NULL, NULL},
};

const struct command command_collapse_guess = {
	.group = "collapse",
	.name = "guess",
	.brief = "find out the format of a profile and fold it",
	.about = "Shows the start of the input to every format and picks the one with the most "
		 "evidence. Each input is recognised separately, and read with the default options "
		 "of its format. 'inferno formats' lists the formats.",
	.examples = guess_examples,
	.operands = "[FILE...]",
	.operands_most = SIZE_MAX,
	.run = collapse_run,
};

struct command command_collapse(const struct collapser *format) {
	return (struct command){
		.group = "collapse",
		.name = format->name,
		.aliases = format->aliases,
		.brief = format->brief,
		.about = format->about,
		.examples = format->examples,
		.operands = "[FILE...]",
		.operands_most = SIZE_MAX,
		.tables = {[TABLE_OWN] = {format->options, format->options_size}},
		.run = collapse_run,
		.format = format,
	};
}
