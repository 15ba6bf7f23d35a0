/* Keep the processes, threads and mappings of a recording. */
#include "perf/data/machine.h"

#include <stdio.h>
#include <stdlib.h>

/* --- Images --------------------------------------------------------------------------------- */

static struct str machine_keep(struct machine *machine, struct str text) {
	return (struct str){arena_copy(&machine->arena, text.p, text.n), text.n};
}

/** Find the image of a file, or add an image without an object. Set `*is_new` to whether the image
 * was added. */
static struct image *machine_image_of(struct machine *machine, const struct object_file *file,
				      struct str name, bool *is_new) {
	struct buf text = {0};
	uint32_t numbers[] = {(uint32_t)file->kind, file->pid};
	buf_add(&text, numbers, sizeof(numbers));
	buf_add(&text, &file->start, sizeof(file->start));
	buf_add(&text, file->build_id.bytes, file->build_id.size);
	if (file->build_id.size == 0) { // use the device and the inode, because a path may name
					// different files in different containers
		buf_add(&text, &file->id, sizeof(file->id));
	}
	buf_add_char(&text, '\0');
	buf_add_str(&text, name);
	struct intern_key *key = intern_get(&machine->images, text.p, text.n);
	buf_release(&text);
	*is_new = key->value == 0;
	if (*is_new) {
		struct image *image = arena_take(&machine->arena, sizeof(*image));
		*image = (struct image){.id = key->id, .name = machine_keep(machine, name)};
		key->value = (uintptr_t)image;
	}
	return (struct image *)(uintptr_t)key->value;
}

static struct image *machine_image_with_object(struct machine *machine,
					       const struct object_file *file, struct str name) {
	bool is_new;
	struct image *image = machine_image_of(machine, file, name, &is_new);
	if (is_new && machine->symbols != NULL) {
		image->object = symbols_object(machine->symbols, file);
	}
	if (is_new) {
		image->absolute = file->kind != OBJECT_ELF && file->kind != OBJECT_VDSO;
		image->is_kernel = file->kind == OBJECT_KERNEL || file->kind == OBJECT_MODULE ||
				   file->kind == OBJECT_BPF;
	}
	return image;
}

static struct build_id machine_build_id_of(const struct machine *machine,
					   const struct mapped *mapped, struct str name) {
	const struct intern_key *key = intern_find(&machine->build_ids, name.p, name.n);
	return mapped->build_id.size > 0 || key == NULL ? mapped->build_id
							: machine->listed[key->value - 1];
}

static struct image *machine_image_without_object(struct machine *machine, struct str name) {
	bool is_new;
	struct image *image = machine_image_of(machine, &(struct object_file){0}, name, &is_new);
	image->absolute = true;
	return image;
}

/** Return the image of code that a process generates. As in perf, the image has the name of the
 * perf map, unless the code is in a file in memory. */
static struct image *machine_image_of_jit(struct machine *machine, const struct mapped *mapped) {
	char name[32];
	int n = snprintf(name, sizeof(name), "/tmp/perf-%d.map", mapped->pid);
	struct object_file file = {.kind = OBJECT_JIT, .pid = (uint32_t)mapped->pid};
	file.path = (struct str){name, (size_t)n};
	bool in_memory = str_starts(mapped->path, STR("/memfd:"));
	struct image *image =
		machine_image_with_object(machine, &file, in_memory ? mapped->path : file.path);
	image->is_in_memory = in_memory;
	return image;
}

/** Return the build-id of a file or of the vdso. If the build-id of a 64-bit process's vdso was not
 * recorded, and the recording is from this machine, return the build-id of this process's vdso. */
static struct build_id machine_file_id_of(const struct machine *machine,
					  const struct mapped *mapped, enum object_kind kind) {
	struct build_id recorded = machine_build_id_of(machine, mapped, mapped->path);
	bool own = kind == OBJECT_VDSO && machine->is_here && mapped->start > UINT32_MAX;
	return recorded.size == 0 && own ? vdso_build_id() : recorded;
}

