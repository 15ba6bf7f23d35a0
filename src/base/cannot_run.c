/* Explain why a program cannot be run. */
#include "base/cannot_run.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/nearest.h"
#include "base/process.h"
#include "base/read.h"

enum { START = 4096 /* number of bytes at the start of a file that are examined */ };

bool is_shell_text(const char *path) {
	enum { LOOKED_AT = 256 };
	char bytes[START];
	ssize_t n = read_start_of(path, bytes, START);
	return n >= 0 && memchr(bytes, '\0', n < LOOKED_AT ? (size_t)n : LOOKED_AT) == NULL;
}

/* --- Names that are searched in PATH --------------------------------------------------------- */

/** Explain that the user quoted a whole command line, so that the shell made it one word. Return
 * false if `name` has no arguments. */
static bool cannot_run_format_command_line(struct buf *text, const char *name) {
	struct str first = str_of(name), rest = first;
	first = str_next_word(&rest);
	if (first.n == 0 || rest.n == 0) {
		return false;
	}
	if (strpbrk(name, "|&;<>$`(") != NULL) {
		buf_printf(text, "it is a line for a shell; type: sh -c '%s'",
			   quote(str_of(name)).text);
	} else {
		buf_printf(text,
			   "the command and its arguments are quoted as one word; type them "
			   "without quotes: %s",
			   quote(str_of(name)).text);
	}
	return true;
}

/** Explain that `name` is a builtin command of the shell, not a program. Return false if `name` is
 * not a builtin command. */
static bool cannot_run_format_builtin(struct buf *text, const char *name) {
	static const char *const builtins[] = {
		"alias",  "cd",   "eval", "exec", "export", "for",   "if",   "set",
		"source", "time", "trap", "type", "ulimit", "umask", "wait", "while"};
	for (size_t i = 0; i < sizeof(builtins) / sizeof(*builtins); i++) {
		if (strcmp(name, builtins[i]) == 0) {
			buf_printf(text, "it is a word of the shell; type: sh -c '%s ...'", name);
			return true;
		}
	}
	return false;
}

/** Explain why a program is not found in PATH. */
static void cannot_run_format_unknown(struct buf *text, const char *name) {
	const char *folders = getenv("PATH");
	struct nearest nearest = nearest_to(name);
	struct str rest = str_of(folders == NULL ? "" : folders);
	struct buf folder = {0};
	if (*name == '\0') {
		buf_add_text(text, "the name is empty");
		return;
	}
	if (cannot_run_format_command_line(text, name) || cannot_run_format_builtin(text, name)) {
		return;
	}
	buf_add_text(text, "no folder of PATH has such a program");
	if (access(name, X_OK) == 0) {
		buf_printf(text, "; for the file in this folder, type: ./%s",
			   quote(str_of(name)).text);
		return;
	}
	while (rest.n > 0) {
		buf_set_str(&folder, str_cut(&rest, ':'));
		nearest_look_into(&nearest, folder.n == 0 ? "." : buf_text(&folder), true);
	}
	if (nearest.name.n == 0) {
		buf_add_text(text, "; install it, or type the whole path of its file");
	}
	(void)nearest_add(text, &nearest, STR(""));
	buf_release(&folder);
}

/* --- Files that are not there ----------------------------------------------------------------- */

/** Explain that a file, or a folder on its path, does not exist. */
static void cannot_run_format_missing(struct buf *text, const char *path) {
	size_t end = str_find_last(str_of(path), '/') + 1;
	struct buf folder = {0};
	struct stat about;
	buf_add_str(&folder, str_to(str_of(path), end));
	if (lstat(path, &about) == 0) {
		buf_add_text(text, "it is a link to a file that is not there");
	} else if (stat(buf_text(&folder), &about) != 0) {
		buf_printf(text, "there is no folder '%s'", quote(buf_str(&folder)).text);
	} else if (!cannot_run_format_command_line(text, path)) {
		struct nearest nearest = nearest_to(path + end);
		nearest_look_into(&nearest, buf_text(&folder), true);
		buf_add_text(text, "there is no such file");
		if (!nearest_add(text, &nearest, str_to(str_of(path), end))) {
			buf_add_text(text, "; build it first, or check its name");
		}
	}
	buf_release(&folder);
}

