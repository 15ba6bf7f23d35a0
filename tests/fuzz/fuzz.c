/*
 * Gives damaged input to a command, and checks its result. The command is collapse-FORMAT, or
 * flamegraph, whose pictures must be well-formed.
 *
 *     fuzz-text COMMAND FILE|FOLDER...
 *     fuzz-text COMMAND --mutate N [--seed S] FILE|FOLDER...
 *
 * The first form tries every file, also the files below folders. The second form tries N mutations
 * of random files of these instead; the same seed gives the same mutations. With -DFUZZ_LIBFUZZER,
 * the program has no main(), but the functions for libFuzzer, which stores findings itself, and
 * FUZZ_COMMAND is its command. A finding ends the process by abort(), and leaves its input in the
 * file `finding`.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <expat.h>

#include "base/input.h"
#include "base/utf8.h"
#include "perf/recording.h"
#include "commands/commands.h"

#include "job.h"

#if XML_MAJOR_VERSION == 2 && XML_MINOR_VERSION < 9 // later versions deprecate the old name
#define XML_GetCurrentByteIndex64 XML_GetCurrentByteIndex
#endif

// Of a large run, the first worker reads 256 KiB alone, and then each of four workers gets a block
// of 64 KiB.
enum { LARGEST_INPUT = 256 << 10, LARGE_RUN = 512 << 10, LARGE_RUN_EVERY = 100 };

#ifndef FUZZ_COMMAND
#define FUZZ_COMMAND ""
#endif
static const char *fuzz_command = FUZZ_COMMAND;
static bool is_collapse;   // whether the result is folded text
static struct str current; // the input that is tried

static struct random source;

/* --- What must hold ------------------------------------------------------------------------- */

void fuzz_require(bool holds, const char *what, struct str detail) {
	if (holds) {
		return;
	}
	fprintf(stderr, "finding in %s: %s: %.*s\n", fuzz_command, what,
		(int)(detail.n < 1000 ? detail.n : 1000), detail.p);
#ifndef FUZZ_LIBFUZZER
	FILE *file = fopen("finding", "wb");
	if (file != NULL) {
		fwrite(current.p, 1, current.n, file);
		fclose(file);
	}
#endif
	abort();
}

/** The options of a run. Each bit of a number turns on one flag of the command. */
struct fuzz_choice {
	uint64_t bits;
	unsigned threads;
	bool strict, lenient;
};

struct outcome {
	enum inferno_status status;
	struct buf out, messages;
};

static int fuzz_collect(void *context, const void *bytes, size_t size) {
	buf_add(context, bytes, size);
	return 0;
}

static void fuzz_hear(void *context, enum inferno_level level, const char *text) {
	if (level != INFERNO_PROGRESS) {
		buf_printf(context, "%d %s\n", (int)level, text);
		fuzz_require(strchr(text, '\n') == NULL && utf8_valid(str_of(text)),
			     "a message is not a line of text", str_of(text));
	}
}

static void fuzz_set(struct inferno *job, const char *name, const char *value) {
	fuzz_require(inferno_set(job, name, value) == INFERNO_OK, "an option was refused",
		     str_of(inferno_error(job)));
}

static void fuzz_set_own_flags(struct inferno *job, uint64_t bits) {
	struct command command;
	command_find(fuzz_command, &command);
	const struct opt *rows = command.tables[TABLE_OWN].rows;
	for (size_t i = 0; rows != NULL && rows[i].type != OPT_END && i < 64; i++) {
		// Skip flags that read or write files, or that may refuse the input.
		bool wild = strcmp(rows[i].name, "cp") == 0 || strcmp(rows[i].name, "no-sort") == 0;
		if (rows[i].type == OPT_BOOL && rows[i].conflicts == NULL && !wild &&
		    (bits >> i & 1) != 0) {
			fuzz_set(job, rows[i].name, NULL);
		}
	}
}

