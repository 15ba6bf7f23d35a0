/* Lists of processors. */
#include "record/cpus.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/num.h"
#include "record/proc.h"

static void cpus_add(struct cpus *cpus, uint64_t cpu) {
	*MEM_APPEND(cpus->items, cpus->n, cpus->capacity) = (int)cpu;
}

/** Add the processors of a list such as "0-3,6". Return whether the text is such a list. */
static bool cpus_parse(struct cpus *cpus, struct str list) {
	enum { MOST_CPUS = 1 << 16 };
	list = str_trim(list);
	while (list.n > 0) {
		struct str range = str_cut(&list, ','), first = str_cut(&range, '-');
		uint64_t from, to;
		if (!num_parse_u64(first, &from) || from > MOST_CPUS) {
			return false;
		}
		to = from;
		if (range.n > 0 && (!num_parse_u64(range, &to) || to > MOST_CPUS)) {
			return false;
		}
		for (uint64_t cpu = from; cpu <= to; cpu++) {
			cpus_add(cpus, cpu);
		}
	}
	return cpus->n > 0;
}

bool cpus_check(const char *list) {
	struct cpus scratch = {0};
	bool good = cpus_parse(&scratch, str_of(list));
	free(scratch.items);
	return good;
}

int cpus_keep(struct cpus *cpus, const char *list, struct diag *diag) {
	struct cpus wanted = {0};
	int result = 0;
	(void)cpus_parse(&wanted, str_of(list)); // the text was checked before
	for (size_t i = 0; i < wanted.n && result == 0; i++) {
		bool found = false;
		for (size_t k = 0; k < cpus->n; k++) {
			found |= cpus->items[k] == wanted.items[i];
		}
		if (!found) {
			result = diag_error(diag,
					    "--cpus: there is no processor %d; "
					    "/sys/devices/system/cpu/online lists them",
					    wanted.items[i]);
		}
	}
	free(cpus->items);
	*cpus = wanted;
	return result;
}

void cpus_find(struct cpus *cpus) {
	struct buf text = {0};
	bool known = proc_read("/sys/devices/system/cpu/online", &text) == 0 &&
		     cpus_parse(cpus, buf_str(&text));
	buf_release(&text);
	if (known) {
		return;
	}
	cpus->n = 0;
	long count = sysconf(_SC_NPROCESSORS_ONLN);
	for (long cpu = 0; cpu < (count < 1 ? 1 : count); cpu++) {
		cpus_add(cpus, (uint64_t)cpu);
	}
}
