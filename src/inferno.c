/* The interface of the library libinferno. */
#include "inferno.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/guard.h"
#include "base/isolated.h"
#include "collapse/frames.h"
#include "collapse/sniff.h"
#include "commands/commands.h"
#include "commands/outputs.h"
#include "commands/reading.h"
#include "profile/folded.h"

_Static_assert((int)DIAG_WARNING == INFERNO_WARNING && (int)DIAG_NOTE == INFERNO_NOTE &&
		       (int)DIAG_PROGRESS == INFERNO_PROGRESS && (int)DIAG_DONE == INFERNO_DONE,
	       "the levels of the library and of its header are one list");
_Static_assert((int)SOURCE_PATH == INFERNO_PATH && (int)SOURCE_MEMORY == INFERNO_MEMORY &&
		       (int)SOURCE_DESCRIPTOR == INFERNO_DESCRIPTOR,
	       "the kinds of sources of the library and of its header are one list");

struct inferno_profile {
	struct profile profile;
	char *unit; // NULL: not known
	uint32_t *ids;
	size_t ids_capacity;
	struct buf name;  // scratch memory: the name of a frame
	struct buf error; // error of the last call; empty: none
	uint64_t sum;     // sum of all counts
	bool exhausted;   // whether memory ran out; then the profile was released
};

/** The error of an earlier call, which may be read until the end. */
struct inferno_past {
	struct buf text;
	struct inferno_past *next;
};

struct inferno {
	struct command command;
	struct opt_set set;
	struct diag diag;
	struct inferno_past *errors;
	bool ran;
	bool exhausted; // whether memory ran out; then everything but `errors` was released
	int program_status;
	struct source *sources;
	size_t sources_n, sources_capacity;
	void (*show)(void *context, enum inferno_level level, const char *text);
	void *show_context;
	int (*progress)(void *context, const char *name, uint64_t done, uint64_t total);
	void *progress_context;
	int (*write)(void *context, const void *bytes, size_t size);
	void *write_context;
	struct buf *texts; // copies of profiles that are sources
	size_t texts_n, texts_capacity;
	bool isolated;
	uint64_t memory;
};

static void inferno_show_message(void *context, enum diag_level level, const char *text) {
	struct inferno *job = context;
	if (job->show != NULL) {
		job->show(job->show_context, (enum inferno_level)level, text);
	}
}

static bool inferno_show_progress(void *context, const char *name, uint64_t done, uint64_t total) {
	struct inferno *job = context;
	return job->progress == NULL ||
	       job->progress(job->progress_context, name, done, total) == 0;
}

/** The arguments and the result of a function of a job that may run out of memory. Each function
 * uses only some members. */
struct inferno_call {
	struct inferno *job;
	const char *option, *value;
	const struct inferno_source *source;
	int (*write)(void *context, const void *bytes, size_t size);
	void *context;
	enum inferno_status status;
};

/** Call `work`. If memory runs out, release everything that the job has, except its errors. */
static enum inferno_status inferno_call(struct inferno_call *call, void (*work)(void *call)) {
	struct inferno *job = call->job;
	if (!job->exhausted && !guard_run(job, work, call)) {
		guard_release(job);
		*job = (struct inferno){.errors = job->errors, .exhausted = true};
	}
	return job->exhausted ? INFERNO_NO_MEMORY : call->status;
}

static void inferno_do_init(void *context) {
	struct inferno_call *call = context;
	struct command command;
	if (!command_find(call->option, &command)) {
		call->status = INFERNO_BAD_USAGE;
		return;
	}
	call->job->command = command;
	call->job->diag.show = inferno_show_message;
	call->job->diag.on_progress = inferno_show_progress;
	call->job->diag.context = call->job;
	opt_init(&call->job->set, command.tables);
}

struct inferno *inferno_new(const char *name) {
	struct inferno *job = name == NULL ? NULL : calloc(1, sizeof(*job));
	struct inferno_call call = {.job = job, .option = name};
	if (job == NULL) {
		return NULL; // if there is a name, calloc() has set errno
	}
	enum inferno_status status = inferno_call(&call, inferno_do_init);
	if (status != INFERNO_OK) {
		inferno_free(job);
		errno = status == INFERNO_NO_MEMORY ? ENOMEM : EINVAL;
		return NULL;
	}
	return job;
}

