/*
 * Completion scripts for PowerShell and elvish. Each script has a table. A key is a part of the
 * command line, such as `collapse-perf` or `flamegraph --colors`. The value of a key is the list of
 * words that may follow, each with its description. One function of the script looks up the words
 * for all commands.
 */
#include <stdio.h>

#include "cli/complete.h"

/** The syntax of tables in a shell. */
struct wordlist_syntax {
	const char *words, *links; // text before an assignment to a table
	const char *value;         // an expression for the table of words
	const char *open, *close;  // text around a list
};

static const struct wordlist_syntax wordlist_of_powershell = {"$infernoWords", "$infernoLinks",
							      "$infernoWords", "@(", ")"};
static const struct wordlist_syntax wordlist_of_elvish = {"set inferno-words", "set inferno-links",
							  "$inferno-words", "[", "]"};

/** Add text in single quotes. In both shells, a single quote inside of the text is doubled. */
static void wordlist_quote(struct buf *out, const char *text) {
	buf_add_char(out, '\'');
	for (; *text != '\0'; text++) {
		if (*text == '\'') {
			buf_add_char(out, '\'');
		}
		buf_add_char(out, *text);
	}
	buf_add_char(out, '\'');
}

/** Add a word and its description as two items of a list. */
static void wordlist_add(struct buf *out, const char *name, const char *brief) {
	buf_add_char(out, '\t');
	wordlist_quote(out, name);
	buf_add_text(out, "\n\t");
	wordlist_quote(out, brief);
	buf_add_char(out, '\n');
}

static void wordlist_add_option(struct buf *out, const char *words, const struct opt *row) {
	char name[64];
	(void)words;
	snprintf(name, sizeof(name), "--%s", row->name);
	wordlist_add(out, name, row->help);
}

static void wordlist_begin(struct buf *out, const struct wordlist_syntax *syntax, const char *key) {
	buf_printf(out, "%s['%s'] = %s\n", syntax->words, key, syntax->open);
}

static void wordlist_end(struct buf *out, const struct wordlist_syntax *syntax) {
	buf_printf(out, "%s\n", syntax->close);
}

/** Give a key the words of another key. */
static void wordlist_alias(struct buf *out, const struct wordlist_syntax *syntax, const char *key,
			   const char *other) {
	buf_printf(out, "%s['%s'] = %s['%s']\n", syntax->words, key, syntax->value, other);
}

/** Add the values that an option of a command may have, by all of its names. */
static void wordlist_add_choices(struct buf *out, const struct wordlist_syntax *syntax,
				 const char *command, const struct opt *row) {
	char key[COMMAND_NAME_MAX + 64], other[COMMAND_NAME_MAX + 64];
	if (row->choices == NULL) {
		return;
	}
	snprintf(key, sizeof(key), "%s --%s", command, row->name);
	wordlist_begin(out, syntax, key);
	for (size_t i = 0; row->choices[i] != NULL; i++) {
		wordlist_add(out, row->choices[i], "");
	}
	wordlist_end(out, syntax);
	if (row->letter != 0) {
		snprintf(other, sizeof(other), "%s -%c", command, row->letter);
		wordlist_alias(out, syntax, other, key);
	}
	for (struct str rest = opt_names(row->also), name; (name = str_next_word(&rest)).n > 0;) {
		snprintf(other, sizeof(other), "%s --%.*s", command, (int)name.n, name.p);
		wordlist_alias(out, syntax, other, key);
	}
}

static void wordlist_powershell_choices(struct buf *out, const char *words, const struct opt *row) {
	wordlist_add_choices(out, &wordlist_of_powershell, words, row);
}

static void wordlist_elvish_choices(struct buf *out, const char *words, const struct opt *row) {
	wordlist_add_choices(out, &wordlist_of_elvish, words, row);
}

static void wordlist_add_list(struct buf *out, const struct wordlist_syntax *syntax,
			      const char *key, void (*list)(struct buf *out, add_name *add)) {
	wordlist_begin(out, syntax, key);
	list(out, wordlist_add);
	wordlist_end(out, syntax);
}

static void wordlist_add_command(struct buf *out, const struct wordlist_syntax *syntax,
				 const struct command *command) {
	char own[COMMAND_NAME_MAX], name[COMMAND_NAME_MAX];
	command_name(command, '-', own);
	wordlist_begin(out, syntax, own);
	complete_each_option(out, command, own, wordlist_add_option);
	wordlist_end(out, syntax);
	complete_each_option(out, command, own,
			     syntax == &wordlist_of_elvish ? wordlist_elvish_choices
							   : wordlist_powershell_choices);
	for (size_t i = 0; complete_next_word(command, &i, name);) {
		buf_printf(out, "%s['%s'] = '%s'\n", syntax->links, name, own);
	}
	if (command->link != NULL) {
		buf_printf(out, "%s['link %s'] = '%s'\n", syntax->links, command->link, own);
	}
}

static void wordlist_add_all(struct buf *out, const struct wordlist_syntax *syntax) {
	struct command command;
	wordlist_add_list(out, syntax, "", complete_first_words);
	wordlist_add_list(out, syntax, "collapse", complete_second_words);
	wordlist_add_list(out, syntax, "help", complete_whole_names);
	wordlist_alias(out, syntax, "manpage", "help");
	wordlist_add_list(out, syntax, "completions", complete_shell_names);
	for (size_t i = 0; command_at(i, &command); i++) {
		wordlist_add_command(out, syntax, &command);
	}
}

