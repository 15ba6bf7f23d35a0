/** Iterate over commands and options, for the completion scripts of all shells. */
#pragma once

#include "cli/cli.h"

/** A function that adds an option. `words` is the argument of complete_each_option(). */
typedef void add_option(struct buf *out, const char *words, const struct opt *row);

/** A function that adds a word and its description. */
typedef void add_name(struct buf *out, const char *name, const char *brief);

/** Call `add` for every option of a command, except hidden ones. */
void complete_each_option(struct buf *out, const struct command *command, const char *words,
			  add_option *add);

/** Call `add` for every first word of a command line. */
void complete_first_words(struct buf *out, add_name *add);

/** Call `add` for the second word of each command whose name has two words. */
void complete_second_words(struct buf *out, add_name *add);

/** Call `add` for the full name of every command: its words, joined by `-`. */
void complete_whole_names(struct buf *out, add_name *add);

/** Call `add` for the names of all shells. */
void complete_shell_names(struct buf *out, add_name *add);

/** Add the names of all links to the program, with a blank before each. */
void complete_link_names(struct buf *out);

/** Get the alias with the number `*i` of a command, in the form of a word after "inferno", and
 * increase `*i`. Skip the name of the command's link, because another command may have the same
 * name. Return false after the last alias. */
bool complete_next_word(const struct command *command, size_t *i, char *builtin);

/* Add a completion script that looks words up in a table. */
void complete_powershell(struct buf *out);
void complete_elvish(struct buf *out);
