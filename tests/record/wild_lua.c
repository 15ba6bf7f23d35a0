/* wild_lua SECONDS: for this processor time, imitates Lua 5.4, or with LUAJIT LuaJIT, with memory
 * that is random and changes all the time. Only the fields that identify a Lua state are valid. */
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#define EXPORT __attribute__((visibility("default")))

#ifdef LUAJIT
EXPORT int luaJIT_setmode(void);
EXPORT int luaJIT_setmode(void) {
	return 0;
}
#else
EXPORT extern const char lua_ident[];
EXPORT const char lua_ident[] = "$LuaVersion: Lua 5.4.4";
#endif

enum { WORDS = 1 << 17 };

/* Offsets of fields in both Lua and LuaJIT, in words. */
enum {
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

static uint64_t wild_random(void) {
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

static void wild_mark(uint64_t *own) {
	words[STATE_KIND] = 6 << 8 | 8;
	words[STATE_GLOBAL] = words[STATE_GLOBAL_JIT] = (uint64_t)(uintptr_t)&words[GLOBAL];
	words[STATE_FRAME_OF_C] = words[STATE_ERROR_JUMP] = (uint64_t)(uintptr_t)own;
	words[GLOBAL + GLOBAL_MAIN] = words[GLOBAL + GLOBAL_MAIN_JIT] = (uint64_t)(uintptr_t)words;
}

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
