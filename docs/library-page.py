#!/usr/bin/env python3
"""library-page.py HEADER PAGE: prints the manual page libinferno(3). All its text is that of the header. PAGE is the manual page of
the program, which has the date."""
import re
import sys

header, program = (open(path, encoding="utf-8").read() for path in sys.argv[1:3])


def escaped(line):
    line = line.replace("\\", "\\e")
    return r"\&" + line if line[:1] in (".", "'") else line


def literal(code):
    """Code, as it is, with short indents."""
    code = re.sub(r"^\t{2,} *", "\t", code, flags=re.M).expandtabs(4).rstrip()
    return [".Pp", ".Bd -literal -compact", *map(escaped, code.split("\n")), ".Ed"]


def prose(text):
    """Returns a paragraph, with each sentence on a line of its own, as mdoc wants it."""
    return [escaped(line) for line in re.sub(r"(?<=[.:;?!]) (?=[A-Z])", "\n", " ".join(text.split())).split("\n")]


def comment(text):
    """Yields the paragraphs of a comment. Indented ones are code. One that begins with a word or two and a colon gets a heading."""
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
    """Every declaration, with its comment after it, and the headings between them."""
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
