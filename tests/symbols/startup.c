/*
 * Prints the stack of its main thread and of another thread. A line of each frame has its file, and
 * the address at which the frame continues: the address in memory minus the file's load address. An
 * empty line follows each stack.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>

enum { MOST = 32 };

static void *startup_print_stack(void *unused) {
	void *addresses[MOST];
	int n = backtrace(addresses, MOST);
	for (int i = 0; i < n; i++) {
		Dl_info info;
		void *map = NULL;
		if (dladdr1(addresses[i], &info, &map, RTLD_DL_LINKMAP) == 0 || map == NULL) {
			printf("- 0\n");
			continue;
		}
		ElfW(Addr) base = ((struct link_map *)map)->l_addr;
		printf("%s %lx\n", info.dli_fname,
		       (unsigned long)((ElfW(Addr))addresses[i] - base));
	}
	putchar('\n');
	return unused;
}

int main(void) {
	pthread_t thread;
	startup_print_stack(NULL);
	fflush(stdout);
	if (pthread_create(&thread, NULL, startup_print_stack, NULL) != 0) {
		return 1;
	}
	return pthread_join(thread, NULL);
}
