/* The command cargo-flamegraph: build a program with cargo, and sample it. */
#include <stdlib.h>
#include <string.h>

#include "commands/cargo.h"
#include "commands/cargo_profile.h"
#include "commands/outputs.h"
#include "commands/recording.h"

/** The values of --unit-test-kind, in the order of its choices. */
enum cargo_flame_unit_kind { UNIT_ANY, UNIT_BIN, UNIT_LIB };

static const char *const unit_kinds[] = {"any", "bin", "lib", NULL};

extern const struct command command_cargo_flamegraph;

struct cargo_options {
	const char *package, *bin, *example, *test, *bench;
	const char *unit_test, *unit_bench; // name; empty: the only target
	unsigned unit_kind;                 // of enum cargo_flame_unit_kind
	bool dev, release, no_default_features;
	const char *profile, *target, *manifest_path;
	struct opt_list features;
};

/* --- Options -------------------------------------------------------------------------------- */

/** The target and the kind of build that the options ask for. */
struct cargo_config {
	const char *name; // name of the target; NULL: the only one
	unsigned kinds;   // bit mask of enum cargo_kind
	bool harness; // whether it is the program that runs the tests or benchmarks inside of the
		      // target
	bool benches; // whether it runs benchmarks
};

static struct cargo_config cargo_flame_config_of(const struct cargo_options *options) {
	static const unsigned units[] = {CARGO_BIN | CARGO_LIB, CARGO_BIN, CARGO_LIB};
	unsigned unit = units[options->unit_kind];
	const struct cargo_config configs[] = {
		{options->bin, CARGO_BIN, false, false},
		{options->example, CARGO_EXAMPLE, false, false},
		{options->test, CARGO_TEST, false, false},
		{options->bench, CARGO_BENCH, false, true},
		{options->unit_test, unit, true, false},
		{options->unit_bench, unit, true, true},
	};
	for (size_t i = 0; i < sizeof(configs) / sizeof(*configs); i++) {
		struct cargo_config config = configs[i];
		if (config.name != NULL) {
			config.name = *config.name == '\0' ? NULL : config.name;
			return config;
		}
	}
	return (struct cargo_config){.kinds = CARGO_BIN};
}

/* --- Choosing a target ---------------------------------------------------------------------- */

struct cargo_flame_choice {
	const struct cargo_options *options;
	const struct cargo_workspace *workspace;
	struct cargo_config config;
	const struct cargo_target **items; // targets that the options may mean
	size_t n, capacity;
};

/** The packages to search: the named package, the packages that cargo would build, or all packages.
 */
enum cargo_flame_scope { SCOPE_NAMED, SCOPE_CHOSEN, SCOPE_ALL };

/** Return whether a package has this name or id. The name may include the version. */
static bool cargo_flame_is_package(const struct cargo_package *package, const char *text) {
	struct str rest = str_of(text), name = str_cut(&rest, '@');
	bool named = str_eq(name, str_of(package->name)) &&
		     (rest.n == 0 || str_eq(rest, str_of(package->version)));
	return named || strcmp(text, package->id) == 0;
}

static bool cargo_flame_is_in(const struct cargo_flame_choice *choice,
			      const struct cargo_package *package, enum cargo_flame_scope scope) {
	return scope == SCOPE_NAMED    ? cargo_flame_is_package(package, choice->options->package)
	       : scope == SCOPE_CHOSEN ? package->chosen
				       : true;
}

/** Collect the targets of some kinds that have the name `name`. If `name` is NULL, collect targets
 * of any name. */
static void cargo_flame_collect(struct cargo_flame_choice *choice, enum cargo_flame_scope scope,
				unsigned kinds, const char *name) {
	const struct cargo_workspace *workspace = choice->workspace;
	choice->n = 0;
	for (size_t i = 0; i < workspace->targets_n; i++) {
		const struct cargo_target *target = &workspace->targets[i];
		if (cargo_flame_is_in(choice, target->package, scope) &&
		    (target->kind & kinds) != 0 &&
		    (name == NULL || strcmp(target->name, name) == 0)) {
			*MEM_APPEND(choice->items, choice->n, choice->capacity) = target;
		}
	}
}

/** Leave out each binary of a package whose default-run names another binary. If no binary would
 * remain, keep all. */
