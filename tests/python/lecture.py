"""What `attnlab build --to ...` has pandoc make of a lecture: slides, books and a notebook, whole, the same twice, and runnable.

    python3 lecture.py PROGRAM

Exit code 77 (skipped) where pandoc is not installed.
"""

import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unicodedata
import unittest
import zipfile
from pathlib import Path
from xml.etree import ElementTree

if shutil.which("pandoc") is None:
    sys.exit(77)

PROGRAM = os.path.abspath(sys.argv[1])
DOCUMENT = """---
title: Title <1> & "2"
lang: {language}
look: --preset slide-16x9 --dpi 72
---

# First & *one*

Text with $a_1$ and "$5, not $6".[^why] {long} Turn it with the slider. スライダーで動かす。 Spoken last.

[^why]: Said in brackets.

$$
\\frac{{a}}{{b}}
$$

- first
- second

``` {{.attnlab #own caption="Caption _of_ it & <b>"}}
self-attention --figure weights --labels "<猫>,a&b,',`c`" --theme dark
```

::: notes
Own notes.
:::

``` {{.attnlab #aside}}
softmax --figure bars
```

## Walk

::: {{.steps #walk}}
``` {{.attnlab}}
vectors --figure bars
```

``` {{.attnlab}}
vectors --figure arrows
```
:::

::: question
Why?

::: answer
Because of $b_2$.
:::
:::

# Second

``` {{.attnlab}}
masks --figure alignment
```

``` {{.attnlab .report .table .say}}
scaling
```

## Film

``` {{.attnlab .film}}
train reverse --steps 2
```

---

``` {{.attnlab}}
vectors --figure arrows --slide query-angle=0:90:3
```

::: {{.slide}}
## Own slide

Words on a slide.

``` {{.attnlab #again}}
vectors --figure bars --count 6
```

::: notes
Said there.
:::
:::

``` {{.attnlab}}
claims A-footnote-b
```

``` {{.attnlab}}
self-attention --explain
```

``` {{.attnlab}}
softmax --code numpy
```
"""
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
LANGUAGES = ("ja", "en")
OUTPUTS = "pptx,beamer,revealjs,docx,epub,notebook,markdown"
FIGURES = 8  # own, aside, two steps, leak, film, sliders, again
MOMENTS = 3  # of film and sliders each
ON_SLIDES = FIGURES - 3 + 2 * MOMENTS  # without what the page alone shows: aside, the film and sliders that move


def build(folder, name, outputs=OUTPUTS, **environment):
    words = [PROGRAM, "build", "m.ja.md", "m.en.md", "--to", outputs, "-o", name, "--quiet", "--lang", "en"]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, env={**os.environ, **environment})


def setUpModule():
    global workplace, lecture
    workplace = tempfile.TemporaryDirectory()
    sentences = {"ja": "長い文章である。" * 60, "en": "A sentence among many. " * 40}
    for language in LANGUAGES:
        Path(workplace.name, f"m.{language}.md").write_text(
            DOCUMENT.format(language=language, long=sentences[language]), encoding="utf-8")
    done = build(workplace.name, "one")
    assert done.returncode == 0, done.stderr
    lecture = Path(workplace.name, "one")


def tearDownModule():
    workplace.cleanup()


def titles_of(language):
    """Of the figures, as the resolved document has them."""
    text = (lecture / f"lecture.{language}.md").read_text(encoding="utf-8")
    return [title.replace('\\"', '"') for title in re.findall(r'\.attnlab-figure title="((?:[^"\\]|\\.)*)"', text)]


def squeezed(text):
    return re.sub(r"\s+", "", text)