/** Keep the error text of the earlier calls, and start a new, empty error text. */
static void inferno_clear_error(struct inferno *job) {
	if (job->diag.error.n > 0) {
		struct inferno_past *past = mem_new(1, sizeof(*past));
		*past = (struct inferno_past){.text = job->diag.error, .next = job->errors};
		job->errors = past;
		job->diag.error = (struct buf){0};
		(void)guard_forget(past); // if memory runs out, keep the error and its text
		(void)guard_forget(past->text.p);
	}
}

static void inferno_do_set(void *context) {
	struct inferno_call *call = context;
	struct inferno *job = call->job;
	inferno_clear_error(job);
	struct opt_place place = opt_by_name(&job->set, str_of(call->option));
	call->status = INFERNO_BAD_USAGE;
	if (place.row == NULL) {
		const char *near = opt_suggest(&job->set, call->option);
		diag_error(&job->diag,
			   near == NULL ? "unknown option '--%s'"
					: "unknown option '--%s'; did you mean '--%s'?",
			   quote(str_of(call->option)).text, near);
	} else if (opt_set(&job->set, place, call->value, &job->diag) == 0) {
		call->status = INFERNO_OK;
	}
}

enum inferno_status inferno_set(struct inferno *job, const char *option, const char *value) {
	struct inferno_call call = {.job = job, .option = option, .value = value};
	return inferno_call(&call, inferno_do_set);
}

static struct source inferno_source_of(const struct inferno_source *source) {
	return (struct source){
		.kind = (enum source_kind)source->kind,
		.path = source->path == NULL ? "" : source->path,
		.memory = source->memory,
		.size = source->size,
		.fd = source->fd,
		.name = source->name,
	};
}

static int inferno_add_bytes(void *context, const void *bytes, size_t size) {
	buf_add(context, bytes, size);
	return 0;
}

/** Write a profile as folded text. Return the text. The job owns the text. */
static struct str inferno_text_of(struct inferno *job, const struct inferno_profile *profile) {
	struct profile copy;
	struct output out;
	struct buf *text = MEM_APPEND(job->texts, job->texts_n, job->texts_capacity);
	*text = (struct buf){0};
	profile_init_like(&copy, &profile->profile);
	profile_merge(&copy, (struct profile *)(uintptr_t)&profile->profile);
	output_init(&out, inferno_add_bytes, text);
	folded_write(&copy, &out, false);
	(void)output_finish(&out);
	output_release(&out);
	profile_release(&copy);
	return buf_str(text);
}

static void inferno_do_add(void *context) {
	struct inferno_call *call = context;
	const struct inferno_source *source = call->source;
	struct inferno *job = call->job;
	struct source added = inferno_source_of(source);
	inferno_clear_error(job);
	if ((unsigned)source->kind > INFERNO_PROFILE) {
		diag_error(&job->diag, "unknown kind of source: %u", (unsigned)source->kind);
		call->status = INFERNO_BAD_USAGE;
		return;
	}
	if (source->kind == INFERNO_PROFILE) {
		struct str text = inferno_text_of(job, source->profile);
		added.kind = SOURCE_MEMORY;
		added.memory = text.p;
		added.size = text.n;
		added.name = source->name == NULL ? "profile" : source->name;
		struct opt_place unit = opt_by_name(&job->set, STR("countname"));
		if (source->profile->unit != NULL && unit.row != NULL &&
		    !opt_given(&job->set, "countname")) {
			(void)opt_set(&job->set, unit, source->profile->unit, &job->diag);
		}
	}
	*MEM_APPEND(job->sources, job->sources_n, job->sources_capacity) = added;
}

enum inferno_status inferno_add(struct inferno *job, const struct inferno_source *source) {
	struct inferno_call call = {.job = job, .source = source};
	return source->kind == INFERNO_PROFILE && source->profile->exhausted
		       ? INFERNO_NO_MEMORY
		       : inferno_call(&call, inferno_do_add);
}

static void inferno_apply_common(struct inferno *job) {
	const struct common_options *common =
		OPT_VALUES(&job->set, TABLE_COMMON, struct common_options);
	job->diag.quiet = common->quiet;
	job->diag.verbose = common->verbose;
	job->diag.lenient = common->lenient;
	job->diag.strict = common->strict;
}