static struct image *machine_image_of_file(struct machine *machine, const struct mapped *mapped,
					   enum object_kind kind) {
	struct object_file file = {
		.kind = kind,
		.path = mapped->path,
		.build_id = machine_file_id_of(machine, mapped, kind),
		.id = mapped->id,
		.pid = (uint32_t)mapped->pid,
		.map_start = mapped->start,
		.map_end = mapped->start + mapped->size,
	};
	struct object_file alike = file;
	alike.pid = 0; // a build-id stands for the same file in all processes
	bool is_new;
	struct image *image = machine_image_of(machine, &alike, mapped->path, &is_new);
	if (is_new) {
		image->absolute = kind == OBJECT_JITDUMP;
		image->object =
			machine->symbols == NULL ? NULL : symbols_object(machine->symbols, &file);
	}
	return image;
}

static struct image *machine_image_of_user(struct machine *machine, struct machine_process *process,
					   const struct mapped *mapped) {
	enum object_kind kind = object_kind_of(mapped->path);
	bool is_nothing = kind == OBJECT_ELF && str_starts(mapped->path, STR("["));
	if (is_nothing || (kind == OBJECT_JIT && !mapped->executable)) {
		return machine_image_without_object(machine, mapped->path);
	}
	struct image *image = kind == OBJECT_JIT ? machine_image_of_jit(machine, mapped)
						 : machine_image_of_file(machine, mapped, kind);
	if (kind == OBJECT_JITDUMP) { // a process maps a jitdump file only to announce it
		process->dump = image->object;
		machine_image_of_jit(machine, mapped)->dump = process->dump;
	} else if (kind == OBJECT_JIT) {
		image->dump = process->dump;
	}
	return image;
}

/** Put the name of a module into `name`. The name is the name of the module's file, in brackets, as
 * perf prints it. */
static void machine_module_name(struct buf *name, struct str path) {
	size_t slash = str_find_last(path, '/');
	struct str base = slash == STR_NONE ? path : str_from(path, slash + 1);
	size_t dot = str_find_str(base, STR(".ko"));
	buf_add_char(name, '[');
	buf_add_str(name, dot == STR_NONE ? base : str_to(base, dot));
	buf_replace(name, '-', '_');
	buf_add_char(name, ']');
}

static struct image *machine_image_of_module(struct machine *machine, const struct mapped *mapped) {
	struct buf name = {0};
	if (str_starts(mapped->path, STR("["))) {
		buf_add_str(&name, mapped->path);
	} else {
		machine_module_name(&name, mapped->path);
	}
	struct object_file file = {
		.kind = OBJECT_MODULE,
		.path = mapped->path,
		.build_id = machine_build_id_of(machine, mapped, mapped->path),
		.start = mapped->start,
	};
	struct image *image = machine_image_with_object(machine, &file, buf_str(&name));
	buf_release(&name);
	return image;
}

/** Return the build-id of the kernel. If the recording has none and was made under the running
 * kernel, return the build-id of the running kernel. */
static struct build_id machine_kernel_id_of(const struct machine *machine,
					    const struct mapped *mapped, struct str name) {
	struct build_id recorded = machine_build_id_of(machine, mapped, name);
	if (recorded.size == 0 && machine->is_here && machine->symbols != NULL) {
		unread_note(symbols_unread(machine->symbols), kernel_notes_path,
			    kernel_build_id(&recorded));
	}
	return recorded;
}

static struct image *machine_image_of_kernel(struct machine *machine, const struct mapped *mapped) {
	size_t end = str_find(mapped->path, ']');
	struct str name = end == STR_NONE ? mapped->path : str_to(mapped->path, end + 1);
	struct object_file file = {
		.kind = OBJECT_KERNEL,
		.path = name,
		.build_id = machine_kernel_id_of(machine, mapped, name),
		.reference = str_from(mapped->path, name.n),
		.reference_address = mapped->offset,
		.map_start = mapped->start,
		.map_end = mapped->start + mapped->size,
	};
	file.unproven = file.build_id.size == 0 && !machine->is_elsewhere;
	return machine_image_with_object(machine, &file, name);
}

/**
 * Return the address at which the kernel's text ends. The recorded range contains only the text
 * that stays in memory. After it comes text that the kernel drops when it has started. This text is
 * needed, because the idle loop of the first processor was called from there.
 */
