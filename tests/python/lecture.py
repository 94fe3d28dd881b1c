"""What `attnlab build` writes for slides and notebooks: well-formed, whole, the same twice, and runnable.

    python3 lecture.py PROGRAM
"""

import base64
import collections
import contextlib
import importlib.util
import io
import json
import os
import posixpath
import re
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path
from xml.etree import ElementTree

try:
    import numpy
except ImportError:
    sys.exit(77)

PROGRAM = os.path.abspath(sys.argv[1])
MANIFEST = """title = { ja = "題 <1> & \\"2\\"", en = "Title <1> & \\"2\\"" }
look = { preset = "slide-16x9", dpi = 72 }
[[section]]
title = { ja = "節 & 節", en = "Section & *one*" }
[[section.figure]]
experiment = "softmax"
[[section.figure]]
experiment = "self-attention"
figure = "weights"
parameters = { labels = ["<猫>", "a&b", "'", "`c`"] }
caption = { ja = "説明 <b>", en = "Caption </a:t> _of_ *it*" }
look = { theme = "dark" }
[[section]]
title = { ja = "学習", en = "Learning" }
[[section.figure]]
experiment = "train reverse"
figure = "weights"
parameters = { steps = 2 }
[[section.figure]]
experiment = "heads"
figure = "weights"
parameters = { variant = "book" }
[[section]]
title = { ja = "言葉だけ", en = "Words alone" }
[[section.text]]
ja = "言葉"
en = "Words"
"""
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
SVG = "{http://schemas.microsoft.com/office/drawing/2016/SVG/main}"
FIGURES = 7  # 4 of softmax, 1, 1, 1


def build(folder, name):
    Path(folder, "m.toml").write_text(MANIFEST, encoding="utf-8")
    subprocess.run([PROGRAM, "build", "m.toml", "-o", name, "--quiet"], cwd=folder, check=True, capture_output=True)
    return Path(folder, name)


def setUpModule():
    global workplace, lecture
    workplace = tempfile.TemporaryDirectory()
    lecture = build(workplace.name, "one")


def tearDownModule():
    workplace.cleanup()


def told_captions(language):
    """Of each figure: name, title, caption."""
    lines = (lecture / f"captions.{language}.txt").read_text(encoding="utf-8").split("\n")
    return [lines[i:i + 3] for i in range(0, len(lines) - 1, 4)]


def texts(xml):
    """The paragraphs of a part."""
    return ["".join(run.text or "" for run in paragraph.iter(A + "t")) for paragraph in xml.iter(A + "p")]