static void cargo_flame_prefer_default_run(struct cargo_flame_choice *choice) {
	size_t kept = 0;
	for (size_t i = 0; i < choice->n; i++) {
		const char *wanted = choice->items[i]->package->default_run;
		if (wanted == NULL || strcmp(choice->items[i]->name, wanted) == 0) {
			choice->items[kept++] = choice->items[i];
		}
	}
	choice->n = kept > 0 ? kept : choice->n;
}

/** Return the name of a kind in cargo's options. */
static const char *cargo_flame_kind_name(enum cargo_kind kind) {
	return kind == CARGO_BIN       ? "bin"
	       : kind == CARGO_EXAMPLE ? "example"
	       : kind == CARGO_TEST    ? "test"
	       : kind == CARGO_BENCH   ? "bench"
				       : "lib";
}

/** Return the name of a kind in messages. */
static const char *cargo_flame_noun_of(enum cargo_kind kind) {
	return kind == CARGO_BIN     ? "binary"
	       : kind == CARGO_BENCH ? "benchmark"
	       : kind == CARGO_LIB   ? "library"
				     : cargo_flame_kind_name(kind);
}

/** Add the options that choose each of the collected targets. */
static void cargo_flame_list(const struct cargo_flame_choice *choice, struct buf *text) {
	for (size_t i = 0; i < choice->n; i++) {
		const struct cargo_target *target = choice->items[i];
		buf_add_text(text, i == 0 ? "" : ", ");
		if (choice->workspace->packages_n > 1) {
			buf_printf(text, "--package %s ", target->package->name);
		}
		if (choice->config.harness || target->kind == CARGO_LIB) {
			buf_printf(text, "--unit-%s %s --unit-test-kind %s",
				   choice->config.benches ? "bench" : "test", target->name,
				   cargo_flame_kind_name(target->kind));
		} else {
			buf_printf(text, "--%s %s", cargo_flame_kind_name(target->kind),
				   target->name);
		}
	}
}

static int cargo_flame_fail_package(const struct cargo_flame_choice *choice, struct diag *diag) {
	const struct cargo_workspace *workspace = choice->workspace;
	struct buf names = {0};
	for (size_t i = 0; i < workspace->packages_n; i++) {
		buf_printf(&names, "%s%s", i == 0 ? "" : ", ", workspace->packages[i].name);
	}
	int result = diag_error(diag, "no package is called '%s'; the workspace has %s",
				quote(str_of(choice->options->package)).text, buf_text(&names));
	buf_release(&names);
	return result;
}

/** Report that the options match several targets, or no target. */
static int cargo_flame_fail_choice(struct cargo_flame_choice *choice, enum cargo_flame_scope scope,
				   struct diag *diag) {
	const char *name = choice->config.name;
	const char *kind =
		choice->config.harness ? "target" : cargo_flame_noun_of(choice->config.kinds);
	struct buf text = {0};
	if (choice->n > 0) {
		buf_printf(&text, "more than one %s could be meant", kind);
	} else if (name != NULL) {
		buf_printf(&text, "no %s is called '%s'", kind, quote(str_of(name)).text);
	} else {
		buf_printf(&text, "there is no %s", kind);
	}
	if (choice->n == 0) {
		cargo_flame_collect(choice, scope, choice->config.kinds, NULL);
	}
	if (choice->n == 0) {
		cargo_flame_collect(choice, scope, ~0U, NULL);
	}
	buf_add_text(&text, choice->n > 0 ? "; choose one: " : "");
	cargo_flame_list(choice, &text);
	int result = diag_error(diag, "%s", buf_text(&text));
	buf_release(&text);
	return result;
}

/** Find the only target that matches the options. Return NULL after diag_error(). */
static const struct cargo_target *cargo_flame_choose(struct cargo_flame_choice *choice,
						     struct diag *diag) {
	const struct cargo_config *config = &choice->config;
	bool named = choice->options->package != NULL, found = !named;
	for (size_t i = 0; i < choice->workspace->packages_n; i++) {
		found = found || cargo_flame_is_package(&choice->workspace->packages[i],
							choice->options->package);
	}
	if (!found) {
		cargo_flame_fail_package(choice, diag);
		return NULL;
	}
	enum cargo_flame_scope scope = named ? SCOPE_NAMED : SCOPE_CHOSEN;
	cargo_flame_collect(choice, scope, config->kinds, config->name);
	if (choice->n == 0 && !named) {
		scope = SCOPE_ALL;
		cargo_flame_collect(choice, scope, config->kinds, config->name);
	}
	if (config->name == NULL && !config->harness) {
		cargo_flame_prefer_default_run(choice);
	}
	if (choice->n != 1) {
		cargo_flame_fail_choice(choice, scope, diag);
		return NULL;
	}
	return choice->items[0];
}