class Presentation(unittest.TestCase):
    def slides(self, language="en"):
        """Of each slide in its order: title, all words, the XML, the notes."""
        with zipfile.ZipFile(lecture / f"slides.{language}.pptx") as package:
            self.assertIsNone(package.testzip())
            parts = {name: package.read(name) for name in package.namelist()}
        for name, content in parts.items():
            if name.endswith((".xml", ".rels")):
                ElementTree.fromstring(content)
            if name.endswith(".png"):
                self.assertTrue(content.startswith(b"\x89PNG"), name)

        def related(name):
            folder, file = name.rsplit("/", 1)
            xml = ElementTree.fromstring(parts[f"{folder}/_rels/{file}.rels"])
            return {one.get("Id"): os.path.normpath(f"{folder}/{one.get('Target')}") for one in xml}

        presentation = related("ppt/presentation.xml")
        slides = []
        for entry in ElementTree.fromstring(parts["ppt/presentation.xml"]).find(P + "sldIdLst"):
            name = presentation[entry.get(R + "id")]
            xml = ElementTree.fromstring(parts[name])
            title = next((shape for shape in xml.iter(P + "sp")
                          if any(place.get("type") in ("title", "ctrTitle") for place in shape.iter(P + "ph"))), None)
            words = lambda node: "".join(text.text or "" for text in node.iter(A + "t"))
            notes = [ElementTree.fromstring(parts[target]) for target in related(name).values() if "notesSlide" in target]
            slides.append(("" if title is None else words(title), words(xml), parts[name], "".join(map(words, notes))))
        return slides

    def test_a_figure_below_each_heading_is_a_slide_and_an_answer_stands_behind_its_question(self):
        for language in LANGUAGES:
            found = [title for title, _, _, _ in self.slides(language)]
            own, aside, bars, arrows, leak, film, sliders, again = titles_of(language)
            wanted = ['Title <1> & "2"', "First & one", own, bars, arrows, *{"ja": ("問", "答え"), "en": ("Question", "Answer")}[language],
                      leak if half_widths(leak) <= 60 else "Second", "Second", *found[9:9 + 2 * MOMENTS], "Own slide"]  # each moment has a title of its own
            self.assertEqual([squeezed(title) for title in found], [squeezed(title) for title in wanted])
            self.assertIn(squeezed(leak), squeezed("".join(found) + self.slides(language)[7][3]))  # spoken, if longer than a line
            question = found.index({"ja": "問", "en": "Question"}[language])
            self.assertIn("Why?", self.slides(language)[question][1])
            self.assertIn("Because of", self.slides(language)[question + 1][1])

    def test_formulas_are_powerpoints_own_and_those_of_letters_alone_are_letters(self):
        slides = self.slides()
        self.assertTrue(b"<m:f>" in slides[2][2])  # of the figure
        self.assertNotIn(b"<m:oMath", slides[6][2])
        self.assertIn("Because of b2.", slides[6][1])

    def test_prose_is_spoken_and_what_moves_is_not_mentioned(self):
        for language in LANGUAGES:
            slides = self.slides(language)
            shown, said = "".join(words for _, words, _, _ in slides), "".join(notes for _, _, _, notes in slides)
            for words in ("$5, not $6", "(Said in brackets.)", "Spoken last.", "Own notes.", "Said there.", "--explain", "--code numpy"):
                self.assertIn(words, said)
                self.assertNotIn(words, shown)
            for words in ("slider", "スライダー", "import numpy"):
                self.assertNotIn(words, shown + said)
            self.assertIn("Words on a slide.", shown)
            self.assertIn(squeezed(titles_of(language)[1]), squeezed(said))  # stands on the page
            told = subprocess.run([PROGRAM, "masks", "--no-figure", "--lang", language], capture_output=True, check=True, encoding="utf-8").stdout
            point = re.search(r"[\[【](?:Key point|要点)[\]】]\n((?:    .*\n)+)", told).group(1)
            self.assertIn(squeezed(point), squeezed(said))

    def test_pictures_are_vectors_with_pixels_to_fall_back_on(self):
        for language in LANGUAGES:
            self.assertEqual(check_slides(self, lecture / f"slides.{language}.pptx"), ON_SLIDES)
            slides = self.slides(language)
            self.assertEqual([b'type="slidenum"' in xml for _, _, xml, _ in slides], [False] + [True] * (len(slides) - 1))

    def test_the_slides_have_the_theme_of_the_figures(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "m.md").write_text("---\nlook: --theme dark\n---\n# A\n\n``` {.attnlab}\nsoftmax --figure bars\n```\n")
            subprocess.run([PROGRAM, "build", "m.md", "--to", "pptx,revealjs,beamer", "--lang", "en", "-o", "out", "--quiet"], cwd=folder, check=True)
            with zipfile.ZipFile(Path(folder, "out/slides.en.pptx")) as package:
                self.assertRegex(package.read("ppt/slideMasters/slideMaster1.xml").decode(), 'bg1="dk1"')
                drawn = next(package.read(name) for name in package.namelist() if name.endswith(".svg")).decode()
                paper = re.search(r'<a:dk1><a:srgbClr val="(\w+)"', package.read("ppt/theme/theme1.xml").decode()).group(1)
            self.assertIn(f"#{paper.lower()}", drawn)
            self.assertIn("theme/black.css", Path(folder, "out/slides.en.html").read_text())
            self.assertIn("{background canvas}", Path(folder, "out/slides.en.tex").read_text())