/** The rest of the completion script for PowerShell, after the list of link names. */
static const char wordlist_powershell_end[] =
	"' -split ' ') -ScriptBlock {\n"
	"\tparam($current, $ast, $position)\n"
	"\t$before = @($ast.CommandElements | ForEach-Object { $_.Extent } |\n"
	"\t\tWhere-Object { $_.EndOffset -lt $position } | ForEach-Object { $_.Text })\n"
	"\t$command = ''\n"
	"\t$program = ($before[0] -split '[/\\\\]')[-1] -replace '\\.exe$', ''\n"
	"\tif ($program -ne 'inferno') {\n"
	"\t\t$link = $infernoLinks[\"link $program\"]\n"
	"\t\t$command = if ($link) { $link } else { $program -replace '^inferno-', '' }\n"
	"\t} elseif ($before.Count -gt 2 -and $before[1] -eq 'collapse') {\n"
	"\t\t$command = 'collapse-' + $before[2]\n"
	"\t} elseif ($before.Count -gt 1) {\n"
	"\t\t$command = $before[1]\n"
	"\t}\n"
	"\tif ($infernoLinks[$command]) { $command = $infernoLinks[$command] }\n"
	"\t$previous = $before[-1]\n"
	"\t$start = ''\n"
	"\tif ($current -match '^(--[^=]+)=(.*)$') {\n"
	"\t\t$previous = $Matches[1]\n"
	"\t\t$start = $Matches[1] + '='\n"
	"\t}\n"
	"\t$words = $infernoWords[\"$command $previous\"]\n"
	"\tif (-not $words -and ($current.StartsWith('-') -or\n"
	"\t\t$command -in '', 'collapse', 'help', 'manpage', 'completions')) {\n"
	"\t\t$words = $infernoWords[$command]\n"
	"\t}\n"
	"\tfor ($i = 0; $i -lt $words.Count; $i += 2) {\n"
	"\t\t$word = $start + $words[$i]\n"
	"\t\t$brief = if ($words[$i + 1]) { $words[$i + 1] } else { $word }\n"
	"\t\tif ($word.StartsWith($current)) {\n"
	"\t\t\t[System.Management.Automation.CompletionResult]::new($word, $word, "
	"'ParameterValue', $brief)\n"
	"\t\t}\n"
	"\t}\n"
	"}\n";

/** The functions of the script for elvish, and the start of its last loop. This loop runs over the
 * names of links. */
static const char wordlist_elvish_functions[] =
	"fn inferno-command {|before|\n"
	"\tvar command = ''\n"
	"\tvar program = (path:base $before[0])\n"
	"\tif (not-eq $program inferno) {\n"
	"\t\tset command = (str:trim-prefix $program inferno-)\n"
	"\t\tif (has-key $inferno-links 'link '$program) {\n"
	"\t\t\tset command = $inferno-links['link '$program]\n"
	"\t\t}\n"
	"\t} elif (and (> (count $before) 2) (eq $before[1] collapse)) {\n"
	"\t\tset command = collapse-$before[2]\n"
	"\t} elif (> (count $before) 1) {\n"
	"\t\tset command = $before[1]\n"
	"\t}\n"
	"\tif (has-key $inferno-links $command) {\n"
	"\t\tset command = $inferno-links[$command]\n"
	"\t}\n"
	"\tput $command\n"
	"}\n"
	"# Put the words that may follow, each with its meaning, and what comes before each.\n"
	"fn inferno-candidates {|@line|\n"
	"\tvar before = $line[..-1]\n"
	"\tvar current = $line[-1]\n"
	"\tvar command = (inferno-command $before)\n"
	"\tvar previous = $before[-1]\n"
	"\tvar start = ''\n"
	"\tif (re:match '^--[^=]+=' $current) {\n"
	"\t\tset previous = (re:replace '=.*' '' $current)\n"
	"\t\tset start = $previous'='\n"
	"\t}\n"
	"\tvar key = $command' '$previous\n"
	"\tif (has-key $inferno-words $key) {\n"
	"\t\tput $inferno-words[$key] $start\n"
	"\t} elif (and (has-key $inferno-words $command) (or (str:has-prefix $current -) "
	"(has-value ['' collapse help manpage completions] $command))) {\n"
	"\t\tput $inferno-words[$command] ''\n"
	"\t} else {\n"
	"\t\tput [] ''\n"
	"\t}\n"
	"}\n"
	"fn inferno-complete {|@line|\n"
	"\tvar words start = (inferno-candidates $@line)\n"
	"\tif (== (count $words) 0) {\n"
	"\t\tedit:complete-filename $@line\n"
	"\t}\n"
	"\tfor i [(range 0 (count $words) &step=2)] {\n"
	"\t\tvar word = $start$words[$i]\n"
	"\t\tedit:complex-candidate $word &display=$word'  '$words[(+ $i 1)]\n"
	"\t}\n"
	"}\n"
	"for name [inferno";

void complete_powershell(struct buf *out) {
	buf_add_text(out, "# PowerShell completion for inferno\n"
			  "$infernoWords = @{}\n"
			  "$infernoLinks = @{}\n");
	wordlist_add_all(out, &wordlist_of_powershell);
	buf_add_text(out, "Register-ArgumentCompleter -Native -CommandName ('inferno");
	complete_link_names(out);
	buf_add_text(out, wordlist_powershell_end);
}

void complete_elvish(struct buf *out) {
	buf_add_text(out, "# elvish completion for inferno\n"
			  "use path\n"
			  "use re\n"
			  "use str\n"
			  "var inferno-words = [&]\n"
			  "var inferno-links = [&]\n");
	wordlist_add_all(out, &wordlist_of_elvish);
	buf_add_text(out, wordlist_elvish_functions);
	complete_link_names(out);
	buf_add_text(out, "] {\n"
			  "\tset edit:completion:arg-completer[$name] = $inferno-complete~\n"
			  "}\n");
}