static int inferno_check_usage(struct inferno *job) {
	if (job->ran) {
		return diag_error(&job->diag, "a job runs only once");
	}
	const struct command *command = &job->command;
	if (job->sources_n < command->operands_least || job->sources_n > command->operands_most) {
		return diag_error(&job->diag, "expected %s, found %zu", command->operands,
				  job->sources_n);
	}
	size_t standard = 0;
	for (size_t i = 0; i < job->sources_n && !command->runs_program; i++) {
		standard += job->sources[i].kind == SOURCE_PATH &&
			    strcmp(job->sources[i].path, "-") == 0;
	}
	if (standard > 1) {
		return diag_error(&job->diag, "'-' (standard input) can be read only once");
	}
	if (reading_set_value(command, &job->set, &job->diag) != 0 ||
	    opt_finish(&job->set, &job->diag) != 0 ||
	    output_check(command, &job->set, &job->diag) != 0) {
		return -1;
	}
	return command->check == NULL ? 0 : command->check(&job->set, job->sources_n, &job->diag);
}

/** Pass a piece of the result to the caller's function, unless the job is cancelled. */
static int inferno_write(void *context, const void *bytes, size_t size) {
	struct inferno *job = context;
	return diag_is_cancelled(&job->diag) ? diag_error(&job->diag, "cancelled")
					     : job->write(job->write_context, bytes, size);
}

/** Run a job in this process. */
static enum inferno_status inferno_run_here(struct inferno *job) {
	struct output out;
	output_init(&out, inferno_write, job);
	struct command_run run = {
		.command = &job->command,
		.set = &job->set,
		.threads = reading_threads(&job->set),
		.sources = job->sources,
		.sources_n = job->sources_n,
		.diag = &job->diag,
		.out = &out,
		.program_status = &job->program_status,
	};
	int result = job->command.run(&run);
	if (output_finish(&out) != 0) {
		result = diag_error(&job->diag, "the result could not be written");
	}
	output_release(&out);
	diag_summary(&job->diag);
	if (diag_is_cancelled(&job->diag) && result < 0) {
		return INFERNO_CANCELLED;
	}
	return result == 0                         ? INFERNO_OK
	       : result == COMMAND_CONDITION_HOLDS ? INFERNO_CONDITION_HOLDS
	       : result == COMMAND_PROGRAM_FAILED  ? INFERNO_PROGRAM_FAILED
						   : INFERNO_FAILED;
}

/* --- A job in a process of its own ----------------------------------------------------------- */

static int inferno_send_bytes(void *context, const void *bytes, size_t size) {
	(void)context;
	const struct isolated_piece piece = {.kind = ISOLATED_BYTES, .size = size};
	return isolated_send(&piece, bytes);
}

static void inferno_send_message(void *context, enum inferno_level level, const char *text) {
	(void)context;
	const struct isolated_piece piece = {
		.kind = ISOLATED_MESSAGE, .detail = (int)level, .size = strlen(text)};
	(void)isolated_send(&piece, text);
}

static int inferno_send_progress(void *context, const char *name, uint64_t done, uint64_t total) {
	(void)context;
	const struct isolated_piece piece = {
		.kind = ISOLATED_PROGRESS, .a = done, .b = total, .size = strlen(name)};
	return isolated_send(&piece, name);
}

/** Run the job in the child. */
static void inferno_work(void *context) {
	struct inferno *job = context;
	job->write = inferno_send_bytes;
	job->show = job->show == NULL ? NULL : inferno_send_message;
	job->progress = job->progress == NULL ? NULL : inferno_send_progress;
	enum inferno_status status = inferno_run_here(job);
	const char *error = inferno_error(job);
	const struct isolated_piece text = {.kind = ISOLATED_ERROR, .size = strlen(error)},
				    end = {.kind = ISOLATED_END,
					   .detail = (int)status,
					   .a = (uint64_t)job->program_status};
	if (isolated_send(&text, error) == 0) {
		(void)isolated_send(&end, NULL);
	}
}

struct inferno_apart {
	struct inferno *job;
	enum inferno_status status;
};

