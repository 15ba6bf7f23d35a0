/* hostile HOW SECONDS: imitates Python 3.11 with crafted memory: HOW is sane,
 * cycle, huge, wild (all words change while they are read), or unmapped (pages come and go). */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

enum { WORDS = 512, PAGE = 4096, FRAMES = 5 };

/* Offsets of fields in version 3.11, in words. */
enum {
	RUNTIME_INTERPRETER = 5,
	INTERPRETER_THREAD = 2,
	THREAD_INTERPRETER = 2,
	THREAD_FRAME = 7,
	THREAD_PTHREAD = 19,
	THREAD_TID = 20,
	THREAD_CHUNK = 37,
	FRAME_CODE = 4,
	FRAME_BACK = 6,
	FRAME_ENTRY = 8,
	CODE_TYPE = 1,
	CODE_FIRST = 9,
	CODE_FILE = 14,
	CODE_NAME = 15,
	CODE_QUALIFIED = 16,
	TEXT_LENGTH = 2,
	TEXT_STATE = 4,
	TEXT_BYTES = 6,
	TYPE_NAME = 3,
};

EXPORT extern uint64_t PyCode_Type[WORDS], _PyRuntime[WORDS];
EXPORT extern const uint32_t Py_Version;
EXPORT uint64_t PyCode_Type[WORDS], _PyRuntime[WORDS];
EXPORT const uint32_t Py_Version = 0x030b07f0;

static uint64_t interpreter[WORDS], thread[WORDS], current[WORDS];
static uint64_t (*heap)[WORDS]; // frames, then code and texts
static uint64_t *chunk;

static uint64_t hostile_address(const void *p) {
	return (uint64_t)(uintptr_t)p;
}

static uint64_t *hostile_text(uint64_t *at, const char *bytes) {
	at[TEXT_LENGTH] = strlen(bytes);
	at[TEXT_STATE] = 1 << 6 | 1 << 5 | 1 << 2; // ASCII, compact, of one byte each
	memcpy(&at[TEXT_BYTES], bytes, strlen(bytes));
	return at;
}

static void hostile_make(void) {
	if (heap != NULL) {
		munmap(heap, 16 * sizeof(*heap));
		munmap(chunk, PAGE);
	}
	heap = mmap(NULL, 16 * sizeof(*heap), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		    -1, 0);
	chunk = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t *code = heap[0];
	PyCode_Type[TYPE_NAME] = hostile_address("code");
	_PyRuntime[RUNTIME_INTERPRETER] = hostile_address(interpreter);
	interpreter[INTERPRETER_THREAD] = hostile_address(thread);
	thread[THREAD_INTERPRETER] = hostile_address(interpreter);
	thread[THREAD_FRAME] = hostile_address(current);
	thread[THREAD_TID] = (uint64_t)syscall(SYS_gettid);
	thread[THREAD_CHUNK] = hostile_address(chunk);
	thread[THREAD_CHUNK + 1] = hostile_address(chunk + WORDS / 2);
	thread[THREAD_CHUNK + 2] = hostile_address(chunk + WORDS);
	code[CODE_TYPE] = hostile_address(PyCode_Type);
	code[CODE_FIRST] = 7;
	code[CODE_FILE] = hostile_address(hostile_text(heap[1], "/folder/made.py"));
	code[CODE_NAME] = hostile_address(hostile_text(heap[2], "inner"));
	code[CODE_QUALIFIED] = hostile_address(hostile_text(heap[3], "outer.inner"));
	for (int i = 0; i < FRAMES; i++) {
		uint64_t *frame = chunk + 3 + i * 10;
		frame[FRAME_CODE] = hostile_address(code);
		frame[FRAME_BACK] = i + 1 < FRAMES ? hostile_address(frame + 10) : 0;
	}
	current[1] = hostile_address(chunk + 3);
}

static uint64_t seed = 88172645463325252U;

static uint64_t hostile_any(void) {
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

/* Return a random word that may look valid. */
static uint64_t hostile_lie(void) {
	const uint64_t lies[] = {0,
				 1,
				 8,
				 UINT64_MAX,
				 UINT64_C(1) << 46,
				 UINT64_C(0x7fffffffffff),
				 hostile_any(),
				 hostile_address(heap[hostile_any() % 16]),
				 hostile_address(chunk + hostile_any() % WORDS),
				 hostile_address(thread),
				 hostile_address(interpreter),
				 hostile_address(PyCode_Type),
				 hostile_address(current),
				 hostile_any() % 100000};
	return lies[hostile_any() % (sizeof(lies) / sizeof(*lies))];
}

static void hostile_disturb(const char *how) {
	uint64_t *const all[] = {interpreter, thread,  current, heap[0], heap[1],
				 heap[2],     heap[3], chunk,   chunk};
	if (strcmp(how, "cycle") == 0) {
		chunk[3 + FRAME_BACK + 20] = hostile_address(chunk + 3);
		interpreter[0] = hostile_address(interpreter);
		thread[1] = hostile_address(thread);
	} else if (strcmp(how, "huge") == 0) {
		heap[1][TEXT_LENGTH] = UINT32_MAX;
		heap[2][TEXT_LENGTH] = UINT64_MAX / 2;
		heap[3][TEXT_STATE] = 4 << 2; // of four bytes each
		heap[3][TEXT_LENGTH] = UINT64_C(1) << 30;
		thread[THREAD_CHUNK + 1] = thread[THREAD_CHUNK + 2] = UINT64_MAX;
		chunk[0] = hostile_address(chunk);
		chunk[1] = UINT64_MAX;
	} else if (strcmp(how, "wild") == 0) {
		hostile_make();
		for (int i = 0; i < 3; i++) {
			all[hostile_any() % (sizeof(all) / sizeof(*all))][hostile_any() % 64] =
				hostile_lie();
		}
	} else if (strcmp(how, "unmapped") == 0) {
		// The new memory has another address, and a stack may be read at this moment.
		hostile_make();
	}
}

int main(int argc, char **argv) {
	const char *how = argc > 1 ? argv[1] : "sane";
	const double seconds = argc > 2 ? strtod(argv[2], NULL) : 1;
	volatile uint64_t work = 0;
	hostile_make();
	while ((double)clock() / CLOCKS_PER_SEC < seconds) {
		for (int i = 0; i < 20000; i++) {
			work = work + (uint64_t)i;
		}
		hostile_disturb(how);
	}
	return 0;
}
