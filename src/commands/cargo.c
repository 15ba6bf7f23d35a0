/* Run cargo and read its JSON output. */
#include "commands/cargo.h"

#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_tree.h>

/* --- JSON ----------------------------------------------------------------------------------- */

static yajl_val cargo_member(yajl_val object, const char *name) {
	return object == NULL ? NULL
			      : yajl_tree_get(object, (const char *[]){name, NULL}, yajl_t_any);
}

/** Return the text of a member of an object, or NULL if the member is not a string. */
static const char *cargo_text_member(yajl_val object, const char *name) {
	yajl_val value = cargo_member(object, name);
	return YAJL_GET_STRING(value);
}

/** Return the number of items of an array, or 0 if the value is not an array. */
static size_t cargo_array_n(yajl_val array) {
	return YAJL_IS_ARRAY(array) ? array->u.array.len : 0;
}

static bool cargo_array_has(yajl_val array, const char *text) {
	for (size_t i = 0; i < cargo_array_n(array); i++) {
		const char *item = YAJL_GET_STRING(array->u.array.values[i]);
		if (item != NULL && strcmp(item, text) == 0) {
			return true;
		}
	}
	return false;
}

/** Return the kind of a target. All kinds of libraries that cargo distinguishes are one kind here.
 */
static enum cargo_kind cargo_kind_of(yajl_val target) {
	static const struct {
		const char *name;
		enum cargo_kind kind;
	} kinds[] = {
		{"bin", CARGO_BIN},        {"example", CARGO_EXAMPLE}, {"test", CARGO_TEST},
		{"bench", CARGO_BENCH},    {"lib", CARGO_LIB},         {"rlib", CARGO_LIB},
		{"dylib", CARGO_LIB},      {"cdylib", CARGO_LIB},      {"staticlib", CARGO_LIB},
		{"proc-macro", CARGO_LIB},
	};
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (cargo_array_has(cargo_member(target, "kind"), kinds[i].name)) {
			return kinds[i].kind;
		}
	}
	return CARGO_OTHER;
}

/* --- The workspace -------------------------------------------------------------------------- */

/** Run cargo and collect its output. Return 0, or -1 after diag_error(). */
static int cargo_run(const struct words *command, struct buf *printed, struct diag *diag) {
	struct process process;
	int result = process_start(&process, command->items, PROCESS_TAKE, diag);
	int error = result == 0 ? process_exchange(&process, STR(""), printed) : 0;
	int status = process_wait(&process);
	if (error != 0) {
		return diag_error(diag, "cannot read what cargo prints: %s", strerror(error));
	}
	if (result == 0 && status != 0) {
		return diag_error(diag, "'cargo %s' failed", quote(str_of(command->items[1])).text);
	}
	return result;
}

static void cargo_add_package(struct cargo_workspace *workspace, yajl_val json, yajl_val chosen) {
	struct cargo_package *package = &workspace->packages[workspace->packages_n];
	*package = (struct cargo_package){.name = cargo_text_member(json, "name"),
					  .version = cargo_text_member(json, "version"),
					  .id = cargo_text_member(json, "id"),
					  .default_run = cargo_text_member(json, "default_run")};
	if (package->name == NULL || package->version == NULL || package->id == NULL) {
		return;
	}
	workspace->packages_n++;
	// The output of an old cargo lacks this member.
	package->chosen = !YAJL_IS_ARRAY(chosen) || cargo_array_has(chosen, package->id);
	yajl_val targets = cargo_member(json, "targets");
	for (size_t i = 0; i < cargo_array_n(targets); i++) {
		yajl_val target = targets->u.array.values[i];
		const char *name = cargo_text_member(target, "name");
		if (name != NULL) {
			*MEM_APPEND(workspace->targets, workspace->targets_n,
				    workspace->targets_capacity) =
				(struct cargo_target){package, name, cargo_kind_of(target)};
		}
	}
}