/** Handle a piece that the child process sent. */
static int inferno_take(void *context, const struct isolated_piece *piece, const char *bytes) {
	struct inferno_apart *apart = context;
	struct inferno *job = apart->job;
	switch (piece->kind) {
	case ISOLATED_BYTES:
		return inferno_write(job, bytes, piece->size) == 0
			       ? 0
			       : diag_error(&job->diag, "the result could not be written");
	case ISOLATED_MESSAGE:
		inferno_show_message(job, (enum diag_level)piece->detail, bytes);
		return 0;
	case ISOLATED_PROGRESS:
		if (!inferno_show_progress(job, bytes, piece->a, piece->b)) {
			diag_cancel(&job->diag);
		}
		return 0;
	case ISOLATED_ERROR:
		if (piece->size > 0) {
			diag_error(&job->diag, "%s", bytes);
		}
		return 0;
	case ISOLATED_END:
		apart->status = (enum inferno_status)piece->detail;
		job->program_status = (int)piece->a;
		return 0;
	case ISOLATED_NO_MEMORY:
		return 0;
	}
	return -1;
}

static bool inferno_is_stopped(void *context) {
	const struct inferno_apart *apart = context;
	return diag_is_cancelled(&apart->job->diag);
}

static void inferno_work_apart(void *context) {
	inferno_work(((struct inferno_apart *)context)->job);
}

/** Run a job in a child process. */
static enum inferno_status inferno_run_apart(struct inferno *job) {
	struct inferno_apart apart = {.job = job, .status = INFERNO_FAILED};
	const struct isolated isolated = {.memory = job->memory,
					  .work = inferno_work_apart,
					  .is_stopped = inferno_is_stopped,
					  .take = inferno_take,
					  .context = &apart};
	int result = isolated_run(&isolated, &job->diag);
	if (result > 0) {
		inferno_out_of_memory();
	}
	// If the caller's function refuses a piece, the child process may report success all the
	// same.
	if (apart.status == INFERNO_OK && job->diag.error.n > 0) {
		apart.status = INFERNO_FAILED;
	}
	return diag_is_cancelled(&job->diag) && apart.status == INFERNO_FAILED ? INFERNO_CANCELLED
									       : apart.status;
}

/** Return whether the job runs in a child process. A command that runs a program catches signals,
 * and has threads that end their process if memory runs out. A guarded job must not do either. */
static bool inferno_is_apart(const struct inferno *job) {
	return job->isolated || (job->command.runs_program && guard_owner() != NULL);
}

static void inferno_do_run(void *context) {
	struct inferno_call *call = context;
	struct inferno *job = call->job;
	inferno_clear_error(job);
	inferno_apply_common(job);
	if (inferno_check_usage(job) != 0) {
		call->status = INFERNO_BAD_USAGE;
		return;
	}
	job->ran = true;
	if (diag_is_cancelled(&job->diag)) {
		diag_error(&job->diag, "cancelled");
		call->status = INFERNO_CANCELLED;
		return;
	}
	static const struct source standard_input = {.path = "-"};
	if (job->sources_n == 0 && job->command.operands_least == 0 && !job->command.runs_program) {
		MEM_GROW(job->sources, job->sources_capacity, 1);
		job->sources[job->sources_n++] = standard_input;
	}
	job->write = call->write;
	job->write_context = call->context;
	call->status = inferno_is_apart(job) ? inferno_run_apart(job) : inferno_run_here(job);
}

enum inferno_status inferno_run(struct inferno *job,
				int (*write)(void *context, const void *bytes, size_t size),
				void *context) {
	struct inferno_call call = {.job = job, .write = write, .context = context};
	return inferno_call(&call, inferno_do_run);
}

int inferno_interrupt(struct inferno *job) {
	return diag_interrupt(&job->diag);
}

const char *inferno_error(const struct inferno *job) {
	return job->exhausted ? "out of memory" : job->diag.error.n == 0 ? "" : job->diag.error.p;
}

void inferno_cancel(struct inferno *job) {
	diag_cancel(&job->diag);
	(void)diag_interrupt(&job->diag);
}

void inferno_on_progress(struct inferno *job,
			 int (*progress)(void *context, const char *name, uint64_t done,
					 uint64_t total),
			 void *context) {
	job->progress = progress;
	job->progress_context = context;
}

void inferno_isolate(struct inferno *job, uint64_t memory) {
	job->isolated = true;
	job->memory = memory;
}

