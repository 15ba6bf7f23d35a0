#!/bin/sh
# embed.sh NAME FILE: prints a C header that holds the file as a string, `static const char NAME[]`.
# One byte a piece, because ISO C limits the length of a string literal; sizeof NAME - 1 is the string's size.
set -eu
export LC_ALL=C
printf 'static const char %s[] = {\n' "$1"
od -A n -v -t o1 "$2" | sed "s/ *\([0-7][0-7]*\)/'\\\\\1',/g"
printf '0};\n'
