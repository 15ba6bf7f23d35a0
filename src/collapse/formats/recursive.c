/* recursive: folded text. A function that calls itself directly becomes one frame. */
#include "collapse/folded_input.h"

static void recursive_init(void *state) {
	struct folded_input *input = state;
	folded_input_init(input);
	input->strict = true;
	folded_drop_recursion(input->reader);
}

static const struct example examples[] = {
	{"inferno collapse recursive out.folded | inferno flamegraph > out.svg",
	 "draw a profile without its recursion"},
	{NULL, NULL},
};

const struct collapser collapse_recursive = {
	.name = "recursive",
	.aliases = (const char *const[]){"stackcollapse-recursive", NULL},
	.brief = "fold direct recursion in folded stacks",
	.about = "Reads folded text and drops every frame that equals its caller, so that "
		 "'a;b;b;b;c' and 'a;b;c' add up. Recursion through other functions is kept.",
	.examples = examples,
	.flags = FORMAT_NAMED_ONLY,
	.init = recursive_init,
	FOLDED_INPUT_MEMBERS,
};