def half_widths(text):
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def check_slides(test, path):
    """No picture lies on text, or is narrower than 60 % of the slide but beside text; each is there as SVG and as PNG. How many they are."""
    with zipfile.ZipFile(path) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    read = lambda name: ElementTree.fromstring(parts[name])
    related = lambda name: {one.get("Id"): os.path.normpath(f"{os.path.dirname(name)}/{one.get('Target')}")
                            for one in read(f"{os.path.dirname(name)}/_rels/{os.path.basename(name)}.rels")}
    slide_width = int(read("ppt/presentation.xml").find(P + "sldSz").get("cx"))
    pictures = 0

    def box(shape):
        place = next((one for one in shape.iter(A + "xfrm")), None)
        if place is None or place.find(A + "ext") is None: return None
        (x, y), (w, h) = [[int(place.find(A + tag).get(key)) for key in keys] for tag, keys in (("off", "xy"), ("ext", ("cx", "cy")))]
        return x, y, x + w, y + h

    def inherited(place, sheets):
        for sheet in sheets:
            for shape in sheet.iter(P + "sp"):
                own = next(shape.iter(P + "ph"), None)
                same = own is not None and (place.get("type") is not None and own.get("type") == place.get("type") or own.get("idx") == place.get("idx") is not None)
                if same and box(shape): return box(shape)
        return None

    for name in filter(re.compile(r"ppt/slides/slide\d+.xml").fullmatch, parts):
        targets, slide = related(name), read(name)
        layout = next(target for target in targets.values() if "slideLayout" in target)
        master = next(target for target in related(layout).values() if "slideMaster" in target)
        texts = []
        for shape in slide.iter(P + "sp"):
            place = next(shape.iter(P + "ph"), None)
            found = box(shape) or place is not None and inherited(place, (read(layout), read(master)))
            if found: texts.append(found)
        for picture in slide.iter(P + "pic"):
            pictures += 1
            left, top, right, bottom = box(picture)
            for x0, y0, x1, y1 in texts:
                test.assertFalse(min(right, x1) - max(left, x0) > 9525 and min(bottom, y1) - max(top, y0) > 9525, name)
            is_beside = any(x1 <= left + 9525 and y1 > top for _, _, x1, y1 in texts)
            test.assertTrue(is_beside or right - left >= 0.6 * slide_width, (path, name, (right - left) / slide_width))
            blip = next(picture.iter(A + "blip"))
            vector = next(one for one in blip.iter() if one.tag.endswith("}svgBlip"))
            test.assertTrue(parts[targets[blip.get(R + "embed")]].startswith(b"\x89PNG"))
            test.assertTrue(ElementTree.fromstring(parts[targets[vector.get(R + "embed")]]).tag.endswith("}svg"))
        for title in [shape for shape in slide.iter(P + "sp") if any(place.get("type") == "title" for place in shape.iter(P + "ph"))]:
            words = "".join(text.text or "" for text in title.iter(A + "t"))
            test.assertLessEqual(len(words.split()), 14, words)
            size = int(next(read(master).iter(P + "titleStyle")).find(A + "lvl1pPr").find(A + "defRPr").get("sz")) / 100
            left, _, right, _ = inherited({"type": "title"}, (read(layout), read(master)))
            test.assertLessEqual(half_widths(words) * size / 2, (right - left) / 12700 - 2 * 7.2, words)  # one line, between insets
    test.assertIn(b'Extension="svg"', parts["[Content_Types].xml"])
    return pictures


