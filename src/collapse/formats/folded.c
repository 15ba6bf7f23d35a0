/* folded: one stack on each line, `frame;frame;frame COUNT`, as inferno and other collapsers write
 * it. */
#include "collapse/folded_input.h"

static const struct example examples[] = {
	{"inferno collapse folded monday.folded tuesday.folded > both.folded",
	 "add up two profiles"},
	{NULL, NULL},
};

const struct collapser collapse_folded = {
	.name = "folded",
	.brief = "add up and sort folded stacks",
	.about = "Folded text has one stack on each line: the frames from the root to the leaf, "
		 "separated by semicolons, then a blank and a count. Equal stacks are added up. "
		 "Empty lines and lines that begin with '# ' are skipped. A line without a count "
		 "is reported and left out. The fraction of a count is dropped.",
	.examples = examples,
	.flags = FORMAT_FROM_START,
	.init = folded_input_init,
	FOLDED_INPUT_MEMBERS,
};