int inferno_program_status(const struct inferno *job) {
	return job->program_status;
}

void inferno_on_message(struct inferno *job,
			void (*show)(void *context, enum inferno_level level, const char *text),
			void *context) {
	job->show = show;
	job->show_context = context;
}

void inferno_free(struct inferno *job) {
	if (job == NULL) {
		return;
	}
	opt_release(&job->set);
	diag_release(&job->diag);
	for (struct inferno_past *past = job->errors, *next; past != NULL; past = next) {
		next = past->next;
		buf_release(&past->text);
		free(past);
	}
	free(job->sources);
	for (size_t i = 0; i < job->texts_n; i++) {
		buf_release(&job->texts[i]);
	}
	free(job->texts);
	free(job);
}

const char *inferno_version(void) {
	return INFERNO_VERSION;
}

/* --- Lists ----------------------------------------------------------------------------------- */

/** Set the name and the description of an item. Return 1. */
static int inferno_describe(struct inferno_item *item, const char *name, const char *brief) {
	snprintf(item->name, sizeof(item->name), "%s", name);
	item->brief = brief;
	return 1;
}

int inferno_list(enum inferno_things list, size_t i, struct inferno_item *item) {
	struct command command;
	char name[COMMAND_NAME_MAX];
	size_t n = 0;
	*item = (struct inferno_item){0};
	switch (list) {
	case INFERNO_COMMANDS:
		return command_at(i, &command) &&
		       inferno_describe(item, command_name(&command, '-', name), command.brief);
	case INFERNO_INPUTS:
		while (collapse_formats[n] != NULL && n < i) {
			n++;
		}
		return collapse_formats[n] != NULL &&
		       inferno_describe(item, collapse_formats[n]->name,
					collapse_formats[n]->brief);
	case INFERNO_OUTPUTS:
		while (exporters[n] != NULL && n < i) {
			n++;
		}
		return exporters[n] != NULL &&
		       inferno_describe(item, exporters[n]->name, exporters[n]->brief);
	}
	return 0;
}

int inferno_option(const struct inferno *job, size_t i, struct inferno_option *option) {
	*option = (struct inferno_option){0};
	for (struct opt_place at = {0}; opt_next(job->set.tables, &at);) {
		if ((at.row->flags & OPT_HIDDEN) != 0 || i-- > 0) {
			continue;
		}
		struct opt row = opt_shown(job->set.tables, at);
		*option = (struct inferno_option){
			.name = row.name,
			.letter = row.letter,
			.value = row.value,
			.initial = row.initial,
			.choices = row.choices,
			.help = row.help,
			.repeats = row.type == OPT_LIST || row.type == OPT_COUNT ||
				   (row.flags & OPT_REPEATABLE) != 0,
		};
		return 1;
	}
	return 0;
}

struct inferno_sniffing {
	const struct inferno_source *source;
	const char *name;
	char *why;
	size_t size;
};

/** Say why no format was recognised. */
static void inferno_say_why(const struct inferno_sniffing *sniffing, const struct sniffed *sniffed,
			    struct diag *diag) {
	if (sniffing->name != NULL) {
		snprintf(sniffing->why, sniffing->size, "%s", "");
	} else if (sniffed->rival != NULL) {
		snprintf(sniffing->why, sniffing->size, "it looks like two formats: %s and %s",
			 sniffed->nearest->name, sniffed->rival->name);
	} else {
		snprintf(sniffing->why, sniffing->size, "%s",
			 diag->error.n > 0 ? buf_text(&diag->error)
					   : "it looks like no format that is known");
	}
}

static void inferno_do_sniff(void *context) {
	struct inferno_sniffing *sniffing = context;
	struct source opened = inferno_source_of(sniffing->source);
	struct diag diag = {0};
	struct sniffed sniffed = {0};
	struct input *input = input_open(&opened, &diag);
	if (input != NULL && sniff_input(input, NULL, &sniffed) == 0) {
		sniffing->name = sniffed.format == NULL ? NULL : sniffed.format->name;
	}
	if (input != NULL) {
		input_close(input);
	}
	if (sniffing->why != NULL) {
		inferno_say_why(sniffing, &sniffed, &diag);
	}
	diag_release(&diag);
}