class Lectures(unittest.TestCase):
    def test_those_that_come_along_are_decks_of_15_to_25_slides(self):
        names = [line.split()[0] for line in subprocess.run([PROGRAM, "build", "--list"], capture_output=True, text=True, check=True).stdout.splitlines()]
        self.assertIn("book", names)
        for name in names:
            with tempfile.TemporaryDirectory() as folder:
                subprocess.run([PROGRAM, "build", name, "--to", "pptx", "-o", "out", "--quiet"], cwd=folder, check=True)
                for language in LANGUAGES:
                    path = Path(folder, f"out/slides.{language}.pptx")
                    self.assertGreater(check_slides(self, path), 5)
                    with zipfile.ZipFile(path) as package:
                        count = sum(re.fullmatch(r"ppt/slides/slide\d+.xml", one) is not None for one in package.namelist())
                    self.assertTrue(15 <= count <= 25, f"{name} {language} {count}")


class Documents(unittest.TestCase):
    def test_beamer_and_reveal_name_pictures_that_are_there(self):
        for language in LANGUAGES:
            frames = (lecture / f"slides.{language}.tex").read_text(encoding="utf-8")
            pictures = re.findall(r"\\includegraphics(?:\[[^]]*\])?\{(pictures[^}]*)\}", frames)
            self.assertEqual(len(pictures), ON_SLIDES)
            page = (lecture / f"slides.{language}.html").read_text(encoding="utf-8")
            shown = [source for source in re.findall(r'(?:data-)?src="([^"]*)"', page) if not source.startswith("reveal.js/")]
            self.assertEqual(len(shown), ON_SLIDES)
            for file in pictures + shown:
                self.assertTrue((lecture / file).is_file(), file)
            self.assertNotRegex(page, r'(?:src|href)="(?:https?:)?//')
            self.assertIn("luatexja" if language == "ja" else "\\frac{a}{b}", frames)
            self.assertEqual("luatexja" in frames, language == "ja")

    def test_books_hold_everything_but_the_speakers_notes(self):
        for file, part in {"lecture.en.docx": "word/document.xml", "lecture.en.epub": "EPUB/text/"}.items():
            with zipfile.ZipFile(lecture / file) as package:
                text = "".join(package.read(name).decode() for name in package.namelist() if name.startswith(part))
            text = squeezed(re.sub("<[^>]*>", "", text))
            for words in ("Question", "Why?", "Answer", "Becauseof", "importnumpy", "footnote2"):
                self.assertTrue(words in text, words)
            self.assertFalse("Ownnotes." in text)
        with zipfile.ZipFile(lecture / "lecture.en.epub") as package:
            self.assertEqual(package.namelist()[0], "mimetype")


