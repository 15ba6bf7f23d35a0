/* Keep several values of stacks. */
#include "profile/values.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "profile/stacks.h"

struct values *values_new(void) {
	return mem_new(1, sizeof(struct values));
}

size_t values_column(struct values *values, struct str name, struct str unit) {
	for (size_t i = 0; i < values->n; i++) {
		const struct value_column *column = &values->columns[i];
		if (str_eq(buf_str(&column->name), name) && str_eq(buf_str(&column->unit), unit)) {
			return i;
		}
	}
	MEM_GROW(values->columns, values->capacity, values->n + 1);
	struct value_column *column = &values->columns[values->n];
	*column = (struct value_column){0};
	buf_add_str(&column->name, name);
	buf_add_str(&column->unit, unit);
	return values->n++;
}

/** Add `count` to a stack's count. The caller has checked that the sum of all counts fits into 64
 * bits. */
static void values_add_cell(struct value_column *column, uint32_t stack, uint64_t count) {
	if (stack >= column->n) {
		size_t before = column->n;
		column->n = (size_t)stack + 1;
		MEM_GROW(column->counts, column->capacity, column->n);
		memset(column->counts + before, 0, (column->n - before) * sizeof(uint64_t));
	}
	column->counts[stack] += count;
}

void values_set(struct values *values, size_t column, uint64_t count) {
	*MEM_APPEND(values->next, values->next_n, values->next_capacity) =
		(struct value_next){column, count};
}

void values_add(struct values *values, uint32_t stack) {
	for (size_t i = 0; i < values->next_n; i++) {
		struct value_column *to = &values->columns[values->next[i].column];
		uint64_t count = values->next[i].count;
		if (!num_add(to->sum, count, &to->sum)) {
			values->overflow = true;
		} else if (stack == STACKS_NONE) {
			values->partial = true;
		} else if (count > 0) {
			values_add_cell(to, stack, count);
		}
	}
	values->next_n = 0;
}

void values_set_period(struct values *values, const struct value_period *period) {
	struct value_period *known = &values->period;
	bool first = !known->known;
	bool same = str_eq(buf_str(&known->name), buf_str(&period->name)) &&
		    str_eq(buf_str(&known->unit), buf_str(&period->unit)) &&
		    known->period == period->period;
	known->period = first || same ? period->period : 0;
	if (first) {
		buf_add_str(&known->name, buf_str(&period->name));
		buf_add_str(&known->unit, buf_str(&period->unit));
	}
	bool earlier = period->start != 0 && (known->start == 0 || period->start < known->start);
	known->start = earlier ? period->start : known->start;
	values->overflow |= !num_add(known->duration, period->duration, &known->duration);
	known->known = true;
}

void values_merge(struct values *values, const struct values *from, const uint32_t *new_stacks) {
	values->overflow |= from->overflow;
	values->partial |= from->partial;
	if (from->period.known) {
		values_set_period(values, &from->period);
	}
	for (size_t i = 0; i < from->n; i++) {
		const struct value_column *old = &from->columns[i];
		size_t number = values_column(values, buf_str(&old->name), buf_str(&old->unit));
		struct value_column *column = &values->columns[number];
		if (!num_add(column->sum, old->sum, &column->sum)) {
			values->overflow = true;
			continue;
		}
		for (size_t s = 0; s < old->n; s++) {
			if (new_stacks[s] != STACKS_NONE && old->counts[s] > 0) {
				values_add_cell(column, new_stacks[s], old->counts[s]);
			}
		}
	}
}

/** Return the sum of a column's counts, for the stacks that have an id. */
static uint64_t values_in_stacks(const struct value_column *column) {
	uint64_t sum = 0;
	for (size_t s = 0; s < column->n; s++) {
		sum += column->counts[s];
	}
	return sum;
}

void values_renumber(struct values *values, const uint32_t *new_stacks) {
	for (size_t i = 0; i < values->n; i++) {
		struct value_column *column = &values->columns[i], old = *column;
		column->counts = NULL;
		column->n = column->capacity = 0;
		for (size_t s = 0; s < old.n; s++) {
			if (new_stacks[s] != STACKS_NONE && old.counts[s] > 0) {
				values_add_cell(column, new_stacks[s], old.counts[s]);
			}
		}
		column->sum -= values_in_stacks(&old) - values_in_stacks(column);
		free(old.counts);
	}
}

void values_free(struct values *values) {
	for (size_t i = 0; values != NULL && i < values->n; i++) {
		buf_release(&values->columns[i].name);
		buf_release(&values->columns[i].unit);
		free(values->columns[i].counts);
	}
	if (values != NULL) {
		free(values->columns);
		free(values->next);
		buf_release(&values->period.name);
		buf_release(&values->period.unit);
	}
	free(values);
}
