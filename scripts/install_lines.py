#!/usr/bin/env python3
"""Prints shell blocks of docs/install.md as one script, which scripts/test_packages runs: install_lines.py HEADING...

HEADING is the text of a heading, such as "Debian package". Blocks below deeper headings are not included. Before each block, the script
prints its line number."""

import pathlib
import re
import sys

PAGE = pathlib.Path(__file__).resolve().parent.parent / "docs/install.md"


def main():
    sections, heading, fence = {}, None, None
    runs = "```sh elsewhere: scripts/test_packages"
    for number, line in enumerate(PAGE.read_text().splitlines(), 1):
        if line.startswith("```"):
            fence = None if fence else line
            if fence and fence.startswith(runs):
                sections.setdefault(heading, []).append(f"echo '-- docs/install.md:{number}' >&2")
        elif fence and fence.startswith(runs):
            sections[heading].append(line)
        elif found := re.match(r"#+ (.*)", line) if not fence else None:
            heading = found[1]
    for wanted in sys.argv[1:]:
        if wanted not in sections:
            sys.exit(f"install_lines.py: {PAGE.name} has no shell block for scripts/test_packages below '{wanted}'")
        print("\n".join(sections[wanted]))


main()
