#!/usr/bin/env python3
"""installed.py FILE [FROM=TO...]: prints a document as it is installed. In links, FROM at the beginning is replaced by TO. Other
links to files of the sources become plain text. Pictures, their captions and the section "More" are left out."""
import re
import sys

text = open(sys.argv[1], encoding="utf-8").read()
kept = dict(pair.split("=", 1) for pair in sys.argv[2:])


def installed(link):
    """Returns a link with its new target, or its text."""
    words, target = link[1], link[2]
    if re.match(r"[a-z]+:|#", target):
        return link[0]
    return next((f"[{words}]({to}{target[len(start):]})" for start, to in kept.items() if target.startswith(start)), words)


text = re.sub(r"^## More\n.*?(?=^## |\Z)", "", text, flags=re.M | re.S)
text = re.sub(r"^\[?!\[.*\n\n(?:\*[^*]+\*\n\n)?", "", text, flags=re.M)
print(re.sub(r"\[([^][]+)\]\(([^)]+)\)", installed, text).rstrip("\n"))