static struct outcome fuzz_run(const char *name, struct str input,
			       const struct fuzz_choice *choice) {
	struct outcome outcome = {0};
	struct inferno *job = inferno_new(name);
	char threads[16];
	snprintf(threads, sizeof(threads), "%u", choice->threads);
	fuzz_set(job, "nthreads", threads);
	if (choice->strict || choice->lenient) {
		fuzz_set(job, choice->strict ? "strict" : "lenient", NULL);
	}
	if (strcmp(name, fuzz_command) == 0) {
		fuzz_set_own_flags(job, choice->bits);
	}
	inferno_on_message(job, fuzz_hear, &outcome.messages);
	inferno_add(job, &(struct inferno_source){.kind = INFERNO_MEMORY,
						  .memory = input.n == 0 ? "" : input.p,
						  .size = input.n,
						  .name = "INPUT"});
	outcome.status = inferno_run(job, fuzz_collect, &outcome.out);
	const char *error = inferno_error(job);
	fuzz_require(outcome.status != INFERNO_BAD_USAGE, "the usage is wrong", str_of(error));
	fuzz_require((outcome.status == INFERNO_OK) == (*error == '\0'),
		     "status and error disagree", str_of(error));
	fuzz_require(strchr(error, '\n') == NULL && utf8_valid(str_of(error)),
		     "the error is not a line of text", str_of(error));
	fuzz_require(!is_collapse || outcome.status == INFERNO_OK || outcome.out.n == 0,
		     "a failed run has a result", buf_str(&outcome.out));
	buf_printf(&outcome.messages, "error: %s\n", error);
	inferno_free(job);
	return outcome;
}

static void fuzz_release(struct outcome *outcome) {
	buf_release(&outcome->out);
	buf_release(&outcome->messages);
}

/** Return whether two runs have the same outcome. If a run fails, ignore its messages, because
 * their number may differ. */
static bool fuzz_same(const struct outcome *a, const struct outcome *b) {
	return a->status == b->status && str_eq(buf_str(&a->out), buf_str(&b->out)) &&
	       (a->status != INFERNO_OK || str_eq(buf_str(&a->messages), buf_str(&b->messages)));
}

/** Check many copies of the input, joined: they are large enough for several workers, and every
 * count must be a multiple of the count for one copy. Lines that are skipped at the start of one
 * copy may have a meaning between copies. */
static void fuzz_check_large(struct str input, const struct fuzz_choice *choice,
			     const struct outcome *once) {
	struct buf large = {0};
	size_t times = 0;
	for (; large.n < LARGE_RUN; times++) {
		buf_add_str(&large, input);
		buf_add_text(&large, "\n\n");
	}
	struct fuzz_choice four = *choice;
	four.threads = 4;
	struct outcome a = fuzz_run(fuzz_command, buf_str(&large), choice),
		       b = fuzz_run(fuzz_command, buf_str(&large), &four);
	fuzz_require(fuzz_same(&a, &b), "four threads have another result", buf_str(&b.messages));
	struct lines many = {.rest = buf_str(&a.out)}, one = {.rest = buf_str(&once->out)};
	struct str line, expected;
	// Formats whose files can be concatenated.
	bool repeats = (strcmp(fuzz_command, "collapse-folded") == 0 ||
			strcmp(fuzz_command, "collapse-perf") == 0) &&
		       !perf_is_recording(input) &&
		       !str_has(buf_str(&once->messages), STR("skipped lines up to"));
	while (repeats && a.status == INFERNO_OK && lines_next(&many, &line)) {
		fuzz_require(lines_next(&one, &expected), "a repeated input has more stacks", line);
		uint64_t count = fuzz_take_count(&line), single = fuzz_take_count(&expected);
		fuzz_require(str_eq(line, expected) && count == single * times,
			     "a repeated input has other counts", line);
	}
	fuzz_release(&a);
	fuzz_release(&b);
	buf_release(&large);
}

/** Check that folding the result again changes nothing. */
static void fuzz_check_again(struct str text) {
	if (!fuzz_survives_reading(text)) {
		return;
	}
	struct outcome again = fuzz_run("collapse-folded", text,
					&(struct fuzz_choice){.threads = 1, .strict = true});
	// The name of a function may look like the start of another kind of file.
	bool refused = str_has(buf_str(&again.messages), STR("INPUT: is "));
	fuzz_require(refused || again.status == INFERNO_OK, "the result is not folded text",
		     buf_str(&again.messages));
	fuzz_require(refused || str_eq(buf_str(&again.out), text),
		     "the result changes when it is folded again", buf_str(&again.out));
	fuzz_release(&again);
}

