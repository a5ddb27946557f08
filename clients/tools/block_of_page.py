"""Prints the block of Python of a page of the developer site: HTML in, the program out."""

import sys
from html.parser import HTMLParser


class Blocks(HTMLParser):
    """Collects the text of code blocks in Python."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.is_within = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        classes = (dict(attrs).get("class") or "").split()
        if tag == "code" and "language-python" in classes:
            self.is_within = True
            self.found.append("")

    def handle_endtag(self, tag: str) -> None:
        if tag == "code":
            self.is_within = False

    def handle_data(self, data: str) -> None:
        if self.is_within:
            self.found[-1] += data


if __name__ == "__main__":
    blocks = Blocks()
    blocks.feed(sys.stdin.read())
    if len(blocks.found) != 1:
        sys.exit(f"{len(blocks.found)} blocks of Python: there must be one")
    sys.stdout.write(blocks.found[0].rstrip("\n") + "\n")