/* --- Calling cargo -------------------------------------------------------------------------- */

/** Add the path of cargo: the variable CARGO, which cargo sets when it runs this command, or the
 * name "cargo". */
static void cargo_flame_add_cargo(struct words *words) {
	const char *cargo = getenv("CARGO");
	words_add(words, cargo == NULL || *cargo == '\0' ? "cargo" : cargo);
}

static void cargo_flame_add_valued(struct words *words, const char *option, const char *value) {
	if (value != NULL) {
		words_add_all(words, option, value, NULL);
	}
}

static int cargo_flame_read_workspace(struct cargo_workspace *workspace,
				      const struct cargo_options *options, struct diag *diag) {
	struct words words = {0};
	cargo_flame_add_cargo(&words);
	words_add_all(&words, "metadata", "--no-deps", "--format-version", "1", NULL);
	cargo_flame_add_valued(&words, "--manifest-path", options->manifest_path);
	int result = cargo_read_workspace(workspace, &words, diag);
	words_release(&words);
	return result;
}

/** Return whether `cargo bench` builds the program. `cargo bench` uses the profile bench. */
static bool cargo_flame_is_bench_build(const struct cargo_flame_choice *choice) {
	return choice->config.benches && !choice->options->dev;
}

/** Add the option that names a target. */
static void cargo_flame_add_target(struct words *words, const struct cargo_target *target) {
	switch (target->kind) {
	case CARGO_BIN:
		words_add_all(words, "--bin", target->name, NULL);
		break;
	case CARGO_EXAMPLE:
		words_add_all(words, "--example", target->name, NULL);
		break;
	case CARGO_TEST:
		words_add_all(words, "--test", target->name, NULL);
		break;
	case CARGO_BENCH:
		words_add_all(words, "--bench", target->name, NULL);
		break;
	case CARGO_LIB:
	case CARGO_OTHER:
		words_add(words, "--lib");
		break;
	}
}

/** Add the command that builds a target. */
static void cargo_flame_add_build(struct words *words, const struct cargo_flame_choice *choice,
				  const struct cargo_target *target) {
	const struct cargo_options *options = choice->options;
	cargo_flame_add_cargo(words);
	if (cargo_flame_is_bench_build(choice)) {
		words_add_all(words, "bench", "--no-run", NULL);
	} else if (choice->config.harness) {
		words_add_all(words, "test", "--no-run", NULL);
	} else {
		words_add(words, "build");
	}
	if (options->profile == NULL && !options->dev && !cargo_flame_is_bench_build(choice)) {
		words_add(words, "--release");
	}
	cargo_flame_add_valued(words, "--profile", options->profile);
	cargo_flame_add_valued(words, "--package",
			       options->package == NULL ? target->package->name : options->package);
	cargo_flame_add_target(words, target);
	cargo_flame_add_valued(words, "--target", options->target);
	cargo_flame_add_valued(words, "--manifest-path", options->manifest_path);
	for (size_t i = 0; i < options->features.n; i++) {
		words_add_all(words, "--features", options->features.items[i], NULL);
	}
	if (options->no_default_features) {
		words_add(words, "--no-default-features");
	}
	words_add(words, "--message-format=json-render-diagnostics");
}

/** The kinds of names that a program lacks, and the settings of cargo that removed them. */
struct lack {
	const char *folder, *profile;
	// Whether functions have no names, and whether there is no debug information.
	bool functions, debug;
	struct cargo_setting strip, debug_setting;
};

/** Return the profile of the build. */
static const char *cargo_flame_profile_of(const struct cargo_flame_choice *choice) {
	const char *profile = choice->options->profile;
	return profile != NULL                      ? profile
	       : cargo_flame_is_bench_build(choice) ? "bench"
	       : choice->options->dev               ? "dev"
						    : "release";
}

static bool cargo_flame_is_set(const struct cargo_setting *setting) {
	return setting->variable.n > 0 || setting->line > 0;
}

