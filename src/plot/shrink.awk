# shrink.awk: makes a script smaller that readers of the source have no use for: leaves out comments and blanks, and
# gives short names to what is declared in it. Statements must end in semicolons; objects must not be taken apart by
# const { ... }, nor written without colons; no sign may stand before another of its kind, as in a + +b. Arguments behind
# the last "})(" keep their names.
BEGIN {
	reserved = " abstract as async await break case catch class const continue default delete do else export extends false for"
	reserved = reserved " function if import in instanceof let new null of return static super switch this throw true try typeof"
	reserved = reserved " undefined var void while with yield "
}

{ text = text $0 "\n" }

# Whether a slash after this token begins a pattern, and is no division.
function opens(before) {
	return before == "" || before == "return" || index("(,=:[!&|?{};", substr(before, length(before)))
}

# The length of a string or pattern at the start of `s`, which `quote` ends.
function quoted(s, quote, i, c, class) {
	for (i = 2; i <= length(s); i++) {
		c = substr(s, i, 1)
		if (c == "\\") {
			i++
		} else if (quote == "/" && c == "[") {
			class = 1
		} else if (c == "]") {
			class = 0
		} else if (c == quote && !class) {
			return i
		}
	}
	print "shrink.awk: no end of " substr(s, 1, 40) >"/dev/stderr"
	exit 1
}

function cut(s, c, n) {
	n = 0
	while (s != "") {
		if (match(s, /^[ \t\n]+/) || match(s, /^\/\/[^\n]*/)) {
			s = substr(s, RLENGTH + 1)
			continue
		}
		c = substr(s, 1, 1)
		if (substr(s, 1, 2) == "/*") {
			s = substr(s, index(s, "*/") + 2)
			continue
		}
		if (match(s, /^[A-Za-z0-9_$]+/)) {
			size = RLENGTH
		} else if (c == "'" || c == "\"" || c == "`") {
			size = quoted(s, c)
		} else if (c == "/" && opens(token[n])) {
			size = quoted(s, "/")
			match(substr(s, size + 1), /^[a-z]*/)
			size += RLENGTH
		} else {
			size = substr(s, 1, 3) == "..." ? 3 : substr(s, 1, 2) == "=>" ? 2 : 1
		}
		token[++n] = substr(s, 1, size)
		s = substr(s, size + 1)
	}
	return n
}

function is_word(t) {
	return t ~ /^[A-Za-z_$]/ && !index(reserved, " " t " ")
}

# Declares all names between two brackets, the first at `i`. Returns where the second is.
function declare_all(i, depth) {
	do {
		depth += token[i] ~ /^[([]$/
		depth -= token[i] ~ /^[])]$/
		if (is_word(token[i])) {
			declared[token[i]] = 1
		}
		i++
	} while (depth > 0)
	return i - 1
}

# Declares what follows const or let at `i`.
function declare_list(i, depth) {
	while (1) {
		i++
		if (token[i] == "[") {
			i = declare_all(i)
		} else {
			declared[token[i]] = 1
		}
		for (depth = 0; depth > 0 || token[i] !~ /^[,;]$/; i++) {
			depth += token[i] ~ /^[[({]$/
			depth -= token[i] ~ /^[])}]$/
			if (depth < 0 || depth == 0 && token[i] == "of") {
				return
			}
		}
		if (token[i] == ";") {
			return
		}
	}
}

function declare(n, i, from) {
	for (i = 1; i <= n; i++) {
		if (token[i] == "const" || token[i] == "let") {
			declare_list(i)
		} else if (token[i] == "function") {
			if (token[i + 1] != "(") {
				declared[token[i + 1]] = 1
			}
			declare_all(token[i + 1] == "(" ? i + 1 : i + 2)
		} else if (token[i] == "catch") {
			declare_all(i + 1)
		} else if (token[i + 1] == "=>" && token[i] != ")") {
			declared[token[i]] = 1
		} else if (token[i + 1] == "=>") {
			from = i
			for (depth = 1; depth > 0; from--) {
				depth += token[from - 1] == ")"
				depth -= token[from - 1] == "("
			}
			declare_all(from)
		}
	}
}

function is_variable(i) {
	return (token[i] in declared) && token[i - 1] != "." && !(token[i + 1] == ":" && token[i - 1] ~ /^[{,]$/)
}

# The next short name that nothing has.
function next_name(digits, n, name) {
	digits = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	do {
		name = ""
		for (n = ++names; n > 0; n = int((n - 1) / 52)) {
			name = substr(digits, (n - 1) % 52 + 1, 1) name
		}
	} while (name in taken || index(reserved, " " name " "))
	return name
}

END {
	n = cut(text)
	declare(n)
	for (last = n; last > 2 && !(token[last] == "(" && token[last - 1] == ")" && token[last - 2] == "}"); last--) {
	}
	for (i = 1; i <= n; i++) {
		if (i < last && is_variable(i)) {
			if (uses[token[i]]++ == 0) {
				order[++kinds] = token[i]
			}
		} else {
			taken[token[i]] = 1
		}
	}
	# Those used most get the shortest.
	for (most = n; most > 0 && given < kinds; most = most > 20 ? int(most / 2) : most - 1) {
		for (k = 1; k <= kinds; k++) {
			if (uses[order[k]] >= most && !(order[k] in short)) {
				short[order[k]] = next_name()
				given++
			}
		}
	}
	for (i = 1; i <= n; i++) {
		out = i < last && is_variable(i) ? short[token[i]] : token[i] == "const" ? "let" : token[i]
		joins = end ~ /[A-Za-z0-9_$]/ && out ~ /^[A-Za-z0-9_$]/
		# The picture must not take this for the end of the script, or for the start of a comment.
		joins = joins || end == "]" && out ~ /^>/ || end == "<" && out ~ /^[!\/]/
		printf "%s%s", joins ? " " : "", out
		width += length(out)
		end = substr(out, length(out))
		if (width > 110 && end == ";") {
			printf "\n"
			width = 0
			end = ""
		}
	}
	printf "\n"
}
