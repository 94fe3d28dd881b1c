"""What a lecture's page shows of Markdown has the structure that pandoc gives it: headings, lists, tables, emphasis, code, links.

    python3 markdown.py PROGRAM

Exit code 77 (skipped) where pandoc is not installed.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile
from html.parser import HTMLParser
from pathlib import Path

if shutil.which("pandoc") is None:
    sys.exit(77)

PROGRAM = os.path.abspath(sys.argv[1])
HEAD = "---\ntitle: T\nlang: {}\n---\n\n"
DOCUMENTS = [
    "One paragraph.",
    "One\ntwo lines\n\nand another.",
    "*a* **b** *c **d** e* _f_ __g__ snake_case_name",
    "`code` ``a ` b`` and `**no**`",
    "## Lower\n\n### Lowest\n\ntext",
    "text\n## Heading without a blank line\ntext",
    "## Heading {#name .unnumbered}\n\n[link](#name)",
    "Set {a, b}\n\n## The set {a, b}",
    "- a\n- b\n- c",
    "- a\n\n- b\n\n- c",
    "* a\n    * b\n        * c\n* d",
    "1. a\n2. b\n3. c",
    "3. a\n4. b",
    "1. a\n\n    more\n\n2. b",
    "- a\n\n    ```\n    code\n    ```\n- b",
    "- [x] done\n- [ ] open",
    "text\n- list without a blank line\n- b",
    "> quoted\n> twice\n\ntext",
    "> text\n>\n> - a\n> - b",
    "> > deep",
    "```\na *b*\n  c\n```",
    "```python\nimport os\n```",
    "~~~\na `` b\n~~~",
    "    indented *code*\n\ntext",
    "a\n\n+ b\n\n    > c\n\n+ d",
    "[a](http://a.example \"title\") <http://b.example> [c][d]\n\n[d]: http://d.example",
    "a  \nb\\\nc",
    "\\*a\\* \\_b\\_ 5\\$ \\# x",
    "&amp; &lt; &copy; a & b < c",
    "<b>text</b> and\n\n<div>\ntext\n</div>",
    "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |",
    "| l | c | r |\n|:--|:-:|--:|\n| *1* | `2` | [3](http://a.example) |",
    "| a | b |\n|---|---|\n| 1 |\n| 3 | 4 |",
    "~~struck~~ H~2~O x^2^",
    "a[^1] b[^two]\n\n[^1]: first\n\n[^two]: second\n\n    more",
    "a <!-- hidden\nstill --> b\n\n<!-- all -->\n\nc",
    "$d_k$ and **$a * b$** cost $5, not $6",
    "これは**「強調」**です。**注意（重要）**の*（斜体）*と**`code`**。\n次の行。\n\n- 項目**。**\n- 次",
    "**日本語**と**English**、\nEnglish\nと日本語",
    "![alone](a.png)\n\nin ![a text](a.png){width=50%} here",
]
KEPT = {"h2", "h3", "h4", "h5", "p", "ul", "ol", "li", "blockquote", "pre", "code", "em", "strong", "del", "a", "table", "thead",
        "tbody", "tr", "th", "td", "br", "hr", "sup", "sub", "img", "math", "input"}


class Structure(HTMLParser):
    """Elements and words, one after the other; what is inside of a formula is left out."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.seen = []
        self.formulas = 0

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        if tag == "math":
            self.formulas += 1
        if self.formulas > (tag == "math") or tag not in KEPT:
            return
        align = re.search(r"text-align: ?(\w+)", values.get("style") or "")
        kept = [values.get("href") if not (values.get("href") or "#").startswith("#") else None, values.get("start"),
                align and align.group(1), "checked" if "checked" in values else None]
        self.seen.append("<" + " ".join([tag] + [word for word in kept if word]))

    def handle_endtag(self, tag):
        if tag == "math":
            self.formulas -= 1
        elif self.formulas == 0 and tag in KEPT - {"br", "hr", "img", "input"}:
            self.seen.append("</" + tag)

    def handle_data(self, data):
        if self.formulas == 0:
            self.seen.append(data)


def structure(html):
    parser = Structure()
    parser.feed(html)
    words = []
    for piece in parser.seen:
        if words and not is_tag(piece) and not is_tag(words[-1]):
            words[-1] += piece
        else:
            words.append(piece)
    texts = [word.strip() if is_tag(word) else re.sub(r"\s+", " ", word).strip() for word in words]
    return [text for text in texts if text]


def is_tag(word):
    return word.startswith("<")


def ours(folder):
    page = (folder / "out/index.html").read_text()
    main = page[page.index("<main>"):page.index("</main>")]
    main = re.sub(r'<ol class="notes">.*?</ol>\n', "", main, flags=re.S)
    main = re.sub(r'<section aria-labelledby="section[^>]*>\n<h2[^>]*>(Notes|注)</h2>', "", main)
    main = re.sub(r"<figcaption>.*?</figcaption>", "", main)
    main = re.sub(r"<li class=\"task\"><input", "<li><input", main)
    return main


def pandocs(folder):
    """The chapter of the e-book: its HTML is pandoc's own, where slides leave prose to the notes."""
    with zipfile.ZipFile(folder / "out/lecture.en.epub") as book:
        chapter = book.read("EPUB/text/ch001.xhtml").decode()
    chapter = chapter[chapter.index("</h1>") + 5:]
    chapter = re.sub(r"<(section|aside)[^>]*footnotes.*?</\1>", "", chapter, flags=re.S)
    chapter = re.sub(r"<figcaption.*?</figcaption>", "", chapter, flags=re.S)
    chapter = re.sub(r"<h2([ >])", r"<h3\1", re.sub(r"<h3([ >])", r"<h4\1", chapter))
    chapter = re.sub(r'<a href="#cb[^>]*></a>', "", chapter.replace("ch001.xhtml#", "#"))
    chapter = re.sub(r'<a href="#fn[^>]*>(\d+)</a>', r'<sup><a href="#">\1</a></sup>', chapter)
    return chapter.replace("</h3>", "</h4>").replace("</h2>", "</h3>")


class Markdown(unittest.TestCase):
    def test_documents(self):
        self.assertEqual(len(DOCUMENTS), 40)
        for document in DOCUMENTS:
            with self.subTest(document=document), tempfile.TemporaryDirectory() as name:
                folder = Path(name)
                shutil.copy(Path(__file__).parents[2] / "docs/pictures/vectors-arrows.en.png", folder / "a.png")
                (folder / "m.md").write_text(HEAD.format("en") + "# S\n\n" + document + "\n")
                subprocess.run([PROGRAM, "build", "m.md", "-o", "out", "--to", "html,epub", "--quiet"], cwd=folder, check=True)
                page = ours(folder)
                self.assertEqual(structure(page[page.index("</h2>") + 5:]), structure(pandocs(folder)))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