class Notebook(unittest.TestCase):
    def read(self, language="en"):
        return json.loads((lecture / f"notebook.{language}.ipynb").read_text(encoding="utf-8"))

    def codes(self, language="en"):
        return ["".join(cell["source"]) for cell in self.read(language)["cells"] if cell["cell_type"] == "code"]

    def test_it_is_nbformat_4_5(self):
        """The rules of nbformat.v4.5.schema.json for what stands in it."""
        for language in LANGUAGES:
            notebook = self.read(language)
            self.assertEqual((notebook["nbformat"], notebook["nbformat_minor"]), (4, 5))
            self.assertEqual(set(notebook["metadata"]["kernelspec"]), {"name", "display_name", "language"})
            self.assertEqual([cell["id"] for cell in notebook["cells"]], [f"cell-{i}" for i in range(len(notebook["cells"]))])
            for cell in notebook["cells"]:
                self.assertTrue(all(isinstance(line, str) for line in cell["source"]))
                own = {"markdown": set(), "code": {"outputs", "execution_count"}}[cell["cell_type"]]
                self.assertEqual(set(cell) - {"attachments"}, {"id", "cell_type", "metadata", "source"} | own)

    def test_figures_are_cells_that_draw_them_and_the_program_is_one(self):
        for language in LANGUAGES:
            codes = self.codes(language)
            self.assertEqual(codes[0], "%load_ext attnlab")
            drawn = [code for code in codes if code.startswith("%%attnlab\n")]
            self.assertEqual(len(drawn), FIGURES - 1)  # a film's picture stands there itself
            self.assertTrue(all(f"--lang {language}" in code for code in drawn))
            self.assertTrue(any("import numpy as np" in code for code in codes))
            texts = "".join("".join(cell["source"]) for cell in self.read(language)["cells"] if cell["cell_type"] == "markdown")
            for words in ("Title", "$a_1$", "\\frac{a}{b}", "Why?", "<details>", "Because of $b_2$."):
                self.assertIn(words, texts)
            self.assertNotIn("Own notes.", texts)

    @unittest.skipUnless(importlib.util.find_spec("nbclient") and importlib.util.find_spec("ipykernel"), "without nbclient")
    def test_it_runs(self):
        import nbclient
        import nbformat
        notebook = nbformat.read(lecture / "notebook.en.ipynb", as_version=4)
        nbformat.validate(notebook)
        os.environ.update(ATTNLAB=PROGRAM, PYDEVD_DISABLE_FILE_VALIDATION="1")
        nbclient.NotebookClient(notebook, timeout=100, resources={"metadata": {"path": str(lecture)}}).execute()
        pictures = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs
                    if "image/svg+xml" in output.get("data", {})]
        self.assertEqual(len(pictures), FIGURES - 1)


