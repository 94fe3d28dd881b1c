"""extras/attnlab.lua as pandoc runs it.

    python3 filter.py PROGRAM FILTER

Exit code 77 (skipped) where pandoc is not installed.
"""

import base64
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

PROGRAM, FILTER = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
PANDOC = shutil.which("pandoc")
if PANDOC is None:
    sys.exit(77)


VERSION = int(re.search(r"pandoc\S* (\d+)", subprocess.run([PANDOC, "--version"], capture_output=True, text=True).stdout).group(1))


def printed(*words):
    return subprocess.run([PROGRAM, *words, "-o", "-"], capture_output=True, check=True).stdout


class Filter(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def convert(self, text, *flags, program=PROGRAM):
        """Standard output and what was warned of."""
        done = subprocess.run([PANDOC, "--lua-filter", FILTER, *flags], input=text.encode(), capture_output=True,
                              cwd=self.folder.name, env={**os.environ, "ATTNLAB": program, "LC_ALL": "C.UTF-8"})
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.decode(), done.stderr.decode()

    def check_picture(self, html, *words):
        """The page holds one picture, which these words draw."""
        pictures = re.findall(r'src="data:image/svg\+xml;base64,([^"]*)"', html)
        self.assertEqual(len(pictures), 1)
        self.assertTrue(base64.b64decode(pictures[0]) == printed(*words), "another picture")

    def test_a_block_becomes_its_figure_with_caption_width_and_name(self):
        html, said = self.convert('``` {.attnlab caption="Ten *vectors*" width=60% #fig-ten}\n'
                                  "vectors --query-angle 100\n```\n", "-t", "html")
        self.check_picture(html, "vectors", "--query-angle", "100")
        self.assertIn("Ten <em>vectors</em></figcaption>", html)
        self.assertIn('id="fig-ten"', html)
        self.assertIn("width:60", html)
        self.assertEqual(said, "")

    def test_quartos_form(self):
        for begin in ["``` {.attnlab}", "```{attnlab}"] if VERSION < 3 else ["``` {.attnlab}"]:
            html, _ = self.convert(begin + '\n#| fig-cap: "A leak"\n#| lang: ja\nmasks \\\n  --figure alignment\n```\n', "-t", "html")
            self.check_picture(html, "masks", "--figure", "alignment", "--lang", "ja")
            self.assertIn("A leak</figcaption>", html)
        html, _ = self.convert("```{attnlab}\nmasks\n--figure alignment\n```\n", "-t", "html")
        self.check_picture(html, "masks", "--figure", "alignment")

    def test_the_language_is_the_documents(self):
        html, _ = self.convert("---\nlang: ja-JP\n---\n\n``` {.attnlab}\nattnlab softmax\n```\n", "-t", "html")
        self.check_picture(html, "softmax", "--lang", "ja")

    def test_the_output_decides_the_format(self):
        block = "``` {.attnlab}\nsoftmax\n```\n"
        for output, ending, begin in [("latex", "pdf", b"%PDF"), ("beamer", "pdf", b"%PDF"), ("gfm", "svg", b"<?xml")]:
            media = Path(self.folder.name) / output
            self.convert(block, "-t", output, "--extract-media", output)
            files = list(media.iterdir())
            self.assertEqual([file.suffix for file in files], ["." + ending])
            self.assertTrue(files[0].read_bytes().startswith(begin))
        for office, place in {"docx": "word/media/", "pptx": "ppt/media/"}.items():
            self.convert(block, "-t", office, "-o", "out." + office)
            names = zipfile.ZipFile(Path(self.folder.name) / ("out." + office)).namelist()
            self.assertEqual([name[-4:] for name in names if name.startswith(place)], [".png"])
        html, _ = self.convert("``` {.attnlab format=png}\nsoftmax\n```\n", "-t", "html")
        self.assertIn("data:image/png;base64,", html)

    def test_words_are_arguments_never_a_shells(self):
        html, _ = self.convert("``` {.attnlab}\nself-attention --tokens 4 --labels 'a b,\"c\",$(touch here),`id`'\n```\n", "-t", "html")
        self.check_picture(html, "self-attention", "--tokens", "4", "--labels", 'a b,"c",$(touch here),`id`')
        self.assertEqual(os.listdir(self.folder.name), [])

    def test_alternative_text(self):
        html, _ = self.convert("``` {.attnlab}\nsoftmax\n```\n", "-t", "html")
        described = re.search(r"<desc[^>]*>(.*?)</desc>", printed("softmax").decode()).group(1)
        self.assertIn(described[:20], re.sub(r"\s+", " ", html))
        html, _ = self.convert('``` {.attnlab alt="Bars & more"}\nsoftmax\n```\n', "-t", "html")
        self.assertIn('alt="Bars &amp; more"', html)

    def test_what_fails_is_warned_of_with_its_command_and_stays(self):
        for command, reason in {"vectors --figure nope": "exit code 1", "vectors 'x": "quotation mark",
                                "": "exit code 1", "build book": "exit code 1", "vectors -oa.svg": "no place",
                                "vectors --output=a.svg": "no place", "vectors --data a.npz": "no place",
                                "self-attention --steps a": "no place", "vectors --steps 5": "no place",
                                "vectors --steps=5": "no place", "train sense --film a.gif": "no place",
                                "vectors --check /etc/passwd": "no place", "attend --x /etc/passwd": "absolute path", "attend --x ../x.npy": "outside",
                                "softmax --input scores=../x.npy": "outside", "model --model ../x.gguf --text a": "outside"}.items():
            for output in ("html", "ipynb"):
                text, said = self.convert(f"``` {{.attnlab}}\n{command}\n```\n", "-t", output)
                self.assertIn(f"no figure of `{command}`: ", said)
                self.assertIn(reason, said)
                self.assertNotIn("%%attnlab", text)
                self.assertEqual(os.listdir(self.folder.name), [])
                if output == "html":
                    self.assertIn("<pre", text)
        _, said = self.convert("``` {.attnlab format=gif}\nsoftmax\n```\n")
        self.assertIn("there is no format gif", said)
        _, said = self.convert("``` {.attnlab}\nsoftmax\n```\n", program="/nowhere/attnlab")
        self.assertIn("no figure of `softmax`: ", said)

    def test_what_moves_stands_still(self):
        for command in ("vectors --figure bars --slide count=3,5", "sweep vectors --over=count=3:9 --figure bars"):
            html, _ = self.convert(f"``` {{.attnlab}}\n{command}\n```\n", "-t", "html")
            self.check_picture(html, "vectors", "--figure", "bars")

    def test_other_blocks_of_a_lecture_become_text(self):
        blocks = {"``` {.attnlab}\nclaims A-order\n```": "keeps the order", "``` {.attnlab stage=weights}\nvectors\n```": "softmax",
                  "``` {.attnlab .report .say}\nvectors\n```": "0.212", "``` {.attnlab}\nvectors --code numpy\n```": "numpy",
                  "``` {.attnlab}\nvectors --explain\n```": "Row 0 is written out"}
        for block, words in blocks.items():
            text, said = self.convert(f"---\nlang: en\n---\n\n{block}\n", "-t", "html", "--mathml", "--wrap=none")
            self.assertIn(words, text)
            self.assertEqual(said, "")
        _, said = self.convert("``` {.attnlab}\nclaims A-ordr\n```\n", "-t", "gfm")
        self.assertIn("no figure of `claims A-ordr`: exit code 1", said)

    def test_a_notebook_has_cells_that_draw(self):
        text, _ = self.convert("---\ntitle: T\nlang: ja\n---\n\ntext\n\n``` {.attnlab}\nattnlab self-attention --tokens 3 --labels 'a b,c,d' --slide seed=3,5\n```\n", "-t", "ipynb")
        cells = ["".join(cell["source"]) for cell in json.loads(text)["cells"]]
        self.assertEqual(cells, ["# T", "%load_ext attnlab", "text", "%%attnlab\nself-attention --tokens 3 --labels 'a b,c,d' --lang ja"])

    def test_slides_of_a_lecture_are_laid_out_and_other_slides_are_not(self):
        lecture = "# S\n\ntext\n\n::: question\nWhy?\n\n::: answer\nSo.\n:::\n:::\n"
        text, _ = self.convert(lecture, "-t", "beamer")
        frames = re.findall(r"\\begin\{frame\}\{?([^}\n]*)\}?", text)
        self.assertEqual(frames, ["Question", "Answer"])
        self.assertIn("\\note{text}", text)
        text, _ = self.convert("---\nlang: ja\nheader-includes: |\n  \\newcommand{\\mine}{x}\n---\n" + lecture, "-s", "-t", "beamer")
        for line in ("\\newcommand{\\mine}{x}", "\\usepackage{luatexja}"):
            self.assertIn(line, text)
        text, _ = self.convert(lecture.replace("Why?", r"$\frac{QK^\top}{2} \text{KV}$"), "-t", "beamer")
        self.assertIn(r"\frac{{\color[HTML]{0072B2}Q}{\color[HTML]{B05107}K}^\top}{2} \text{KV}", text)
        bare = "# S\n\ntext\n\n- a\n- b\n"
        text, _ = self.convert(bare, "-t", "beamer")
        self.assertEqual(text, subprocess.run([PANDOC, "-t", "beamer"], input=bare, capture_output=True, text=True).stdout)

    def test_other_blocks_are_left_alone(self):
        text = "``` python\nattnlab\n```\n"
        tree, said = self.convert(text, "-t", "json")
        bare = subprocess.run([PANDOC, "-t", "json"], input=text.encode(), capture_output=True, check=True).stdout
        self.assertEqual(json.loads(tree), json.loads(bare))
        self.assertEqual(said, "")


unittest.main(argv=sys.argv[:1])