const char *inferno_sniff(const struct inferno_source *source, char *why, size_t size) {
	struct inferno_sniffing sniffing = {.source = source, .why = why, .size = size};
	if (!guard_run(&sniffing, inferno_do_sniff, &sniffing)) {
		guard_release(&sniffing);
		if (why != NULL) {
			snprintf(why, size, "out of memory");
		}
		return NULL;
	}
	return sniffing.name;
}

/* --- A profile in memory --------------------------------------------------------------------- */

struct inferno_adding {
	struct inferno_profile *profile;
	const char *const *stack; // for inferno_profile_new(): the unit
	size_t depth;
	uint64_t count;
};

/** Call `work`. If memory runs out, release everything that the profile has. */
static enum inferno_status inferno_call_profile(struct inferno_adding *adding,
						void (*work)(void *adding)) {
	struct inferno_profile *profile = adding->profile;
	if (!profile->exhausted && !guard_run(profile, work, adding)) {
		guard_release(profile);
		*profile = (struct inferno_profile){.exhausted = true};
	}
	return profile->exhausted ? INFERNO_NO_MEMORY : INFERNO_OK;
}

static void inferno_do_init_profile(void *context) {
	const struct inferno_adding *adding = context;
	profile_init(&adding->profile->profile, PROFILE_STACKS);
	const char *unit = adding->stack[0];
	if (unit != NULL) {
		size_t n = strlen(unit) + 1;
		adding->profile->unit = memcpy(mem_new(n, 1), unit, n);
	}
}

struct inferno_profile *inferno_profile_new(const char *unit) {
	struct inferno_profile *profile = calloc(1, sizeof(*profile));
	struct inferno_adding adding = {.profile = profile, .stack = &unit};
	if (profile != NULL &&
	    inferno_call_profile(&adding, inferno_do_init_profile) != INFERNO_OK) {
		free(profile);
		return NULL;
	}
	return profile;
}

/** Refuse a stack. */
static void inferno_refuse_stack(void *context) {
	const struct inferno_adding *adding = context;
	struct buf *error = &adding->profile->error;
	if (adding->depth == 0) {
		buf_add_text(error, "the stack is empty");
	} else if (adding->count > INT64_MAX) {
		buf_add_text(error, "the count has more than 63 bits: ");
	} else {
		buf_add_text(error, "the sum of all counts would have more than 63 bits with this "
				    "stack: ");
	}
	for (size_t i = 0; i < adding->depth; i++) {
		buf_add_text(error, i == 0 ? "" : ";");
		frame_clean(&adding->profile->name, str_of(adding->stack[i]));
		buf_add_str(error, buf_str(&adding->profile->name));
	}
	(void)buf_text(error);
}

static void inferno_do_add_stack(void *context) {
	const struct inferno_adding *adding = context;
	struct inferno_profile *profile = adding->profile;
	MEM_GROW(profile->ids, profile->ids_capacity, adding->depth);
	for (size_t i = 0; i < adding->depth; i++) {
		frame_clean(&profile->name, str_of(adding->stack[i]));
		profile->ids[i] = profile_frame(&profile->profile, buf_str(&profile->name));
	}
	profile_add(&profile->profile, profile->ids, adding->depth, adding->count);
	profile->sum += adding->count;
}

enum inferno_status inferno_profile_add(struct inferno_profile *profile, const char *const *stack,
					size_t depth, uint64_t count) {
	struct inferno_adding adding = {profile, stack, depth, count};
	bool fits = depth > 0 && count <= INT64_MAX - profile->sum;
	buf_clear(&profile->error);
	enum inferno_status status =
		inferno_call_profile(&adding, fits ? inferno_do_add_stack : inferno_refuse_stack);
	return status == INFERNO_OK && !fits ? INFERNO_BAD_USAGE : status;
}

const char *inferno_profile_error(const struct inferno_profile *profile) {
	return profile->exhausted ? "out of memory" : profile->error.n == 0 ? "" : profile->error.p;
}

void inferno_profile_free(struct inferno_profile *profile) {
	if (profile != NULL) {
		if (!profile->exhausted) {
			profile_release(&profile->profile);
		}
		free(profile->unit);
		free(profile->ids);
		buf_release(&profile->name);
		buf_release(&profile->error);
		free(profile);
	}
}
