/* The time for which threads have waited for a processor. */
#include "record/delays.h"

#include <stdio.h>

#include "record/synth.h"
#include "record/proc.h"

enum { THREADS_MOST = 1000 }; // most threads; reading more of them takes too long

static void delays_add_one(void *context, int32_t pid, int32_t tid) {
	const uint64_t least = 100000; // ns
	struct delays *delays = context;
	struct buf text = {0};
	char path[64];
	unsigned long long delay;
	if (delays->known.count >= THREADS_MOST) {
		return;
	}
	snprintf(path, sizeof(path), "/proc/%d/task/%d/schedstat", pid, tid);
	proc_read(path, &text);
	if (sscanf(buf_text(&text), "%*u %llu", &delay) == 1) {
		struct intern_key *key = intern_get(&delays->known, &tid, sizeof(tid));
		bool first = key->id + 1 == delays->known.count && key->value == 0;
		if (first || delay >= key->value + least) {
			const struct synth_at at = {pid, tid, delays->time};
			synth_delay(delays->out, &at, delay);
			key->value = delay;
		}
	}
	buf_release(&text);
}

void delays_add(struct delays *delays, int32_t pid) {
	proc_each_thread(pid, delays_add_one, delays);
}

void delays_release(struct delays *delays) {
	intern_release(&delays->known);
}
