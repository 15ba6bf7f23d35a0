/* wild SECONDS: for this processor time, imitates Lua 5.4, with LUAJIT LuaJIT, or with RUBY
 * Ruby 3.1, with memory that is random and changes all the time. Only the fields that identify a
 * Lua state, or the thread of a Ruby ractor, are valid. */
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

#if defined(RUBY)
EXPORT extern const char ruby_version[];
EXPORT const char ruby_version[] = "3.1.2";
#elif defined(LUAJIT)
EXPORT int luaJIT_setmode(void);
EXPORT int luaJIT_setmode(void) {
	return 0;
}
#else
EXPORT extern const char lua_ident[];
EXPORT const char lua_ident[] = "$LuaVersion: Lua 5.4.4";
#endif

enum { WORDS = 1 << 17 };

/* Offsets of fields in Ruby, and in both Lua and LuaJIT, in words. */
enum {
	RACTOR_THREADS = 38,
	THREAD = 1024,
	THREAD_LIST = 1,
	THREAD_RACTOR = 3,
	THREAD_CONTEXT = 5,
	THREAD_TID = 11,
	CONTEXT = 2048,
	CONTEXT_WORDS = 1,
	CONTEXT_FRAME = 2,
	STATE_KIND = 1,
	STATE_GLOBAL_JIT = 2,
	STATE_GLOBAL = 3,
	STATE_FRAME_OF_C = 10,
	STATE_ERROR_JUMP = 11,
	GLOBAL = 16,
	GLOBAL_MAIN_JIT = 24,
	GLOBAL_MAIN = 33,
};

static uint64_t *words;

// The test looks for this function in stacks, so it must not be inlined.
__attribute__((noinline)) static uint64_t wild_random(void) {
	static uint64_t state = 88172645463325252;
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/** Return a random word: usually an address in this memory, or a number with a type tag. */
static uint64_t wild_word(void) {
	const uint64_t kinds[] = {4, 6, 7, 8, 11, 22, 70, 72, 102};
	uint64_t value = wild_random(), kind = kinds[wild_random() % 9];
	switch (wild_random() % 8) {
	case 0:
		return value;
	case 1:
		return value % 300;
	case 2:
		return kind << 8 | kind;
	default:
		return (uint64_t)(uintptr_t)&words[value % WORDS];
	}
}

#ifdef RUBY
static uint64_t *volatile wild_ractor; // in a mapping of the program, where it is searched for

static void wild_mark(uint64_t *own) {
	uint64_t *thread = &words[THREAD], *context = &words[CONTEXT],
		 *list = &words[RACTOR_THREADS];
	wild_ractor = words;
	(void)own;
	list[0] = list[1] = (uint64_t)(uintptr_t)thread;
	thread[THREAD_LIST] = (uint64_t)(uintptr_t)list;
	thread[THREAD_RACTOR] = (uint64_t)(uintptr_t)words;
	thread[THREAD_CONTEXT] = (uint64_t)(uintptr_t)context;
	thread[THREAD_TID] = (uint64_t)gettid();
	context[0] = (uint64_t)(uintptr_t)words;
	context[CONTEXT_WORDS] = WORDS;
	context[CONTEXT_FRAME] = (uint64_t)(uintptr_t)&words[wild_random() % WORDS];
}
#else
static void wild_mark(uint64_t *own) {
	words[STATE_KIND] = 6 << 8 | 8;
	words[STATE_GLOBAL] = words[STATE_GLOBAL_JIT] = (uint64_t)(uintptr_t)&words[GLOBAL];
	words[STATE_FRAME_OF_C] = words[STATE_ERROR_JUMP] = (uint64_t)(uintptr_t)own;
	words[GLOBAL + GLOBAL_MAIN] = words[GLOBAL + GLOBAL_MAIN_JIT] = (uint64_t)(uintptr_t)words;
}
#endif

int main(int argc, char **argv) {
	uint64_t own = 0;
	struct timespec used;
	const time_t seconds = argc > 1 ? atoi(argv[1]) : 1;
	words = mmap(NULL, WORDS * sizeof(*words), PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (size_t i = 0; i < WORDS; i++) {
		words[i] = wild_word();
	}
	do {
		for (int i = 0; i < 20000; i++) {
			words[wild_random() % (i % 2 == 0 ? WORDS : 128)] = wild_word();
		}
		wild_mark(&own);
		for (int i = 0; i < 200000; i++) {
			own += wild_random();
		}
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	} while (used.tv_sec < seconds);
	return 0;
}