static void fuzz_check_picture(struct str picture) {
	fuzz_require(utf8_valid(picture), "the picture is no UTF-8", picture);
	fuzz_require(str_has(picture, STR("<svg")) && str_ends(str_trim(picture), STR("</svg>")),
		     "the picture is cut off", picture);
	XML_Parser parser = XML_ParserCreate(NULL);
	bool good = XML_Parse(parser, picture.p, (int)picture.n, 1) == XML_STATUS_OK;
	fuzz_require(good, XML_ErrorString(XML_GetErrorCode(parser)),
		     str_from(picture, good ? 0 : (size_t)XML_GetCurrentByteIndex64(parser)));
	XML_ParserFree(parser);
}

/** Check all rules for one input. */
static void fuzz_try(struct str input, const struct fuzz_choice *choice, bool large) {
	current = input;
	struct fuzz_choice four = *choice;
	four.threads = 4;
	struct outcome a = fuzz_run(fuzz_command, input, choice),
		       b = fuzz_run(fuzz_command, input, &four);
	fuzz_require(fuzz_same(&a, &b), "four threads have another result", buf_str(&b.messages));
	fuzz_check_pieces(fuzz_command, input);
	if (is_collapse) {
		uint64_t sums[FUZZ_COUNTS_MOST];
		(void)fuzz_check_folded(buf_str(&a.out), 1, sums);
	} else if (a.out.n > 0) {
		fuzz_check_picture(buf_str(&a.out));
	}
	if (is_collapse && a.out.n > 0) {
		fuzz_check_again(buf_str(&a.out));
	}
	if (is_collapse && large && a.status == INFERNO_OK && a.out.n > 0) {
		fuzz_check_large(input, choice, &a);
	}
	fuzz_release(&a);
	fuzz_release(&b);
}

static struct fuzz_choice fuzz_random_choice(void) {
	size_t mode = random_below(&source, 8);
	return (struct fuzz_choice){.bits = random_next(&source),
				    .threads = 1,
				    .strict = mode == 0,
				    .lenient = mode == 1};
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
	is_collapse = str_starts(str_of(fuzz_command), STR("collapse-"));
	// Leave recordings to their own target, which reads no files of this machine.
	bool is_recording = perf_is_recording((struct str){(const char *)bytes, size});
	if (size <= LARGEST_INPUT && !is_recording) {
		// Options depend only on the input, so that a finding can be repeated.
		source.state = size;
		for (size_t i = 0; i < size && i < 64; i++) {
			source.state = source.state * 31 + bytes[i];
		}
		struct fuzz_choice choice = fuzz_random_choice();
		fuzz_try((struct str){(const char *)bytes, size}, &choice,
			 random_below(&source, LARGE_RUN_EVERY) == 0);
	}
	return 0;
}

#ifndef FUZZ_LIBFUZZER

/* --- Files to try --------------------------------------------------------------------------- */

struct seeds {
	struct buf *items;
	size_t n, capacity;
};

/** Add a file to the seeds, decompressed if it is compressed. */
static void fuzz_add_file(struct seeds *seeds, const char *path) {
	struct buf bytes = {0};
	struct diag diag = {0};
	if (input_read_file(path, &bytes, &diag) != 0) {
		fprintf(stderr, "%s\n", buf_text(&diag.error));
		exit(2);
	}
	diag_release(&diag);
	if (bytes.n > LARGEST_INPUT) {
		buf_release(&bytes);
		return;
	}
	seeds->items =
		mem_grow(seeds->items, &seeds->capacity, seeds->n + 1, sizeof(*seeds->items));
	seeds->items[seeds->n++] = bytes;
}

/**
 * Return whether a file of a folder is an input, and not an expected output or the arguments of a
 * golden case.
 */
static int fuzz_is_input(const struct dirent *entry) {
	static const struct str others[] = {STR_INIT(".out"), STR_INIT(".err"), STR_INIT(".args"),
					    STR_INIT(".exit"), STR_INIT(".sniff")};
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (str_ends(str_of(entry->d_name), others[i])) {
			return 0;
		}
	}
	return entry->d_name[0] != '.';
}

