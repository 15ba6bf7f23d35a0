#!/usr/bin/env python3
"""library-page.py HEADER PAGE: prints the manual page libinferno(3). Its text comes from the header, and its date from PAGE, the
manual page of the program."""
import re
import sys

header, program = (open(path, encoding="utf-8").read() for path in sys.argv[1:3])


def escaped(line):
    line = line.replace("\\", "\\e")
    return r"\&" + line if line[:1] in (".", "'") else line


def literal(code):
    """Returns lines of code unchanged, with short indents."""
    code = re.sub(r"^\t{2,} *", "\t", code, flags=re.M).expandtabs(4).rstrip()
    return [".Pp", ".Bd -literal -compact", *map(escaped, code.split("\n")), ".Ed"]


def prose(text):
    """Returns a paragraph with each sentence on a separate line, as mdoc requires it."""
    return [escaped(line) for line in re.sub(r"(?<=[.:;?!]) (?=[A-Z])", "\n", " ".join(text.split())).split("\n")]


def comment(text):
    """Yields the paragraphs of a comment. Indented paragraphs are code. A paragraph that begins with one or two words and a colon
    gets a heading."""
    text = re.sub(r"^ \* ?", "", text.strip().removeprefix("/**").removesuffix("*/"), flags=re.M)
    for part in text.strip("\n").split("\n\n"):
        heading = re.match(r"([A-Z]\w+(?: \w+)?): ", part)
        if part.startswith("    "):
            yield from literal(re.sub(r"^ {4}", "", part, flags=re.M))
        elif heading:
            rest = part[heading.end():]
            yield from (".Ss " + heading[1], *prose(rest[0].upper() + rest[1:]))
        else:
            yield from (".Pp", *prose(part))


def declarations(text):
    """Yields every declaration, followed by its comment, and the headings between declarations."""
    pattern = r"(/\*\*.*?\*/)?\n*^((?:INFERNO_API|enum|struct) [^{;]*(?:\{\n.*?\n\})?;)$|/\* -+ ([A-Z][^\n*]*?)(?:\n \*)? -+ \*/"
    for about, code, title in re.findall(pattern, text, re.M | re.S):
        if title:
            yield ".Ss " + title
        else:
            yield from literal(re.sub(r"^INFERNO_API\s", "", code))
            yield from comment(about) if about else ()


first, rest = header.split("*/", 1)
_, brief, *about = comment(first)
page = [re.search(r"^\.Dd .*$", program, re.M)[0], ".Dt LIBINFERNO 3", ".Os",
        ".Sh NAME", ".Nm libinferno", ".Nd " + brief.removeprefix("libinferno: ").rstrip("."),
        ".Sh SYNOPSIS", ".In inferno.h", ".Pp", "cc program.c $(pkg-config --cflags --libs libinferno)",
        ".Sh DESCRIPTION", *about, ".Sh FUNCTIONS AND TYPES", *declarations(rest), ".Sh SEE ALSO", ".Xr inferno 1 ,", ".Xr inferno-folded 5"]
for before, line in zip(["", *page], page):
    if line != ".Pp" or not before.startswith((".Sh", ".Ss")):
        print(line)