class Presentation(unittest.TestCase):
    def parts(self, language="en"):
        with zipfile.ZipFile(lecture / f"slides.{language}.pptx") as package:
            self.assertIsNone(package.testzip())
            names = package.namelist()
            self.assertEqual(len(names), len(set(names)))
            return {name: package.read(name) for name in names}

    def related(self, parts, name):
        """What the part refers to, by id: the kind and the part's own name."""
        folder, file = posixpath.split(name)
        xml = ElementTree.fromstring(parts[posixpath.join(folder, "_rels", file + ".rels")])
        return {entry.get("Id"): (entry.get("Type").rsplit("/", 1)[1],
                                  posixpath.normpath(posixpath.join(folder, entry.get("Target")))) for entry in xml}

    def slides(self, parts):
        related = self.related(parts, "ppt/presentation.xml")
        listed = ElementTree.fromstring(parts["ppt/presentation.xml"]).find(P + "sldIdLst")
        return [related[entry.get(R + "id")][1] for entry in listed]

    def test_every_part_is_well_formed_and_has_a_type(self):
        parts = self.parts()
        self.assertEqual(next(iter(parts)), "[Content_Types].xml")
        types = ElementTree.fromstring(parts["[Content_Types].xml"])
        defaults = {entry.get("Extension") for entry in types if entry.get("Extension")}
        overrides = [entry.get("PartName") for entry in types if entry.get("PartName")]
        self.assertEqual(len(overrides), len(set(overrides)))
        for name, content in parts.items():
            if name.endswith((".xml", ".rels", ".svg")):
                ElementTree.fromstring(content)
            if name.endswith(".png"):
                self.assertTrue(content.startswith(b"\x89PNG"), name)
            self.assertIn(name.rsplit(".", 1)[1], defaults)
            if name.endswith(".xml") and name != "[Content_Types].xml":
                self.assertIn("/" + name, overrides)
        self.assertEqual({name[1:] for name in overrides} - set(parts), set())

    def test_every_relationship_resolves_and_every_reference_is_one(self):
        parts = self.parts()
        for name in [part for part in parts if part.endswith(".rels")]:
            folder, file = posixpath.split(name)
            source = posixpath.join(posixpath.dirname(folder), file[:-len(".rels")])
            related = self.related(parts, source)
            for kind, target in related.values():
                self.assertIn(target, parts, f"{kind} of {source}")
            if source:
                used = re.findall(rb'r:(?:id|embed)="([^"]*)"', parts[source])
                self.assertTrue({identity.decode() for identity in used} <= set(related), source)
        ids = re.findall(rb'<p:cNvPr id="(\d+)"', parts["ppt/slides/slide3.xml"])
        self.assertEqual(len(ids), len(set(ids)))

    def test_slides_stand_in_the_lectures_order_with_their_own_titles(self):
        for language, (title, one, other) in {"en": ('Title <1> & "2"', "Section & *one*", "Learning"),
                                              "ja": ('題 <1> & "2"', "節 & 節", "学習")}.items():
            parts = self.parts(language)
            slides = self.slides(parts)
            self.assertEqual(len(slides), 3 + FIGURES)
            first = [texts(ElementTree.fromstring(parts[slide]))[0] for slide in slides]
            self.assertEqual([first[0], first[1], first[7]], [title, one, other])
            told = told_captions(language)
            self.assertEqual(first[2:7] + first[8:], [entry[1] for entry in told])
            for slide, (_, _, caption) in zip(slides[2:7] + slides[8:], told):
                self.assertEqual(texts(ElementTree.fromstring(parts[slide]))[1:], [caption] if caption else [])

    def test_a_picture_is_an_svg_with_a_png_for_others_and_keeps_its_shape(self):
        parts = self.parts()
        titles = [title for _, title, _ in told_captions("en")]
        slides = self.slides(parts)
        for slide, title in zip(slides[2:7] + slides[8:], titles, strict=True):
            related = self.related(parts, slide)
            xml = ElementTree.fromstring(parts[slide])
            png = parts[related[xml.find(f".//{A}blip").get(R + "embed")][1]]
            svg = ElementTree.fromstring(parts[related[xml.find(f".//{SVG}svgBlip").get(R + "embed")][1]])
            wide, high = (int.from_bytes(png[at:at + 4], "big") for at in (16, 20))
            extent = xml.find(f".//{P}pic//{A}ext[@cx]")
            place = xml.find(f".//{P}pic//{A}off")
            shown = int(extent.get("cx")) / int(extent.get("cy"))
            self.assertAlmostEqual(shown / (wide / high), 1.0, delta=0.01)
            drawn = [float(size) for size in svg.get("viewBox").split()[2:]]
            self.assertAlmostEqual(shown / (drawn[0] / drawn[1]), 1.0, delta=0.001)
            self.assertEqual(svg.find("{http://www.w3.org/2000/svg}title").text, title)  # the figure's own picture
            self.assertIn(title.encode("utf-8"), png)
            self.assertLessEqual(int(place.get("x")) + int(extent.get("cx")), 12192000)
            self.assertLessEqual(int(place.get("y")) + int(extent.get("cy")), 6858000)
            self.assertTrue(xml.find(f".//{P}pic//{P}cNvPr").get("descr"))

    def test_what_to_say_stands_in_the_notes(self):
        notes_seen = 0
        for language in ("en", "ja"):
            parts = self.parts(language)
            said = subprocess.run([PROGRAM, "softmax", "--no-figure", "--lang", language], capture_output=True, check=True, encoding="utf-8").stdout
            points = re.findall(r"[\[【](?:Key point|要点)[\]】]\n((?:    .*\n)+)", said)
            self.assertTrue(points)
            for slide in self.slides(parts)[2:6]:
                notes = [target for kind, target in self.related(parts, slide).values() if kind == "notesSlide"]
                self.assertEqual(len(notes), 1)
                notes_seen += 1
                told = texts(ElementTree.fromstring(parts[notes[0]]))
                self.assertEqual(["".join(one.split()) for one in told], ["".join(point.split()) for point in points])
                back = self.related(parts, notes[0]).values()
                self.assertIn(("slide", slide), back)
        self.assertEqual(notes_seen, 8)


