/* A line on the terminal while a recording goes on, shown between the samples that are folded. */
#include "record/live.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "base/intern.h"

struct hot {
	struct str name; // name of the function, in `names`
	uint64_t samples;
};

struct live {
	struct recorder *recorder;
	struct diag *diag;
	int64_t start, shown; // times, in milliseconds
	int64_t every;        // time between two updates of the line
	uint64_t before;      // number of samples when the line was last shown
	struct buf text;
	struct intern names;
	struct hot *hot;
	size_t n, capacity;
	uint64_t samples, lost;
};

static int64_t live_now(void) {
	enum { SECOND = 1000, MILLION = 1000000 };
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (int64_t)time.tv_sec * SECOND + time.tv_nsec / MILLION;
}

/* --- Samples -------------------------------------------------------------------------------- */

/** Count a sample. */
static void live_add(void *context, struct str function, uint64_t lost) {
	struct live *live = context;
	struct intern_key *key = intern_get(&live->names, function.p, function.n);
	if (key->value == 0) {
		*MEM_APPEND(live->hot, live->n, live->capacity) = (struct hot){intern_str(key), 0};
		key->value = live->n;
	}
	live->hot[key->value - 1].samples++;
	live->samples++;
	live->lost = lost;
}

struct perf_watch live_watch(struct live *live) {
	return (struct perf_watch){live == NULL ? NULL : live_add, live};
}

/* --- Showing -------------------------------------------------------------------------------- */

/** Return the number of columns of the terminal, or 0 if no line may be shown now. No line may be
 * shown if the recorder is in the background, or if the program reads single keys, as full-screen
 * programs do. */
static size_t live_columns(void) {
	enum { USUAL = 80 };
	struct winsize size;
	struct termios how;
	if (tcgetpgrp(STDERR_FILENO) != getpgrp() || tcgetattr(STDERR_FILENO, &how) != 0 ||
	    (how.c_lflag & ICANON) == 0) {
		return 0;
	}
	bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
	return known ? size.ws_col : USUAL;
}

/** Move the functions with the most samples to the front. */
static void live_find_hottest(struct live *live, size_t most) {
	for (size_t i = 0; i < most && i < live->n; i++) {
		size_t best = i;
		for (size_t j = i + 1; j < live->n; j++) {
			best = live->hot[j].samples > live->hot[best].samples ? j : best;
		}
		struct hot hot = live->hot[best];
		live->hot[best] = live->hot[i];
		live->hot[i] = hot;
	}
	for (size_t i = 0; i < live->n; i++) { // the functions have moved
		intern_get(&live->names, live->hot[i].name.p, live->hot[i].name.n)->value = i + 1;
	}
}

/** Add as many of the hottest functions as fit. */
static void live_add_hottest(struct live *live, size_t width) {
	enum { MOST = 5 };
	live_find_hottest(live, MOST);
	for (size_t i = 0; i < MOST && i < live->n; i++) {
		const struct hot *hot = &live->hot[i];
		size_t before = live->text.n;
		unsigned long long share = 100 * hot->samples / live->samples;
		if (share == 0) {
			return;
		}
		buf_printf(&live->text, "%s%s %llu%%", i == 0 ? "; " : ", ", quote(hot->name).text,
			   share);
		if (live->text.n >= width) {
			live->text.n = before;
			return;
		}
	}
}

/** Make the text of the line, with fewer than `width` columns. Each byte is counted as a column,
 * because a text never has more columns than bytes. */
static void live_format_lines(struct live *live, size_t width, int64_t time) {
	const double second = 1e3;
	struct buf *text = &live->text;
	buf_clear(text);
	buf_printf(text, "%.0f s, %llu samples", (double)(time - live->start) / second,
		   (unsigned long long)live->samples);
	if (live->shown > 0 && time > live->shown) {
		buf_printf(text, ", %.0f/s",
			   (double)(live->samples - live->before) * second /
				   (double)(time - live->shown));
	}
	if (live->lost > 0) {
		buf_printf(text, ", lost %llu", (unsigned long long)live->lost);
	}
	if (text->n >= width) {
		text->n = width > 0 ? width - 1 : 0;
	}
	if (live->samples > 0) {
		live_add_hottest(live, width);
	}
	live->before = live->samples;
}

static void live_show(struct live *live) {
	enum { FIRST = 1000 }; // in milliseconds: short runs show no line
	int64_t time = live_now();
	bool due = time >= live->start + FIRST && time >= live->shown + live->every;
	size_t width = due ? live_columns() : 0;
	if (width > 0) {
		live_format_lines(live, width, time);
		live->shown = time;
		diag_status(live->diag, buf_text(&live->text));
	}
}

void live_wait(struct live *live) {
	if (live == NULL) {
		return;
	}
	while (!recorder_wait(live->recorder, (unsigned)live->every)) {
		live_show(live);
	}
	live_show(live);
}

/* --- Life ----------------------------------------------------------------------------------- */

struct live *live_new(struct recorder *recorder, struct diag *diag) {
	// Output of the program would appear in the middle of this line. So if the program writes
	// to the terminal, show the line less often.
	enum { OFTEN = 250, SELDOM = 1000 };
	const char *terminal = getenv("TERM");
	if (diag->show == NULL || diag->quiet || !isatty(STDERR_FILENO) || terminal == NULL ||
	    strcmp(terminal, "dumb") == 0) {
		return NULL;
	}
	struct live *live = mem_new(1, sizeof(*live));
	live->recorder = recorder;
	live->diag = diag;
	live->every = isatty(STDOUT_FILENO) ? SELDOM : OFTEN;
	return live;
}

void live_start(struct live *live) {
	if (live == NULL) {
		return;
	}
	live->start = live_now();
}

void live_free(struct live *live) {
	if (live == NULL) {
		return;
	}
	intern_release(&live->names);
	free(live->hot);
	buf_release(&live->text);
	free(live);
}
