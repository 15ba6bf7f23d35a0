/* Report in one line how good a recording is. */
#include "perfdata/health.h"

#include <stdlib.h>

#include "base/num.h"

/** The smallest shares that are reported, in thousandths. */
enum { MANY_TRUNCATED = 20, MANY_NAMELESS = 50 };

uint32_t health_image(struct health *health, const struct image *image) {
	size_t i = image == NULL ? 0 : 1 + (size_t)image->id;
	if (i >= health->n) {
		health->by_image = mem_grow(health->by_image, &health->capacity, i + 1,
					    sizeof(*health->by_image));
		health->images = mem_grow(health->images, &health->images_capacity, i + 1,
					  sizeof(*health->images));
		for (; health->n <= i; health->n++) {
			health->by_image[health->n] = 0;
			health->images[health->n] = NULL;
		}
	}
	health->images[i] = image;
	return (uint32_t)i;
}

/** What to do about frames without a name, by the reason. */
static const char *const remedies[] = {
	[OBJECT_UNTRIED] = "",
	[OBJECT_NAMED] = "",
	[OBJECT_STRIPPED] = "it is stripped: install its debug symbols, or use --debuginfod",
	[OBJECT_NAMELESS] = "it is stripped: install its debug symbols, or use --debuginfod",
	[OBJECT_MISSING] = "its file is not here: use --symfs FOLDER",
	[OBJECT_REPLACED] = "its file was replaced since: use --symfs FOLDER with the one that ran",
	[OBJECT_UNREADABLE] = "its file cannot be read",
	[OBJECT_RESTRICTED] = "its symbols are hidden: run as root, or use --kallsyms FILE",
	[OBJECT_FOREIGN] = ("the recorded kernel is not this one: copy its /proc/kallsyms here, "
			    "and use --kallsyms FILE"),
};

static void add_count(struct buf *text, const char *what, uint64_t count) {
	buf_add_text(text, "; ");
	buf_add_text(text, what);
	buf_add_text(text, ": ");
	buf_add_u64(text, count);
}

static void add_share(struct buf *text, uint64_t part, uint64_t whole) {
	char number[NUM_FIXED_MAX];
	double share = whole == 0 ? 0 : 100 * (double)part / (double)whole;
	buf_add(text, number, num_format_fixed(number, share, 1));
	buf_add_text(text, " %");
}

/** Add advice in brackets, if it is wanted. */
static void add_advice(struct buf *text, bool wanted, const char *advice) {
	if (wanted && advice[0] != '\0') {
		buf_printf(text, " (%s)", advice);
	}
}

/** Add where most frames without a name are, and what to do about them. */
static void add_nameless(struct buf *text, const struct health *health, bool advise) {
	size_t most = 0;
	for (size_t i = 1; i < health->n; i++) {
		most = health->by_image[i] > health->by_image[most] ? i : most;
	}
	const struct image *image = health->images[most];
	if (image == NULL) {
		buf_add_text(text, ", most where nothing is mapped");
		add_advice(text, advise, "programs without frame pointers need --call-graph dwarf");
		return;
	}
	buf_printf(text, ", most in '%s'", quote(image->name).text);
	add_advice(text, advise,
		   image->object == NULL ? "" : remedies[object_state(image->object)]);
}

/** Add what is left out for lack of a library. */
static void add_missing(struct buf *text, const struct symbols_missing *missing) {
	if (missing->libdw) {
		buf_add_text(text, "; inlined functions and source lines are left out (cannot load "
				   "libdw.so.1)");
	}
	if (missing->unwinder) {
		buf_add_text(text, "; recorded stacks are not unwound (cannot load libdw.so.1)");
	}
	if (missing->liblzma) {
		buf_add_text(text, "; symbols packed by xz are left out (cannot load "
				   "liblzma.so.5)");
	}
}

/** Put everything that is wrong into words. */
static void word(struct buf *text, const struct health *health, const struct perfdata *data,
		 bool advise) {
	const struct perfdata_health *recording = perfdata_health(data);
	uint64_t samples = recording->samples;
	if (recording->cut_off) {
		buf_add_text(text, "; the recording is cut off at byte ");
		buf_add_u64(text, recording->end);
	}
	if (recording->lost > 0) {
		add_count(text, "lost", recording->lost);
		buf_add_text(text, ", ");
		add_share(text, recording->lost, samples + recording->lost);
		add_advice(text, advise,
			   "record with a larger buffer, -m 4M, or less often, -F 99");
	}
	if (recording->broken > 0) {
		add_count(text, "damaged", recording->broken);
		buf_add_text(text, ", the first at byte ");
		buf_add_u64(text, recording->broken_at);
	}
	if (health->empty > 0) {
		add_count(text, "without frames", health->empty);
	}
	if (health->idle > 0) {
		add_count(text, "of the idle loop (left out)", health->idle);
	}
	if (recording->truncated * 1000 > samples * MANY_TRUNCATED) {
		add_count(text, "stacks that are cut off", recording->truncated);
		buf_add_text(text, ", ");
		add_share(text, recording->truncated, samples);
		add_advice(text, advise, "record with --call-graph dwarf,65528");
	}
	add_missing(text, symbols_missing(perfdata_symbols(data)));
	if (health->nameless * 1000 > health->frames * MANY_NAMELESS) {
		buf_add_text(text, "; frames without a name: ");
		add_share(text, health->nameless, health->frames);
		add_nameless(text, health, advise);
	}
}

/** Add the name of a recording and its number of samples. */
static void add_samples(struct buf *text, const struct perfdata *data, const char *name) {
	uint64_t samples = perfdata_health(data)->samples;
	buf_printf(text, "%s: samples: %llu", name, (unsigned long long)samples);
}

void health_word(struct buf *text, const struct health *health, const struct perfdata *data,
		 const char *name) {
	add_samples(text, data, name);
	word(text, health, data, false);
}

int health_say(const struct health *health, const struct perfdata *data, const char *name,
	       struct diag *diag) {
	struct buf text = {0};
	add_samples(&text, data, name);
	size_t well = text.n;
	int result = 0;
	word(&text, health, data, true);
	if (text.n > well) {
		result = diag_warn_text(diag, "the health of a recording", buf_text(&text), 1);
	} else {
		diag_note(diag, "%s", buf_text(&text));
	}
	buf_release(&text);
	return result;
}

void health_release(struct health *health) {
	free(health->by_image);
	free(health->images);
}
