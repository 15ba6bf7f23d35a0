/* libinferno's front door. */
#include "inferno.h"

#include <stdlib.h>

#include "commands/commands.h"
#include "commands/outputs.h"
#include "commands/reading.h"

_Static_assert((int)DIAG_WARNING == INFERNO_WARNING && (int)DIAG_NOTE == INFERNO_NOTE &&
		       (int)DIAG_PROGRESS == INFERNO_PROGRESS && (int)DIAG_DONE == INFERNO_DONE,
	       "the levels of the library and of its header are one list");
_Static_assert((int)SOURCE_PATH == INFERNO_PATH && (int)SOURCE_MEMORY == INFERNO_MEMORY &&
		       (int)SOURCE_DESCRIPTOR == INFERNO_DESCRIPTOR,
	       "so are the kinds of sources");

struct inferno {
	struct command command;
	struct opt_set set;
	struct diag diag;
	struct buf *errors; // of earlier calls, which may be read until the end
	size_t errors_n, errors_capacity;
	bool ran;
	int program_status;
	struct source *sources;
	size_t sources_n, sources_capacity;
	void (*show)(void *context, enum inferno_level level, const char *text);
	void *show_context;
};

static void inferno_show_message(void *context, enum diag_level level, const char *text) {
	struct inferno *job = context;
	if (job->show != NULL) {
		job->show(job->show_context, (enum inferno_level)level, text);
	}
}

struct inferno *inferno_new(const char *name) {
	struct command command;
	if (name == NULL || !command_find(name, &command)) {
		return NULL;
	}
	struct inferno *job = mem_new(1, sizeof(*job));
	job->command = command;
	job->diag.show = inferno_show_message;
	job->diag.context = job;
	opt_init(&job->set, command.tables);
	return job;
}

/** Put aside what went wrong in an earlier call. */
static void inferno_clear_error(struct inferno *job) {
	if (job->diag.error.n > 0) {
		job->errors = mem_grow(job->errors, &job->errors_capacity, job->errors_n + 1,
				       sizeof(*job->errors));
		job->errors[job->errors_n++] = job->diag.error;
		job->diag.error = (struct buf){0};
	}
}

enum inferno_status inferno_set(struct inferno *job, const char *option, const char *value) {
	inferno_clear_error(job);
	struct opt_place place = opt_by_name(&job->set, str_of(option));
	if (place.row == NULL) {
		const char *near = opt_suggest(&job->set, option);
		diag_error(&job->diag,
			   near == NULL ? "unknown option '--%s'"
					: "unknown option '--%s'; did you mean '--%s'?",
			   quote(str_of(option)).text, near);
		return INFERNO_BAD_USAGE;
	}
	return opt_set(&job->set, place, value, &job->diag) == 0 ? INFERNO_OK : INFERNO_BAD_USAGE;
}

void inferno_add(struct inferno *job, const struct inferno_source *source) {
	job->sources = mem_grow(job->sources, &job->sources_capacity, job->sources_n + 1,
				sizeof(*job->sources));
	job->sources[job->sources_n++] = (struct source){
		.kind = (enum source_kind)source->kind,
		.path = source->path == NULL ? "" : source->path,
		.memory = source->memory,
		.size = source->size,
		.fd = source->fd,
		.name = source->name,
	};
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

enum inferno_status inferno_run(struct inferno *job,
				int (*write)(void *context, const void *bytes, size_t size),
				void *context) {
	inferno_clear_error(job);
	inferno_apply_common(job);
	if (inferno_check_usage(job) != 0) {
		return INFERNO_BAD_USAGE;
	}
	job->ran = true;
	static const struct source standard_input = {.path = "-"};
	if (job->sources_n == 0 && job->command.operands_least == 0 && !job->command.runs_program) {
		job->sources =
			mem_grow(job->sources, &job->sources_capacity, 1, sizeof(*job->sources));
		job->sources[job->sources_n++] = standard_input;
	}
	struct output out;
	output_init(&out, write, context);
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
	return result == 0                         ? INFERNO_OK
	       : result == COMMAND_CONDITION_HOLDS ? INFERNO_CONDITION_HOLDS
	       : result == COMMAND_PROGRAM_FAILED  ? INFERNO_PROGRAM_FAILED
						   : INFERNO_FAILED;
}

int inferno_interrupt(struct inferno *job) {
	return diag_interrupt(&job->diag);
}

const char *inferno_error(const struct inferno *job) {
	return job->diag.error.n == 0 ? "" : job->diag.error.p;
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
	for (size_t i = 0; i < job->errors_n; i++) {
		buf_release(&job->errors[i]);
	}
	free(job->errors);
	free(job->sources);
	free(job);
}

const char *inferno_version(void) {
	return INFERNO_VERSION;
}