class Program(unittest.TestCase):
    def test_two_builds_are_the_same(self):
        self.assertEqual(build(workplace.name, "again").returncode, 0)
        again = Path(workplace.name, "again")
        files = sorted(path.relative_to(lecture) for path in lecture.rglob("*") if path.is_file())
        self.assertEqual(files, sorted(path.relative_to(again) for path in again.rglob("*") if path.is_file()))
        for file in files:
            self.assertTrue((lecture / file).read_bytes() == (again / file).read_bytes(), file)

    def test_pictures_of_documents_have_no_title_and_no_caption(self):
        drawn = (lecture / "pictures/en/own.svg").read_text(encoding="utf-8")
        self.assertNotIn('id="title"', drawn)
        self.assertNotIn('id="caption', drawn)

    def test_what_the_program_wrote_has_subscripts_and_commands_that_can_be_copied(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "m.en.md").write_text("---\ntitle: T\nlang: en\n---\n# First\n\nText.\n\n# Summary\n\nOwn a_b.\n\n"
                "``` {.attnlab}\nheads --figure blocks\n```\n\n``` {.attnlab .report .note}\nheads\n```\n")
            words = [PROGRAM, "build", "m.en.md", "--to", "beamer", "-o", "out", "--quiet", "--lang", "en"]
            subprocess.run(words, cwd=folder, check=True)
            slides = Path(folder, "out/slides.en.tex").read_text(encoding="utf-8")
        self.assertIn("concatenated and mixed by W\\textsubscript{O}}", slides)
        self.assertRegex(slides, r"\\texttt\{attnlab\S* heads\S* -\S*-model\S* world")
        self.assertIn("Own a\\_b.", slides)

    def test_pictures_stay_beside_the_documents_that_show_them_alone(self):
        done = build(workplace.name, "office", "pptx,docx,notebook")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertFalse((Path(workplace.name) / "office/pictures").exists())
        self.assertTrue((Path(workplace.name) / "office/attnlab.py").is_file())

    def build_slides(self, document):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "m.md").write_text(document)
            words = [PROGRAM, "build", "m.md", "--to", "pptx", "-o", "out", "--quiet", "--lang", "en"]
            done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
            written = Path(folder, "out/slides.en.pptx")
            slides = sum(re.fullmatch(r"ppt/slides/slide\d+.xml", one) is not None for one in zipfile.ZipFile(written).namelist()) if written.exists() else 0
            return done, slides

    def test_a_deck_has_a_slide_for_every_heading_and_one_that_fails_names_its_line(self):
        block = "\n``` {.attnlab}\n%s\n```\n"
        done, slides = self.build_slides("---\ntitle: T\n---\n" + "".join(f"# Part {i}\n\nWords.\n\n" for i in range(299)))
        self.assertEqual((done.returncode, done.stderr, slides), (0, "", 300))
        done, slides = self.build_slides("---\ntitle: T\n---\nBefore.\n\n# A\n\n## B\n\n# Empty\n\n# C\n\n---\n\nText of C.\n")
        self.assertEqual((done.returncode, done.stderr, slides), (0, "", 5))  # title, A with what was said before, B, Empty, C
        done, slides = self.build_slides("# A\n" + block % "softmax" + "\n# B\n" + block % "softmax --figure barz")
        self.assertEqual((done.returncode, slides), (1, 0))
        self.assertRegex(done.stderr, r"^attnlab: m\.md:9: there is no figure 'barz'.*\n$")

    def test_what_a_slide_has_no_room_for_is_told_once_with_the_line(self):
        done, slides = self.build_slides("# A\n\n``` {.attnlab .sliders}\nvectors --figure arrows\n```\n\n``` {.attnlab #aside}\nvectors --figure matrix --size 3x3in\n```\n")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stderr, r"^warning: m\.md:3: vectors arrows: [^\n]*\n$")  # the page's own figure is not drawn
        self.assertEqual(slides, 5)

    def test_without_pandoc_one_line_says_what_to_install_and_nothing_is_written(self):
        for outputs in ("pptx", "html,epub"):
            done = build(workplace.name, "none", outputs, PATH="/nowhere")
            self.assertEqual(done.returncode, 1)
            self.assertEqual(len(done.stderr.splitlines()), 1)
            self.assertIn("apt install pandoc", done.stderr)
            self.assertFalse(Path(workplace.name, "none").exists())

    def test_what_pandoc_says_is_told(self):
        with tempfile.TemporaryDirectory() as folder:
            pandoc = Path(folder, "pandoc")
            pandoc.write_text("#!/bin/sh\n[ \"$1\" = --version ] && exit 0\necho 'no such thing' >&2\nexit 7\n")
            pandoc.chmod(0o755)
            done = build(workplace.name, "none", "docx", PATH=f"{folder}:/bin")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no such thing", done.stderr)
        self.assertFalse(Path(workplace.name, "none").exists())

    def test_signals_end_a_pandoc_that_hangs_and_leave_no_folder_behind(self):
        for signals in ([signal.SIGTERM], [signal.SIGINT], [signal.SIGTERM, signal.SIGTERM]):
            with tempfile.TemporaryDirectory() as folder:
                pandoc = Path(folder, "pandoc")
                pandoc.write_text(f"#!/bin/sh\n[ \"$1\" = --version ] && exit 0\ntrap '' TERM\necho $$ > {folder}/id\nsleep 600\nsleep 600\n")
                pandoc.chmod(0o755)
                Path(folder, "passing").mkdir()
                words = [PROGRAM, "build", "m.en.md", "--to", "docx", "-o", f"{folder}/out", "--lang", "en"]
                running = subprocess.Popen(words, cwd=workplace.name, stderr=subprocess.PIPE, text=True,
                                           env={**os.environ, "PATH": f"{folder}:/bin", "TMPDIR": f"{folder}/passing"})
                while not Path(folder, "id").is_file() or not Path(folder, "id").read_text():
                    self.assertIsNone(running.poll())
                    time.sleep(0.05)
                for number in signals:
                    running.send_signal(number)
                    time.sleep(0.05)
                self.assertIn("interrupted", running.communicate(timeout=300)[1])
                self.assertEqual(running.returncode, 1)
                self.assertRaises(ProcessLookupError, os.kill, int(Path(folder, "id").read_text()), 0)
                self.assertEqual(list(Path(folder, "passing").iterdir()), [])
                self.assertFalse(Path(folder, "out").exists())


unittest.main(argv=sys.argv[:1])
