#!/bin/sh
# embed.sh NAME FILE: prints a C header that holds the file as a string, `static const char NAME[]`.
# Left out is what only readers of the source need: indentation, empty lines, and comments that fill whole lines. So
# no text in the file may go over several lines.
# One byte a piece, because ISO C limits the length of a string literal; sizeof NAME - 1 is the file's size.
set -eu
printf 'static const char %s[] = {\n' "$1"
sed -e 's/^[[:blank:]]*//' -e '/^$/d' -e '/^\/\//d' \
	-e '/^\/\*/{' -e ':more' -e '/\*\//!{' -e 'N' -e 'b more' -e '}' -e '/\*\/$/d' -e '}' "$2" |
	od -A n -v -t o1 | sed "s/ *\([0-7][0-7]*\)/'\\\\\1',/g"
printf '0};\n'
