// Draw a flame graph of stacks that a program has in memory. cc draw.c $(pkg-config --cflags --libs
// libinferno)
#include <inferno.h>
#include <stdio.h>

static int write_file(void *file, const void *bytes, size_t size) {
	return fwrite(bytes, 1, size, file) != size;
}

int main(void) {
	struct inferno_profile *profile = inferno_profile_new("microseconds");
	inferno_profile_add(profile, (const char *[]){"main", "read", "parse"}, 3, 30);
	inferno_profile_add(profile, (const char *[]){"main", "draw"}, 2, 70);

	struct inferno *job = inferno_new("flamegraph");
	inferno_set(job, "title", "Example");
	inferno_add(job, &(struct inferno_source){.kind = INFERNO_PROFILE, .profile = profile});
	enum inferno_status status = inferno_run(job, write_file, stdout);
	if (status != INFERNO_OK) {
		fprintf(stderr, "%s\n", inferno_error(job));
	}
	inferno_free(job);
	inferno_profile_free(profile);
	return status != INFERNO_OK;
}