static void fuzz_add_path(struct seeds *seeds, const char *path) {
	struct stat info;
	struct dirent **entries;
	if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode)) {
		fuzz_add_file(seeds, path);
		return;
	}
	int n = scandir(path, &entries, fuzz_is_input, alphasort);
	for (int i = 0; i < n; i++) {
		struct buf inside = {0};
		buf_printf(&inside, "%s/%s", path, entries[i]->d_name);
		fuzz_add_path(seeds, buf_text(&inside));
		buf_release(&inside);
		free(entries[i]);
	}
	free(entries);
}

/* --- Mutations ------------------------------------------------------------------------------ */

/** Replace `len` bytes at `at` by `by`. */
static void fuzz_splice(struct buf *bytes, size_t at, size_t len, struct str by) {
	struct buf out = {0};
	buf_add(&out, bytes->p, at);
	buf_add_str(&out, by);
	buf_add_str(&out, str_from(buf_str(bytes), at + len));
	buf_release(bytes);
	*bytes = out;
}

static struct str fuzz_random_token(void) {
	static const struct str tokens[] = {
		STR_INIT("\n"),
		STR_INIT("\n\n"),
		STR_INIT("\r\n"),
		STR_INIT(" "),
		STR_INIT("  "),
		STR_INIT("\t"),
		STR_INIT("\0"),
		STR_INIT(";"),
		STR_INIT(":"),
		STR_INIT("#"),
		STR_INIT("# "),
		STR_INIT("("),
		STR_INIT(")"),
		STR_INIT(" (m)"),
		STR_INIT("<"),
		STR_INIT(">"),
		STR_INIT("["),
		STR_INIT("]"),
		STR_INIT("{"),
		STR_INIT("}"),
		STR_INIT("->"),
		STR_INIT("::"),
		STR_INIT(".."),
		STR_INIT("`"),
		STR_INIT("\""),
		STR_INIT("'"),
		STR_INIT("\\"),
		STR_INIT("/"),
		STR_INIT("&"),
		STR_INIT(","),
		STR_INIT("|"),
		STR_INIT("!"),
		STR_INIT("+0x1f"),
		STR_INIT("+"),
		STR_INIT("-1"),
		STR_INIT("0"),
		STR_INIT("1.5"),
		STR_INIT("1e9"),
		STR_INIT("nan"),
		STR_INIT("18446744073709551615"),
		STR_INIT("18446744073709551616"),
		STR_INIT("9223372036854775808"),
		STR_INIT("h0123456789abcdef"),
		STR_INIT("$LT$"),
		STR_INIT("$u20$"),
		STR_INIT("_$"),
		STR_INIT("operator"),
		STR_INIT("operator->"),
		STR_INIT("(anonymous namespace)"),
		STR_INIT("[unknown]"),
		STR_INIT("([unknown])"),
		STR_INIT("java"),
		STR_INIT("Lx/y"),
		STR_INIT("vmlinux"),
		STR_INIT(" (deleted)"),
		STR_INIT("_[i]"),
		STR_INIT("_[k]"),
		STR_INIT(" 12/34 [000] 1.5: 1 cycles:\n"),
		STR_INIT("\xff"),
		STR_INIT("\xe2\x82"),
		STR_INIT("\xf0\x9f\x98"),
		STR_INIT("\xc2\xa0"),
		STR_INIT("\xe2\x80\xa8"),
		STR_INIT("\xc0\xaf"),
		STR_INIT("\xef\xbf\xbd"),
		STR_INIT("\xef\xbb\xbf"),
		STR_INIT("\x1b["),
		STR_INIT("\x7f"),
		STR_INIT("\xe2\x80\xae"),
		STR_INIT("&lt;"),
		STR_INIT("&#0;"),
		STR_INIT("<?xml version=\"1.0\"?>"),
		STR_INIT("]]>"),
		STR_INIT("-->"),
		STR_INIT("<![CDATA["),
	};
	return tokens[random_below(&source, sizeof(tokens) / sizeof(tokens[0]))];
}

