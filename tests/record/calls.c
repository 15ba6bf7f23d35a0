/*
 * calls SECONDS: use SECONDS of system time, nearly all of it in reads of /dev/zero. Then print the
 * time that was used.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

static char bytes[1 << 20];

static double used(void) {
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	return (double)usage.ru_stime.tv_sec + (double)usage.ru_stime.tv_usec / 1e6;
}

int main(int argc, char **argv) {
	double seconds = argc > 1 ? strtod(argv[1], NULL) : 1;
	int fd = open("/dev/zero", O_RDONLY);
	while (fd >= 0 && used() < seconds) {
		if (read(fd, bytes, sizeof(bytes)) <= 0) {
			return 1;
		}
	}
	printf("%.6f\n", used());
	return 0;
}