/** Add a text that says which names are missing, and which setting removes them. */
static void cargo_flame_format_lack(const struct lack *lack, struct buf *text) {
	const struct cargo_setting *strip = &lack->strip;
	buf_add_text(text, lack->functions
				   ? "is stripped, so functions have no names in the picture"
				   : "is built without debug information, so inlined functions are "
				     "missing in the picture");
	if (strip->variable.n > 0) {
		buf_printf(text, " (%s=%s)", quote(buf_str(&strip->variable)).text,
			   quote(buf_str(&strip->value)).text);
	} else if (strip->line > 0) {
		buf_printf(text, " (strip = %s in line %zu of %s)",
			   quote(buf_str(&strip->value)).text, strip->line,
			   quote(buf_str(&strip->path)).text);
	} else if (lack->functions) {
		buf_add_text(text, " (by no profile: look for strip and -s in RUSTFLAGS and in the "
				   "linker's options)");
	}
}

/** Print the settings to make in a file, and the file. */
static void cargo_flame_advise_file(const struct lack *lack, struct diag *diag) {
	if (lack->strip.line > 0) {
		diag_done(diag, "set in %s:", quote(buf_str(&lack->strip.path)).text);
	} else {
		diag_done(diag, "add to %s/Cargo.toml:", lack->folder);
	}
	diag_done(diag, "    [profile.%s]", lack->profile);
	if (cargo_flame_is_set(&lack->strip)) {
		diag_done(diag, "    strip = false");
	}
	if (lack->debug) {
		diag_done(diag, "    debug = true");
	}
}

/** Print the setting that keeps names. If an environment variable removes the names, print the
 * variable, because it overrides every file. */
static void cargo_flame_advise(const struct lack *lack, struct diag *diag) {
	bool forced =
		lack->strip.variable.n > 0 || (lack->debug && lack->debug_setting.variable.n > 0);
	struct buf text = {0};
	if (cargo_flame_is_set(&lack->strip)) {
		cargo_variable(lack->profile, "strip", &text);
		buf_add_text(&text, "=false");
	}
	if (lack->debug) {
		buf_add_text(&text, text.n > 0 ? " " : "");
		cargo_variable(lack->profile, "debug", &text);
		buf_add_text(&text, "=true");
	}
	if (text.n > 0 && !forced) {
		cargo_flame_advise_file(lack, diag);
	}
	if (text.n > 0) {
		diag_done(diag, "%sset %s", forced ? "" : "or ", buf_text(&text));
	}
	buf_release(&text);
}

/** Find the setting that strips the program, if there is one. */
static void cargo_flame_find_strip(struct lack *lack, struct unread *unread) {
	struct cargo_setting *strip = &lack->strip;
	bool found = cargo_find_setting(lack->folder, lack->profile, "strip", strip, unread);
	struct str value = buf_str(&strip->value);
	if (!found || str_eq(value, STR("false")) || str_eq(value, STR("none"))) {
		cargo_setting_release(strip);
		*strip = (struct cargo_setting){.line = 0};
	}
}

/** Warn of the files with settings of cargo that could not be read. Return 0, or -1 after
 * diag_error(). */
static int cargo_flame_warn_unread(const struct unread *unread, struct diag *diag) {
	struct buf files = {0};
	unread_format(unread, &files);
	int result =
		unread->n == 0
			? 0
			: diag_warn(diag,
				    "cargo's settings may say more: these files cannot be read: %s",
				    buf_text(&files));
	buf_release(&files);
	return result;
}

/** Warn if functions of the program, or its inlined functions, will have no names, and print the
 * setting that keeps the names. Return 0, or -1 after diag_error(). */
static int cargo_flame_check_names(const struct cargo_flame_choice *choice,
				   const struct cargo_target *target, struct cargo_program *program,
				   struct diag *diag) {
	struct cargo_names names = cargo_names_in(buf_text(&program->path));
	const char *folder = choice->workspace->folder;
	struct lack lack = {.folder = folder == NULL ? "." : folder,
			    .profile = cargo_flame_profile_of(choice),
			    .functions = !names.functions,
			    .debug = !program->has_debug_info};
	struct buf text = {0};
	struct unread unread = {.n = 0};
	if (names.functions && (choice->options->dev || program->has_debug_info) &&
	    (names.inlined || !program->has_debug_info)) {
		return 0;
	}
	if (!names.inlined) {
		cargo_flame_find_strip(&lack, &unread);
	}
	(void)cargo_find_setting(lack.folder, lack.profile, "debug", &lack.debug_setting, &unread);
	cargo_flame_format_lack(&lack, &text);
	int result = diag_warn(diag, "'%s' %s", quote(str_of(target->name)).text, buf_text(&text));
	if (result == 0) {
		cargo_flame_advise(&lack, diag);
		result = cargo_flame_warn_unread(&unread, diag);
	}
	unread_release(&unread);
	cargo_setting_release(&lack.strip);
	cargo_setting_release(&lack.debug_setting);
	buf_release(&text);
	return result;
}

