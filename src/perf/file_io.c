/* Count the bytes and the time of system calls that read and write. */
#include "perf/file_io.h"

#include "perf/line.h"

/** If an event's name begins with `start`, return the rest of the name. Otherwise return an empty
 * text. */
static struct str file_io_rest(const struct perfdata_event *event, struct str start) {
	struct str name = perf_event_plain(event->name);
	return str_starts(name, start) ? str_from(name, start.n) : STR("");
}

struct str file_io_call(const struct perfdata_event *event) {
	return file_io_rest(event, STR("syscalls:sys_exit_"));
}

bool file_io_end(struct file_io *io, const struct perfdata_sample *sample, enum file_io_count what,
		 uint64_t *count) {
	enum { RESULT_AT = 16 }; // offset of the call's result in the fields of the tracepoint
	bool enters = file_io_rest(sample->event, STR("syscalls:sys_enter_")).n > 0;
	struct intern_key *entered = intern_get(&io->entered, &sample->tid, sizeof(sample->tid));
	uint64_t since = entered->value;
	int64_t result = 0;
	entered->value = enters ? sample->time : 0;
	if (file_io_call(sample->event).n == 0 || sample->raw.n < RESULT_AT + sizeof(result)) {
		return false;
	}
	memcpy(&result, sample->raw.p + RESULT_AT, sizeof(result));
	*count = what == FILE_IO_BYTES               ? (result > 0 ? (uint64_t)result : 0)
		 : since > 0 && since < sample->time ? sample->time - since
						     : 0;
	return *count > 0;
}

void file_io_release(struct file_io *io) {
	intern_release(&io->entered);
}