class Notebook(unittest.TestCase):
    def read(self, language="en"):
        return json.loads((lecture / f"notebook.{language}.ipynb").read_text(encoding="utf-8"))

    def test_it_is_nbformat_4_5(self):
        """The rules of nbformat.v4.5.schema.json for what stands in it."""
        for language in ("en", "ja"):
            notebook = self.read(language)
            self.assertEqual(set(notebook), {"metadata", "nbformat", "nbformat_minor", "cells"})
            self.assertEqual((notebook["nbformat"], notebook["nbformat_minor"]), (4, 5))
            self.assertEqual(set(notebook["metadata"]["kernelspec"]), {"name", "display_name", "language"})
            ids = [cell["id"] for cell in notebook["cells"]]
            self.assertEqual(len(ids), len(set(ids)))
            for cell in notebook["cells"]:
                self.assertRegex(cell["id"], r"^[a-zA-Z0-9-_]{1,64}$")
                self.assertIsInstance(cell["metadata"], dict)
                self.assertTrue(all(isinstance(line, str) for line in cell["source"]))
                self.assertTrue(all(line.endswith("\n") for line in cell["source"][:-1]))
                own = {"markdown": set(), "code": {"outputs", "execution_count"}}[cell["cell_type"]]
                self.assertEqual(set(cell) - {"attachments"}, {"id", "cell_type", "metadata", "source"} | own)
                if cell["cell_type"] == "code":
                    self.assertEqual((cell["outputs"], cell["execution_count"]), ([], None))
                for bundle in cell.get("attachments", {}).values():
                    self.assertEqual(set(bundle), {"image/png"})

    @unittest.skipUnless(importlib.util.find_spec("nbformat"), "without nbformat")
    def test_jupyter_calls_it_valid(self):
        import nbformat
        for language in ("en", "ja"):
            nbformat.validate(nbformat.read(lecture / f"notebook.{language}.ipynb", as_version=4))

    def test_titles_and_pictures_in_order(self):
        cells = [cell for cell in self.read()["cells"] if cell["cell_type"] == "markdown"]
        sources = ["".join(cell["source"]) for cell in cells]
        self.assertEqual(sources[0], '# Title \\<1\\> & "2"')
        self.assertEqual(sources[1], "## Section & \\*one\\*")
        self.assertEqual([source[:4] for source in sources].count("### "), FIGURES)
        for cell, source in zip(cells, sources):
            shown = re.findall(r"\]\(attachment:([^)]*)\)", source)
            self.assertEqual(shown, list(cell.get("attachments", {})))
            for picture in shown:
                self.assertTrue(base64.b64decode(cell["attachments"][picture]["image/png"]).startswith(b"\x89PNG"))

    def test_its_programs_run_in_order(self):
        programs = ["".join(cell["source"]) for cell in self.read("ja")["cells"] if cell["cell_type"] == "code"]
        self.assertEqual(len(programs), 2)  # one a run; a training has none, nor what PyTorch draws
        names, printed = {}, io.StringIO()
        with contextlib.redirect_stdout(printed), numpy.errstate(all="ignore"):
            for program in programs:
                exec(compile(program, "cell", "exec"), names)
        self.assertIn("weights", printed.getvalue())


class Slides(unittest.TestCase):
    def test_pictures_of_slides_have_no_title_and_no_caption(self):
        """Every word of an SVG is a use of outlines: a title that is drawn adds its letters."""
        def words(file):
            return sum(1 for _ in ElementTree.parse(file).iter("{http://www.w3.org/2000/svg}use"))
        for figure in ("softmax-bars", "self-attention-weights"):
            self.assertLess(words(lecture / f"slides/en/{figure}.svg"), words(lecture / f"en/{figure}.svg"))
            drawn = (lecture / f"slides/en/{figure}.svg").read_text(encoding="utf-8")
            self.assertNotIn('id="title"', drawn)
            self.assertNotIn('id="caption', drawn)
            self.assertIn('id="title', (lecture / f"en/{figure}.svg").read_text(encoding="utf-8"))

    def test_snippets_name_files_that_are_there(self):
        for language in ("en", "ja"):
            frames = (lecture / f"beamer.{language}.tex").read_text(encoding="utf-8")
            slides = (lecture / f"slides.{language}.md").read_text(encoding="utf-8")
            pdfs = re.findall(r"\\includegraphics\[[^]]*\]\{([^}]*)\}", frames)
            svgs = re.findall(r"\]\(([^)]*)\)", slides)
            self.assertEqual((len(pdfs), len(svgs)), (FIGURES, FIGURES))
            for file in pdfs + svgs:
                self.assertTrue((lecture / file).is_file(), file)
            for _, title, _ in told_captions(language):
                self.assertEqual(collections.Counter(slides.split("\n"))["# " + re.sub(r"([\\`*_\[\]<>#|])", r"\\\1", title)], 1)


class Bytes(unittest.TestCase):
    def test_two_builds_are_the_same(self):
        again = build(workplace.name, "again")
        files = sorted(path.relative_to(lecture) for path in lecture.rglob("*") if path.is_file())
        self.assertEqual(files, sorted(path.relative_to(again) for path in again.rglob("*") if path.is_file()))
        for file in files:
            self.assertTrue((lecture / file).read_bytes() == (again / file).read_bytes(), file)


unittest.main(argv=sys.argv[:1])