static uint64_t machine_end_of_kernel(const struct mappings *kernel, const struct mapping *text) {
	enum {
		DROPPED = 64 << 20
	}; // number of bytes of dropped text, about twice the usual
	   // number
	uint64_t end = text->end > UINT64_MAX - DROPPED ? UINT64_MAX : text->end + DROPPED;
	// a module may be mapped there: do not overlap it
	const struct mapping *module = mappings_next(kernel, text->end);
	if (module != NULL && module->start < text->end) {
		module = mappings_next(kernel, module->end);
	}
	return module != NULL && module->start < end ? module->start : end;
}

/* --- Records -------------------------------------------------------------------------------- */

void machine_build_id(struct machine *machine, struct str path, struct build_id build_id) {
	struct intern_key *key = intern_get(&machine->build_ids, path.p, path.n);
	if (key->value == 0) {
		key->value = machine->build_ids.count;
		MEM_GROW(machine->listed, machine->listed_capacity, (size_t)key->value);
	}
	machine->listed[key->value - 1] = build_id;
}

static struct machine_process *machine_find_process(struct machine *machine, int32_t pid) {
	struct intern_key *key = intern_get(&machine->processes, &pid, sizeof(pid));
	if (key->value == 0) {
		struct machine_process *process = arena_take(&machine->arena, sizeof(*process));
		*process =
			(struct machine_process){.pid = pid, .mappings.id = ++machine->next_state};
		key->value = (uintptr_t)process;
	}
	return (struct machine_process *)(uintptr_t)key->value;
}

void machine_map(struct machine *machine, const struct mapped *mapped) {
	struct mapping mapping = {.start = mapped->start,
				  .end = mapped->start + mapped->size,
				  .offset = mapped->offset,
				  .executable = mapped->executable};
	if (mapping.end <= mapping.start) {
		return;
	}
	if (!mapped->in_kernel) {
		struct machine_process *process = machine_find_process(machine, mapped->pid);
		mapping.image = machine_image_of_user(machine, process, mapped);
		mappings_lay_over(&process->mappings, &mapping);
		process->mappings.id = ++machine->next_state;
		return;
	}
	if (str_starts(mapped->path, STR("[kernel."))) {
		mapping.image = machine_image_of_kernel(machine, mapped);
		mapping.end = machine_end_of_kernel(&machine->kernel, &mapping);
	} else {
		mapping.image = machine_image_of_module(machine, mapped);
	}
	mappings_lay_over(&machine->kernel, &mapping);
	machine->kernel.id = ++machine->next_state;
}

void machine_ksymbol(struct machine *machine, struct str name, uint64_t start, uint64_t size,
		     bool gone) {
	if (gone) {
		mappings_cut_out(&machine->kernel, start);
	} else if (start + size > start) {
		struct object_file file = {.kind = OBJECT_BPF, .path = name, .start = start};
		struct mapping mapping = {.start = start,
					  .end = start + size,
					  .image = machine_image_with_object(machine, &file, name),
					  .executable = true};
		mappings_lay_over(&machine->kernel, &mapping);
	}
	machine->kernel.id = ++machine->next_state;
}

static struct str machine_comm_of(struct machine *machine, struct str comm) {
	return intern_str(intern_get(&machine->comms, comm.p, comm.n));
}

struct thread *machine_thread(struct machine *machine, int32_t pid, int32_t tid) {
	if (machine->last != NULL && machine->last->tid == tid && machine->last->pid == pid) {
		return machine->last;
	}
	struct intern_key *key = intern_get(&machine->threads, &tid, sizeof(tid));
	struct thread *thread = (struct thread *)(uintptr_t)key->value;
	if (thread == NULL) {
		char name[16];
		int n = snprintf(name, sizeof(name), ":%d", tid);
		struct str comm = tid == 0 ? STR("swapper") : (struct str){name, (size_t)n};
		thread = arena_take(&machine->arena, sizeof(*thread));
		*thread = (struct thread){
			.pid = pid, .tid = tid, .named = tid == 0, .epoch = ++machine->next_epoch};
		thread->comm = machine_comm_of(machine, comm);
		key->value = (uintptr_t)thread;
	}
	if (thread->process == NULL || thread->pid != pid) {
		thread->pid = pid;
		thread->process = machine_find_process(machine, pid);
	}
	machine->last = thread;
	return thread;
}

