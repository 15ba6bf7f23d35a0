/*
 * sniff FOLDER: offers every golden input of every collapse command to every format, and prints
 * TAP. The format that the folder is named after must have more evidence than any other. If an
 * input is too unusual to be recognised, CASE.sniff names the format that is recognised instead, or
 * "none". The input of a failing case must not be recognised as another format.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "collapse/collapse.h"
#include "collapse/sniff.h"

static unsigned number, failures;

/** Recognise the format of a file. The verdict is a name, "none" or "both A and B". Return false if
 * the file cannot be read. */
static bool sniff_look(const char *path, char *verdict, size_t size) {
	struct diag diag = {0};
	struct sniffed sniffed = {0};
	struct input *input = input_open(&(struct source){.path = path}, &diag);
	bool read = input != NULL && sniff_input(input, NULL, &sniffed) == 0;
	if (sniffed.rival != NULL) {
		snprintf(verdict, size, "both %s and %s", sniffed.nearest->name,
			 sniffed.rival->name);
	} else {
		snprintf(verdict, size, "%s",
			 sniffed.format == NULL ? "none" : sniffed.format->name);
	}
	input_close(input);
	diag_release(&diag);
	return read;
}

/** Read the first word of a file. Return false if there is none. */
static bool sniff_read_word(const char *path, char *word, size_t size) {
	FILE *file = fopen(path, "r");
	bool read = file != NULL && fgets(word, (int)size, file) != NULL;
	if (read) {
		word[strcspn(word, "\n")] = '\0';
	}
	if (file != NULL) {
		fclose(file);
	}
	return read;
}

static void sniff_check(const char *folder, const char *owner, struct str name, const char *file) {
	char path[4096], base[2048], expected[64], verdict[128];
	snprintf(base, sizeof(base), "%s/collapse-%s/%.*s", folder, owner, (int)name.n, name.p);
	snprintf(path, sizeof(path), "%s/collapse-%s/%s", folder, owner, file);
	if (!sniff_look(path, verdict, sizeof(verdict))) {
		return; // packed in a way that this build cannot read
	}
	snprintf(expected, sizeof(expected), "%s", owner);
	snprintf(path, sizeof(path), "%s.sniff", base);
	bool told = sniff_read_word(path, expected, sizeof(expected));
	snprintf(path, sizeof(path), "%s.exit", base);
	bool fails = access(path, F_OK) == 0, right = strcmp(verdict, expected) == 0;
	if (!right && fails && !told) {
		right = strcmp(verdict, "none") == 0;
	}
	failures += !right;
	printf("%sok %u - %s: collapse-%s/%s\n", right ? "" : "not ", ++number, verdict, owner,
	       file);
	if (!right) {
		printf("# expected %s\n", expected);
	}
}

static int sniff_is_input(const struct dirent *entry) {
	struct str name = str_of(entry->d_name);
	return str_ends(name, STR(".in")) || str_ends(name, STR(".in.gz")) ||
	       str_ends(name, STR(".in.zst"));
}

static void sniff_check_folder(const char *folder, const char *owner) {
	char path[4096];
	struct dirent **entries;
	snprintf(path, sizeof(path), "%s/collapse-%s", folder, owner);
	int n = scandir(path, &entries, sniff_is_input, alphasort);
	for (int i = 0; i < n; i++) {
		struct str name = str_of(entries[i]->d_name);
		name = str_to(name, str_find_last_str(name, STR(".in")));
		sniff_check(folder, owner, name, entries[i]->d_name);
		free(entries[i]);
	}
	if (n >= 0) {
		free(entries);
	}
}

int main(int argc, char **argv) {
	if (argc != 2) {
		fprintf(stderr, "Usage: sniff FOLDER\n");
		return 2;
	}
	for (size_t i = 0; collapse_formats[i] != NULL; i++) {
		sniff_check_folder(argv[1], collapse_formats[i]->name);
	}
	printf("1..%u\n", number);
	return failures > 0;
}
