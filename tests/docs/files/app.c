/* A program to sample: it parses, it reads, it waits, and two threads contend for a lock. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

#ifdef OLD
#define TURNS 1
#else
#define TURNS 3
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile double sink;

__attribute__((noinline)) double parse(int turns) {
	double sum = 0;
	for (int i = 0; i < turns * 400000; i++) {
		sum += sqrt((double)i);
	}
	return sum;
}

__attribute__((noinline)) void fetch(void) {
	static char block[1 << 20];
	FILE *file = fopen("/dev/zero", "rb");
	for (int i = 0; file != NULL && i < 16; i++) {
		sink += (double)fread(block, 1, sizeof(block), file);
	}
	if (file != NULL) {
		fclose(file);
	}
}

__attribute__((noinline)) double load(int turns) {
	fetch();
	return parse(turns) + 1;
}

__attribute__((noinline)) void *serve(void *argument) {
	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&lock);
		sink = load(3);
		pthread_mutex_unlock(&lock);
	}
	return argument;
}

int main(void) {
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) {
		pthread_create(&threads[i], NULL, serve, NULL);
	}
	for (int i = 0; i < 20; i++) {
		sink = load(TURNS);
		nanosleep(&(struct timespec){0, 2000000}, NULL);
	}
	for (int i = 0; i < 2; i++) {
		pthread_join(threads[i], NULL);
	}
	printf("%g\n", sink);
	return 0;
}