/** Build the target. Return 0, or -1 after diag_error(). */
static int cargo_flame_build(const struct cargo_flame_choice *choice,
			     const struct cargo_target *target, struct cargo_program *program,
			     struct diag *diag) {
	struct words words = {0};
	if (choice->config.name == NULL) {
		diag_done(diag, "building the %s '%s' of the package '%s'",
			  cargo_flame_noun_of(target->kind), quote(str_of(target->name)).text,
			  quote(str_of(target->package->name)).text);
	}
	cargo_flame_add_build(&words, choice, target);
	int result = cargo_build(program, &words, target, choice->config.harness, diag);
	words_release(&words);
	return result == 0 ? cargo_flame_check_names(choice, target, program, diag) : result;
}

/* --- The whole ------------------------------------------------------------------------------ */

/** Sample the program with the operands as its arguments. */
static int cargo_flame_sample(const struct command_run *run, struct cargo_program *program,
			      bool benches) {
	struct words words = {0};
	words_add(&words, buf_text(&program->path));
	if (benches) {
		words_add(&words, "--bench");
	}
	for (size_t i = 0; i < run->sources_n; i++) {
		words_add(&words, run->sources[i].path);
	}
	const struct recording_target sampled = {.program = words.items, .copies_stacks = true};
	int result = recording_run(run, &sampled);
	words_release(&words);
	return result;
}

static int cargo_flame_run(const struct command_run *run) {
	const struct cargo_options *options = OPT_VALUES(run->set, TABLE_OWN, struct cargo_options);
	struct cargo_workspace workspace;
	struct cargo_program program = {0};
	struct cargo_flame_choice choice = {.options = options,
					    .workspace = &workspace,
					    .config = cargo_flame_config_of(options)};
	int result = cargo_flame_read_workspace(&workspace, options, run->diag);
	if (result == 0) {
		const struct cargo_target *target = cargo_flame_choose(&choice, run->diag);
		result = target == NULL ? -1
					: cargo_flame_build(&choice, target, &program, run->diag);
	}
	if (result == 0) {
		result = cargo_flame_sample(run, &program,
					    choice.config.harness && choice.config.benches);
	}
	free(choice.items);
	buf_release(&program.path);
	cargo_release(&workspace);
	return result;
}

static int cargo_flame_check(const struct opt_set *set, size_t operands, struct diag *diag) {
	const struct cargo_options *options = OPT_VALUES(set, TABLE_OWN, struct cargo_options);
	(void)operands;
	if (options->unit_kind != UNIT_ANY && options->unit_test == NULL &&
	    options->unit_bench == NULL) {
		return diag_error(diag, "--unit-test-kind needs --unit-test or --unit-bench");
	}
	return recording_check(&command_cargo_flamegraph, set, false, diag);
}

#define FIELD(kind, field) OPT_IS_##kind(struct cargo_options, field)