int cargo_read_workspace(struct cargo_workspace *workspace, const struct words *command,
			 struct diag *diag) {
	struct buf printed = {0};
	char error[256] = "";
	*workspace = (struct cargo_workspace){0};
	int result = cargo_run(command, &printed, diag);
	if (result == 0) {
		workspace->json = yajl_tree_parse(buf_text(&printed), error, sizeof(error));
	}
	buf_release(&printed);
	if (result != 0) {
		return result;
	}
	yajl_val packages = cargo_member(workspace->json, "packages");
	if (!YAJL_IS_ARRAY(packages)) {
		return diag_error(diag, "'cargo metadata' printed no list of packages");
	}
	workspace->folder = cargo_text_member(workspace->json, "workspace_root");
	workspace->packages = mem_new(cargo_array_n(packages) + 1, sizeof(*workspace->packages));
	for (size_t i = 0; i < cargo_array_n(packages); i++) {
		cargo_add_package(workspace, packages->u.array.values[i],
				  cargo_member(workspace->json, "workspace_default_members"));
	}
	return 0;
}

void cargo_release(struct cargo_workspace *workspace) {
	yajl_tree_free(workspace->json);
	free(workspace->packages);
	free(workspace->targets);
}

/* --- Built targets -------------------------------------------------------------------------- */

/** Return whether a message says that the build has debug information of any level. */
static bool cargo_has_debug_info(yajl_val profile) {
	yajl_val info = cargo_member(profile, "debuginfo");
	const char *text = YAJL_GET_STRING(info);
	return text != NULL ? strcmp(text, "none") != 0
			    : YAJL_IS_TRUE(info) ||
				      (YAJL_IS_INTEGER(info) && YAJL_GET_INTEGER(info) > 0);
}

/** Return whether a message reports the program of a target. */
static bool cargo_is_program(yajl_val json, const struct cargo_target *target, bool harness) {
	const char *reason = cargo_text_member(json, "reason"),
		   *id = cargo_text_member(json, "package_id");
	yajl_val built = cargo_member(json, "target");
	const char *name = cargo_text_member(built, "name");
	yajl_val test = cargo_member(cargo_member(json, "profile"), "test");
	bool is_test = YAJL_IS_TRUE(test);
	return reason != NULL && strcmp(reason, "compiler-artifact") == 0 && id != NULL &&
	       strcmp(id, target->package->id) == 0 && name != NULL &&
	       strcmp(name, target->name) == 0 && cargo_kind_of(built) == target->kind &&
	       (!harness || is_test) && cargo_text_member(json, "executable") != NULL;
}

/** Read a line of cargo's output. If the line is a message about a program, note the program. */
static void cargo_read_message(struct str line, struct cargo_program *program,
			       const struct cargo_target *target, bool harness) {
	struct buf text = {0};
	buf_add_str(&text, line);
	yajl_val json = yajl_tree_parse(buf_text(&text), NULL, 0);
	if (cargo_is_program(json, target, harness)) {
		buf_set_text(&program->path, cargo_text_member(json, "executable"));
		program->has_debug_info = cargo_has_debug_info(cargo_member(json, "profile"));
	}
	yajl_tree_free(json);
	buf_release(&text);
}

int cargo_build(struct cargo_program *program, const struct words *command,
		const struct cargo_target *target, bool harness, struct diag *diag) {
	struct buf printed = {0};
	int result = cargo_run(command, &printed, diag);
	struct lines lines = {.rest = buf_str(&printed)};
	for (struct str line; result == 0 && lines_next(&lines, &line);) {
		// Ignore all other lines, which come from programs that the build runs.
		if (str_starts(line, STR("{"))) {
			cargo_read_message(line, program, target, harness);
		}
	}
	buf_release(&printed);
	if (result == 0 && program->path.n == 0) {
		return diag_error(diag, "cargo built no program for '%s' of the package '%s'",
				  quote(str_of(target->name)).text,
				  quote(str_of(target->package->name)).text);
	}
	return result;
}
