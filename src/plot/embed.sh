#!/bin/sh
# embed.sh NAME FILE: prints a C header that holds the file as a string, `static const char NAME[]`. Scripts are made
# smaller.
# One byte a piece, because ISO C limits the length of a string literal; sizeof NAME - 1 is the file's size.
set -eu
export LC_ALL=C
case $2 in
*.js) text=$(awk -f "${0%/*}/shrink.awk" "$2") ;;
*) text=$(cat "$2") ;;
esac
printf 'static const char %s[] = {\n' "$1"
printf '%s\n' "$text" | od -A n -v -t o1 | sed "s/ *\([0-7][0-7]*\)/'\\\\\1',/g"
printf '0};\n'