void machine_comm(struct machine *machine, int32_t pid, int32_t tid, struct str comm) {
	struct thread *thread = machine_thread(machine, pid, tid);
	thread->comm = machine_comm_of(machine, comm);
	thread->named = true;
}

void machine_new_stack(struct machine *machine, int32_t pid, int32_t tid) {
	machine_thread(machine, pid, tid)->epoch = ++machine->next_epoch;
}

void machine_fork(struct machine *machine, int32_t pid, int32_t tid, int32_t parent_pid,
		  int32_t parent_tid, bool exec) {
	if (pid == parent_pid && tid == parent_tid) {
		return; // perf itself writes such records for threads that existed before the
			// recording
	}
	struct thread *parent = machine_thread(machine, parent_pid, parent_tid);
	struct thread *thread = machine_thread(machine, pid, tid);
	thread->comm = parent->comm;
	thread->named = parent->named;
	thread->epoch = ++machine->next_epoch;
	if (pid == tid) {
		thread->process->threads = 0;
	}
	thread->process->threads++;
	thread->process->exited = false;
	if (pid != parent_pid && !exec) {
		mappings_copy(&thread->process->mappings, &parent->process->mappings);
	}
}

void machine_exit(struct machine *machine, int32_t pid, int32_t tid) {
	struct machine_process *process = machine_thread(machine, pid, tid)->process;
	machine_new_stack(machine, pid, tid);
	process->threads -= process->threads > 0;
	if (process->threads > 0 || pid != tid || process->exited) {
		return;
	}
	// Samples of a process may come after its exit, so keep the mappings of the processes that
	// exited last. Drop older ones: a build, for example, runs very many processes.
	process->exited = true;
	struct machine_process **place = &machine->exited[machine->exited_n++ % MACHINE_EXITED];
	if (*place != NULL && (*place)->exited) {
		mappings_release(&(*place)->mappings);
		(*place)->mappings.id = ++machine->next_state;
	}
	*place = process;
}

void machine_init(struct machine *machine, struct symbols *symbols) {
	*machine = (struct machine){.symbols = symbols, .next_state = 1, .kernel.id = 1};
}

/** If an image is among these mappings of a process, return the runtime that the process runs. */
static enum runtime machine_runtime_beside(const struct mappings *mappings,
					   const struct image *image, unsigned *minor) {
	enum runtime found = RUNTIMES;
	bool is_there = false;
	for (const struct mapping *mapping = mappings_next(mappings, 0); mapping != NULL;
	     mapping = mappings_next(mappings, mapping->end)) {
		const struct image *other = mapping->image;
		unsigned version;
		enum runtime runtime = runtime_of(other->name, &version);
		is_there = is_there || other == image;
		if (runtime != RUNTIMES && (found == RUNTIMES || version > 0)) {
			found = runtime;
			*minor = version;
		}
	}
	return is_there ? found : RUNTIMES;
}

enum runtime machine_runtime(const struct machine *machine, const struct image *image,
			     unsigned *minor) {
	enum runtime runtime = RUNTIMES;
	for (uint32_t i = 0; i < machine->processes.count && runtime == RUNTIMES; i++) {
		uint64_t value = machine->processes.keys[i]->value;
		const struct machine_process *process =
			(const struct machine_process *)(uintptr_t)value;
		runtime = machine_runtime_beside(&process->mappings, image, minor);
	}
	return runtime;
}

void machine_release(struct machine *machine) {
	for (uint32_t i = 0; i < machine->processes.count; i++) {
		uint64_t value = machine->processes.keys[i]->value;
		mappings_release(&((struct machine_process *)(uintptr_t)value)->mappings);
	}
	mappings_release(&machine->kernel);
	free(machine->listed);
	intern_release(&machine->images);
	intern_release(&machine->build_ids);
	intern_release(&machine->comms);
	intern_release(&machine->threads);
	intern_release(&machine->processes);
	arena_release(&machine->arena);
}
