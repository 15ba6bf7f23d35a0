/* Compute the counts of the instructions of a function. */
#include "analysis/instructions.h"

/* --- The hottest address -------------------------------------------------------------------- */

struct instructions_walk {
	const struct sites *sites;
	uint32_t name;
	struct intern self;      // keys are a module and an address; the value is the count of the
				 // stacks that end there
	struct hot_address best; // if no stack ends in the function: the address of a call
};

struct instructions_key {
	uint64_t address, module;
};

/** Return whether a stack ends in the function, or in a function that is inlined into it. */
static bool instructions_ends_in(const struct instructions_walk *walk,
				 const struct site_stack *stack) {
	for (size_t i = stack->n; i > 0; i--) {
		uint32_t id = stack->ids[i - 1];
		if (walk->sites->names[id] == walk->name) {
			return true;
		}
		if (sites_get(walk->sites, id)->inlined == 0) {
			return false;
		}
	}
	return false;
}

static void instructions_visit(void *context, const struct site_stack *stack) {
	struct instructions_walk *walk = context;
	if (stack->n == 0) {
		return;
	}
	if (instructions_ends_in(walk, stack)) {
		const struct site *site = sites_get(walk->sites, stack->ids[stack->n - 1]);
		struct instructions_key key = {site->address, site->module};
		struct intern_key *sum = intern_get(&walk->self, &key, sizeof(key));
		sum->value += stack->count;
		bool is_known = site->module != 0 && site->address != 0;
		if (is_known && sum->value > walk->best.self) {
			walk->best = (struct hot_address){site->module, site->address, sum->value};
		}
		return;
	}
	for (size_t i = 0; i < stack->n && walk->best.module == 0; i++) {
		const struct site *site = sites_get(walk->sites, stack->ids[i]);
		if (walk->sites->names[stack->ids[i]] == walk->name && site->address != 0) {
			walk->best = (struct hot_address){site->module, site->address, 0};
		}
	}
}

struct hot_address instructions_find(const struct view *view, uint32_t name) {
	struct instructions_walk walk = {.sites = view->profile->sites, .name = name};
	(void)site_sums_visit(view, instructions_visit, &walk);
	intern_release(&walk.self);
	return walk.best;
}

/* --- Counts --------------------------------------------------------------------------------- */

struct instructions_counts {
	const struct sites *sites;
	uint32_t module;
	struct machine_code *code;
	uint64_t sum;
};

/** Return the last instruction that starts at an address or before it. */
static struct instruction *instructions_at(struct machine_code *code, uint64_t address) {
	size_t low = 0, high = code->n;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (code->items[middle].address <= address) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low == 0 ? NULL : &code->items[low - 1];
}

static void instructions_add(void *context, const struct site_stack *stack) {
	enum { LONGEST = 16 }; // largest number of bytes of an instruction
	struct instructions_counts *counts = context;
	if (stack->n == 0) {
		return;
	}
	const struct site *site = sites_get(counts->sites, stack->ids[stack->n - 1]);
	struct instruction *at = site->module == counts->module && site->address != 0
					 ? instructions_at(counts->code, site->address)
					 : NULL;
	if (at != NULL && site->address - at->address < LONGEST) {
		at->self += stack->count;
		counts->sum += stack->count;
	}
}

uint64_t instructions_count(const struct view *view, uint32_t module, struct machine_code *code) {
	struct instructions_counts counts = {
		.sites = view->profile->sites, .module = module, .code = code};
	(void)site_sums_visit(view, instructions_add, &counts);
	return counts.sum;
}