/** Explain that the interpreter in the first line of a script does not exist. */
static void cannot_run_format_interpreter(struct buf *text, const char *path, struct str line) {
	struct str rest = str_from(line, 2), word = str_next_word(&rest);
	bool carriage = str_ends(line, STR("\r"));
	word.n -= str_ends(word, STR("\r"));
	struct buf name = {0};
	buf_add_str(&name, word);
	buf_printf(text, "its first line asks for '%s'", quote(buf_str(&name)).text);
	if (carriage) {
		buf_printf(text,
			   " with a carriage return, as files of Windows have; remove these: sed "
			   "-i 's/\\r$//' '%s'",
			   quote(str_of(path)).text);
	} else {
		buf_add_text(text, ", which is not there; install it, or change that line");
	}
	buf_release(&name);
}

static uint64_t cannot_run_number_at(const char *bytes, size_t at, size_t size) {
	uint64_t number = 0;
	for (size_t i = size; i > 0; i--) {
		number = number << 8 | (unsigned char)bytes[at + i - 1];
	}
	return number;
}

static bool cannot_run_is_elf(const char *bytes, ssize_t n) {
	enum { HEADER = 64 };
	return n >= HEADER && memcmp(bytes, "\177ELF", 4) == 0;
}

/** Return the path of the loader that a 64-bit ELF file names, or an empty text if the file names
 * none. */
static struct str cannot_run_loader_of(const char *bytes, size_t n) {
	enum { TABLE_AT = 32, SIZE_AT = 54, COUNT_AT = 56, OFFSET_AT = 8, INTERPRETER = 3 };
	enum { CLASS_AT = 4, CLASS_64 = 2, ROW = 56 };
	uint64_t table = cannot_run_number_at(bytes, TABLE_AT, 8),
		 size = cannot_run_number_at(bytes, SIZE_AT, 2);
	uint64_t count = cannot_run_number_at(bytes, COUNT_AT, 2);
	for (uint64_t i = 0; bytes[CLASS_AT] == CLASS_64 && size >= ROW && i < count; i++) {
		uint64_t row = table + i * size;
		if (row > n || n - row < ROW) {
			break;
		}
		size_t at = (size_t)row;
		uint64_t offset = cannot_run_number_at(bytes, at + OFFSET_AT, 8);
		if (cannot_run_number_at(bytes, at, 4) == INTERPRETER && offset < n) {
			const char *path = bytes + (size_t)offset;
			return (struct str){path, strnlen(path, n - (size_t)offset)};
		}
	}
	return STR("");
}

/** Explain which file does not exist: the program, or another file that the program needs. */
static void cannot_run_format_no_file(struct buf *text, const char *path) {
	char bytes[START];
	ssize_t n = read_start_of(path, bytes, START);
	if (n >= 2 && memcmp(bytes, "#!", 2) == 0) {
		struct str line = {bytes, (size_t)n};
		cannot_run_format_interpreter(text, path, str_cut(&line, '\n'));
	} else if (cannot_run_is_elf(bytes, n)) {
		struct buf loader = {0};
		buf_add_str(&loader, cannot_run_loader_of(bytes, (size_t)n));
		buf_printf(text,
			   "its loader '%s' is not there; it was built for another system, or for "
			   "another C library",
			   quote(buf_str(&loader)).text);
		buf_release(&loader);
	} else {
		cannot_run_format_missing(text, path);
	}
}

/* --- Files that are not programs of this machine --------------------------------------------- */

/** Return the name of a processor by its number in ELF files, or NULL if the number is not known.
 */
