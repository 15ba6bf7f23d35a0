/* recursive: folded text in, folded text out, with calls of a function to itself made one frame. */
#include "base/num.h"
#include "base/utf8.h"
#include "collapse/collapser.h"
#include "collapse/text.h"

struct state {
	struct run *run;
	struct ids ids;
	struct buf text;
};

static void init(void *memory, const void *options, struct run *run) {
	(void)options;
	((struct state *)memory)->run = run;
}

static int line(void *memory, struct str raw, uint64_t number) {
	struct state *state = memory;
	raw = text_line(raw);
	if (raw.n == 0) {
		return 0;
	}
	uint64_t count;
	size_t blank = str_find_last(raw, ' ');
	if (blank == STR_NONE || !num_parse_count(str_from(raw, blank + 1), &count)) {
		return run_bad(state->run, number,
			       "expected a stack, a blank and a whole number, found '%s'",
			       quote(raw).text);
	}
	buf_clear(&state->text);
	utf8_repair(&state->text, str_to(raw, blank));
	struct str rest = buf_str(&state->text);
	struct ids *ids = &state->ids;
	ids->n = 0;
	for (bool more = true; more;) {
		more = str_find(rest, ';') != STR_NONE;
		uint32_t id = stacks_frame(state->run->stacks, str_cut(&rest, ';'));
		if (ids->n == 0 || ids->items[ids->n - 1] != id) {
			ids_push(ids, id);
		}
	}
	state->run->samples++;
	stacks_add(state->run->stacks, ids->items, ids->n, count);
	return 0;
}

static int block(void *memory, const struct block *block) {
	struct state *state = memory;
	return run_lines(state->run, block, state, line);
}

static void release(void *memory) {
	struct state *state = memory;
	buf_release(&state->text);
	ids_release(&state->ids);
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
	.about = "Reads folded text and drops every frame that equals the one before it, so that "
		 "'a;b;b;b;c' and 'a;b;c' add "
		 "up. Recursion by way of other functions stays.",
	.examples = examples,
	.state_size = sizeof(struct state),
	.init = init,
	.block = block,
	.cut = cut_lines,
	.release = release,
};