/** Return a random part of a text: some bytes, or one whole line. */
static struct str fuzz_random_stretch(struct str text) {
	size_t at = random_below(&source, text.n + 1),
	       len = random_below(&source, (random_below(&source, 8) == 0 ? text.n - at : 40) + 1);
	len = len < text.n - at ? len : text.n - at;
	if (random_below(&source, 2) == 0) {
		size_t line = str_find_last(str_to(text, at), '\n');
		at = line == STR_NONE ? 0 : line + 1;
		line = str_find(str_from(text, at), '\n');
		len = line == STR_NONE ? text.n - at : line + 1;
	}
	return (struct str){text.p + at, len};
}

static void fuzz_mutate(struct buf *bytes, const struct seeds *seeds) {
	struct str text = buf_str(bytes), stretch = fuzz_random_stretch(text);
	size_t at = (size_t)(stretch.p - text.p);
	switch (random_below(&source, 8)) {
	case 0: // one bit
		if (text.n > 0) {
			bytes->p[random_below(&source, text.n)] ^=
				(char)(1 << random_below(&source, 8));
		}
		break;
	case 1: // one byte
		if (text.n > 0) {
			bytes->p[random_below(&source, text.n)] = (char)random_next(&source);
		}
		break;
	case 2: // remove a part
		fuzz_splice(bytes, at, stretch.n, STR(""));
		break;
	case 3: // repeat a part
		fuzz_splice(bytes,
			    random_below(&source, 2) == 0 ? at : random_below(&source, text.n + 1),
			    0, stretch);
		break;
	case 4: // insert a part of another file
		fuzz_splice(bytes, at, random_below(&source, 2) == 0 ? stretch.n : 0,
			    fuzz_random_stretch(
				    buf_str(&seeds->items[random_below(&source, seeds->n)])));
		break;
	case 5: // cut off the end
		if (random_below(&source, 4) == 0) {
			bytes->n = random_below(&source, text.n + 1);
		}
		break;
	default:
		fuzz_splice(bytes, random_below(&source, text.n + 1), 0, fuzz_random_token());
	}
}

static void fuzz_mutate_all(const struct seeds *seeds, size_t n) {
	for (size_t i = 0; i < n; i++) {
		struct buf bytes = {0};
		buf_add_str(&bytes, buf_str(&seeds->items[random_below(&source, seeds->n)]));
		for (size_t times = random_below(&source, 8) + 1;
		     times > 0 && bytes.n <= LARGEST_INPUT; times--) {
			fuzz_mutate(&bytes, seeds);
		}
		if (bytes.n <= LARGEST_INPUT) {
			struct fuzz_choice choice = fuzz_random_choice();
			fuzz_try(buf_str(&bytes), &choice, i % LARGE_RUN_EVERY == 0);
		}
		buf_release(&bytes);
	}
}

int main(int argc, char **argv) {
	struct seeds seeds = {0};
	size_t mutations = 0;
	fuzz_command = argc > 1 ? argv[1] : "";
	is_collapse = str_starts(str_of(fuzz_command), STR("collapse-"));
	for (int i = 2; i < argc; i++) {
		if (strcmp(argv[i], "--mutate") == 0 && i + 1 < argc) {
			mutations = (size_t)strtoull(argv[++i], NULL, 10);
		} else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc) {
			source.state = strtoull(argv[++i], NULL, 10);
		} else {
			fuzz_add_path(&seeds, argv[i]);
		}
	}
	if (seeds.n == 0) {
		fprintf(stderr,
			"Usage: fuzz-text COMMAND [--mutate N] [--seed S] FILE|FOLDER...\n");
		return 2;
	}
	for (size_t i = 0; mutations == 0 && i < seeds.n; i++) {
		struct fuzz_choice plain = {.threads = 1};
		fuzz_try(buf_str(&seeds.items[i]), &plain, true);
		LLVMFuzzerTestOneInput(
			(const uint8_t *)(seeds.items[i].p == NULL ? "" : seeds.items[i].p),
			seeds.items[i].n);
	}
	fuzz_mutate_all(&seeds, mutations);
	printf("%s: %zu files, %zu mutations\n", fuzz_command, seeds.n, mutations);
	for (size_t i = 0; i < seeds.n; i++) {
		buf_release(&seeds.items[i]);
	}
	free(seeds.items);
	return 0;
}

#endif