static const char *cannot_run_processor_of(uint64_t number) {
	static const struct {
		uint64_t number;
		const char *name;
	} known[] = {{3, "x86 of 32 bits"}, {8, "mips"},       {20, "powerpc"}, {21, "powerpc64"},
		     {22, "s390"},          {40, "arm"},       {62, "x86_64"},  {183, "aarch64"},
		     {243, "riscv"},        {258, "loongarch"}};
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		if (known[i].number == number) {
			return known[i].name;
		}
	}
	return NULL;
}

/** Explain why the kernel does not accept a file as a program. */
static void cannot_run_format_no_program(struct buf *text, const char *path) {
	enum { MACHINE_AT = 18 };
	char bytes[START];
	struct utsname here;
	ssize_t n = read_start_of(path, bytes, START);
	const char *wanted =
		cannot_run_is_elf(bytes, n)
			? cannot_run_processor_of(cannot_run_number_at(bytes, MACHINE_AT, 2))
			: NULL;
	bool known = uname(&here) == 0;
	if (wanted != NULL && known && strcmp(wanted, here.machine) != 0) {
		buf_printf(text, "it is a program for %s, and this machine is %s", wanted,
			   here.machine);
	} else if (n >= 4 && memcmp(bytes, "\177ELF", 4) == 0) {
		buf_add_text(text, "its ELF file is damaged or cut off; build or install it again");
	} else {
		buf_add_text(text,
			     "it is not a program: an ELF file, or a script that begins with #!");
	}
}

/** Explain why the user may not run a file. */
static void cannot_run_format_denied(struct buf *text, const char *path) {
	struct stat about;
	struct statvfs system;
	char bytes[START];
	if (stat(path, &about) != 0) {
		buf_add_text(text, "a folder on its path may not be entered by this user");
	} else if (S_ISDIR(about.st_mode)) {
		buf_add_text(text, "it is a folder; name the program in it");
	} else if (!S_ISREG(about.st_mode)) {
		buf_add_text(text, "it is not a file");
	} else if (statvfs(path, &system) == 0 && (system.f_flag & ST_NOEXEC) != 0) {
		buf_add_text(text, "no program on its file system may be run (it is mounted with "
				   "noexec); copy it elsewhere");
	} else if (access(path, X_OK) != 0) {
		buf_printf(text, "it is not executable; type: chmod +x '%s'",
			   quote(str_of(path)).text);
	} else if (read_start_of(path, bytes, START) >= 2 && memcmp(bytes, "#!", 2) == 0) {
		buf_add_text(text, "the interpreter in its first line may not be run");
	} else {
		buf_add_text(text, "a security policy forbids it");
	}
}

void cannot_run_why(struct buf *text, const char *name, int error) {
	struct buf path = {0};
	bool searched = strchr(name, '/') == NULL;
	bool found = process_find(name, &path);
	const char *file = searched && found ? buf_text(&path) : name;
	if (searched && !found && (error == ENOENT || error == EACCES || error == ENOTDIR)) {
		cannot_run_format_unknown(text, name);
	} else if (error == ENOENT || error == ENOTDIR) {
		cannot_run_format_no_file(text, file);
	} else if (error == EACCES) {
		cannot_run_format_denied(text, file);
	} else if (error == ENOEXEC) {
		cannot_run_format_no_program(text, file);
	} else if (error == E2BIG) {
		buf_add_text(text, "its arguments and the environment are too long");
	} else if (error == ETXTBSY) {
		buf_add_text(text, "its file is being written; wait until it is closed");
	} else {
		buf_add_text(text, strerror(error));
	}
	buf_release(&path);
}

int cannot_run(struct diag *diag, const char *name, int error) {
	struct buf text = {0};
	cannot_run_why(&text, name, error);
	diag_error(diag, "cannot run '%s': %s", quote(str_of(name)).text, buf_text(&text));
	buf_release(&text);
	return -1;
}