static const struct opt cargo_rows[] = {
	{FIELD(TEXT, package), .name = "package", .letter = 'p', .value = "NAME",
	 .group = "What to build", .help = "the package that has the target"},
	{FIELD(TEXT, bin), .name = "bin", .letter = 'b', .value = "NAME", .group = "What to build",
	 .conflicts = "example test bench unit-test unit-bench",
	 .help = "build and sample this binary"},
	{FIELD(TEXT, example), .name = "example", .value = "NAME", .group = "What to build",
	 .conflicts = "test bench unit-test unit-bench", .help = "build and sample this example"},
	{FIELD(TEXT, test), .name = "test", .value = "NAME", .group = "What to build",
	 .conflicts = "bench unit-test unit-bench",
	 .help = "build and sample this integration test"},
	{FIELD(TEXT, bench), .name = "bench", .value = "NAME", .group = "What to build",
	 .conflicts = "unit-test unit-bench",
	 .help = "build and sample this benchmark, by default with cargo's profile bench"},
	{FIELD(TEXT, unit_test), .name = "unit-test", .value = "TARGET", .bare = "",
	 .group = "What to build", .conflicts = "unit-bench",
	 .help = "build and sample the unit tests of this binary or library; without TARGET, those "
		 "of the only one"},
	{FIELD(TEXT, unit_bench), .name = "unit-bench", .value = "TARGET", .bare = "",
	 .group = "What to build",
	 .help = "build and sample the benchmarks inside of this binary or library, by default "
		 "with cargo's profile bench; without TARGET, those of the only one; the program "
		 "gets the argument --bench"},
	{FIELD(CHOICE, unit_kind), .name = "unit-test-kind", .value = "KIND", .initial = "any",
	 .choices = unit_kinds, .group = "What to build",
	 .help = "the kind of TARGET, if a binary and the library have the same name"},
	{FIELD(BOOL, dev), .name = "dev", .group = "How to build", .conflicts = "release profile",
	 .help = "build with cargo's profile dev"},
	{FIELD(TEXT, profile), .name = "profile", .value = "NAME", .group = "How to build",
	 .conflicts = "release", .help = "build with this profile of cargo instead of release"},
	{FIELD(BOOL, release), .name = "release", .letter = 'r', .group = "How to build",
	 .help = "build with cargo's profile release, the default"},
	{FIELD(TEXT, target), .name = "target", .value = "TRIPLE", .group = "How to build",
	 .help = "build for this platform"},
	{FIELD(PATH, manifest_path), .name = "manifest-path", .value = "FILE",
	 .group = "How to build", .help = "the Cargo.toml of the package"},
	{FIELD(LIST, features), .name = "features", .letter = 'f', .value = "NAMES",
	 .group = "How to build", .help = "features to turn on"},
	{FIELD(BOOL, no_default_features), .name = "no-default-features", .group = "How to build",
	 .help = "turn off the feature default"},
	{.type = OPT_END},
};

static const struct example examples[] = {
	{"cargo flamegraph",
	 "build the binary of a package, run it, and draw where it spends its time"},
	{"cargo flamegraph --bin server -o out.svg -- --port 8080",
	 "build, run and sample one of several binaries, with arguments"},
	{"cargo flamegraph --bench speed -- --bench", "sample a benchmark"},
	{"cargo flamegraph --unit-test -- parser::", "sample some of the unit tests"},
	{NULL, NULL},
};

const struct command command_cargo_flamegraph = {
	.name = "cargo-flamegraph",
	.link = "cargo-flamegraph",
	.brief = "build with cargo, sample, and draw a flame graph",
	.task = TASK_RECORD,
	.about = "Builds a program with cargo's profile release, runs the program, and samples it "
		 "as 'inferno record' does. If you name no target, this command builds the only "
		 "binary of the package, or the binary that default-run names in Cargo.toml. "
		 "Arguments after -- go to the program.\n"
		 "\n"
		 "If the program is stripped or has no debug information, a warning names the "
		 "setting that keeps the names.\n"
		 "\n"
		 "A link to inferno with the name cargo-flamegraph runs this command, so 'cargo "
		 "flamegraph' works, too. Option --completions SHELL prints the completions for "
		 "bash, zsh, fish, powershell or elvish.",
	.examples = examples,
	.usual = "package bin example test bench unit-test dev profile release features "
		 "output open freq event call-graph root title",
	.operands = "[-- ARGUMENT...]",
	.operands_most = SIZE_MAX,
	.tables = {[TABLE_OWN] = {cargo_rows, sizeof(struct cargo_options)},
		   [TABLE_RECORDING] = {recording_rows, sizeof(struct recording_options)},
		   [TABLE_STACKS] = {transform_rows, sizeof(struct transform_options)},
		   [TABLE_GRAPH] = {graph_rows, sizeof(struct graph_options)},
		   [TABLE_COLOURS] = {colour_rows, sizeof(struct colour_options)},
		   [TABLE_PICTURE] = {picture_rows, sizeof(struct picture_options)}},
	.check = cargo_flame_check,
	.output = "svg",
	.writes = EXPORT_ONE,
	.suffixes = RECORDING_SUFFIX,
	.run = cargo_flame_run,
	.lacks_nthreads = true,
	.runs_program = true,
	.names_outputs = true,
};
