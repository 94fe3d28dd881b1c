"""extras/attnlab.py as a notebook uses it: runs, arrays, figures, magics, refusals.

    python3 module.py PROGRAM MODULE

Without NumPy the arrays are nested lists. IPython's own shell runs the magics where it is installed, else a stand-in.
"""

import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
import warnings
from pathlib import Path
from xml.etree import ElementTree

PROGRAM, MODULE = os.path.abspath(sys.argv[1]), sys.argv[2]
os.environ["ATTNLAB"] = PROGRAM
specification = importlib.util.spec_from_file_location("attnlab", MODULE)
attnlab = importlib.util.module_from_spec(specification)
sys.modules["attnlab"] = attnlab
specification.loader.exec_module(attnlab)
numpy = attnlab.numpy


def printed(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, check=True).stdout


def shape(array):
    return array.shape if numpy else (len(array), *(shape(array[0]) if isinstance(array[0], list) else ()))


class Runs(unittest.TestCase):
    def test_arrays_and_scalars_are_those_of_json(self):
        result = attnlab.run("vectors", query_angle=100)
        told = json.loads(printed("vectors", "--query-angle", "100", "--json", "--no-figure"))
        self.assertEqual(list(result.arrays), list(told["arrays"]))
        for name, array in told["arrays"].items():
            self.assertEqual(list(shape(result.arrays[name])), array["shape"])
        self.assertEqual(list(map(float, result.arrays["weights"][0])), told["arrays"]["weights"]["data"])
        self.assertEqual(result.scalars, told["scalars"])
        self.assertEqual(result.parameters["query-angle"], 100)
        self.assertAlmostEqual(sum(result.arrays["weights"][0]), 1.0)

    def test_numbers_that_json_cannot_write(self):
        weights = attnlab.run("masks", queries=2, keys=1, masked_row="nan", mask="causal").arrays["weights"]
        self.assertNotEqual(weights[0][0], weights[0][0])
        self.assertEqual(weights[1][0], 1.0)

    def test_values_of_every_kind_become_flags(self):
        result = attnlab.run("softmax", scores=[3, -1.5], lang=None)
        self.assertEqual(list(result.arrays["scores"]), [3.0, -1.5])
        self.assertTrue(attnlab.run("self-attention", "--seed=3", normalize=False).svg)
        self.assertEqual(attnlab.run("train reverse", steps=1).scalars["steps"], 1)

    def test_own_arrays_replace_draws(self):
        x = [[1.0, 0.0], [0.0, 2.0], [-1.0, 0.5]]
        result = attnlab.run("self-attention", inputs={"x": x})
        self.assertEqual([list(row) for row in result.arrays["x"]], x)
        self.assertIn(b"</svg>", result.figure())  # the file is still there

    def test_an_array_whose_name_is_no_flag_replaces_a_draw(self):
        x = [[1.0, 0.0], [0.0, 2.0], [-1.0, 0.5]]
        self.assertEqual([list(row) for row in attnlab.run("self-attention", x=x).arrays["x"]], x)
        signal = [float(i % 3) for i in range(16)]
        self.assertEqual(list(attnlab.run("filters", noise=signal).arrays["noise"]), signal)
        mask = [[0.0, -1e9], [0.0, 0.0]]  # --mask takes names, and no matrix
        weights = attnlab.run("masks", queries=2, keys=2, mask=mask).arrays["weights"]
        self.assertEqual(list(weights[0]), [1.0, 0.0])

    def test_own_results_are_checked(self):
        right = [list(map(float, row)) for row in attnlab.run("self-attention").arrays["weights"]]
        result = attnlab.run("self-attention", check={"weights": right})
        self.assertTrue(result.agrees)
        self.assertTrue(result.svg)
        result = attnlab.run("self-attention", check={"weights": right[::-1], "output": [[0.0] * 8] * 4})
        self.assertFalse(result.agrees)
        self.assertEqual([check["stage"] for check in result.checks], ["weights", "output"])
        self.assertIsNone(attnlab.run("self-attention").agrees)

    @unittest.skipUnless(numpy, "without NumPy")
    def test_a_layer_is_a_dict_or_has_a_state_dict(self):
        draws = numpy.random.default_rng(0)
        x, layer = draws.standard_normal((5, 4)), {f"{name}_proj.weight": draws.standard_normal((4, 4)) for name in "qkvo"}
        query, key, value = (x @ layer[f"{name}_proj.weight"].T for name in "qkv")
        scores = query @ key.T / 2.0
        weights = numpy.exp(scores - scores.max(-1, keepdims=True))
        expected = weights / weights.sum(-1, keepdims=True) @ value @ layer["o_proj.weight"].T

        class Tensor:
            """As PyTorch's: no array until its gradients are left behind."""
            def __init__(self, array): self.array, self.shape = array, array.shape
            def __array__(self, *_): raise RuntimeError("Can't call numpy() on Tensor that requires grad.")
            def detach(self): return self
            def cpu(self): return self.array

        class Module:
            def state_dict(self): return {name: Tensor(array) for name, array in layer.items()}

        for projections in (layer, Module().state_dict(), Module()):
            output = attnlab.run("attend", x=Tensor(x), projections=projections, heads=1, rope="none").arrays["output"]
            numpy.testing.assert_allclose(output.reshape(5, 4), expected, rtol=1e-12)

    @unittest.skipUnless(numpy, "without NumPy")
    def test_numpy_arrays_go_in_and_come_out(self):
        draws = numpy.random.default_rng(0)
        q, k, v = (draws.standard_normal((2, 5, 4)) for _ in range(3))
        result = attnlab.run("attend", query=q, key=k, value=v, mask="causal")
        scores = q @ k.swapaxes(1, 2) / 2.0 + numpy.triu(numpy.full((5, 5), -numpy.inf), 1)
        weights = numpy.exp(scores - scores.max(-1, keepdims=True))
        expected = weights / weights.sum(-1, keepdims=True) @ v
        numpy.testing.assert_allclose(result.arrays["output"].reshape(expected.shape), expected, rtol=1e-12)
        scores = attnlab.run("softmax", scores=numpy.array([1.0, 2.0])).arrays["scores"]
        self.assertEqual(scores.tolist(), [1.0, 2.0])
        single = attnlab.run("self-attention", inputs={"x": numpy.eye(3, dtype=numpy.float32)}).arrays["x"]
        numpy.testing.assert_array_equal(single, numpy.eye(3))


    @unittest.skipUnless(numpy, "without NumPy")
    def test_numbers_of_numpy_are_numbers(self):
        same = attnlab.run("vectors", query_angle=45, count=5).arrays["weights"]
        mine = attnlab.run("vectors", query_angle=numpy.linspace(0, 90, 3)[1], count=numpy.int64(5)).arrays["weights"]
        numpy.testing.assert_array_equal(mine, same)
        self.assertEqual(attnlab.run("vectors", query_angle=numpy.float32(0.5)).parameters["query-angle"], 0.5)
        self.assertEqual(attnlab.run("vectors", count=numpy.array(7)).parameters["count"], 7)
        self.assertTrue(attnlab.run("vectors", no_title=numpy.bool_(True)).svg)
        self.assertTrue(attnlab.run("vectors", no_title=numpy.bool_(False)).svg)
        self.assertEqual(list(attnlab.run("softmax", scores=[numpy.int64(1), numpy.float32(0.5)]).arrays["scores"]), [1, 0.5])
        x = [[numpy.float32(1), numpy.int64(0)], [numpy.float64(0), 2]]
        self.assertEqual(attnlab.run("self-attention", x=x).arrays["x"].tolist(), [[1, 0], [0, 2]])

    @unittest.skipUnless(numpy, "without NumPy")
    def test_arrays_of_other_libraries(self):
        class Series:
            """As pandas': an array that has items, too."""
            shape, ndim = (2,), 1
            def __array__(self, *_, **__): return numpy.array([1.0, 2.0])
            def items(self): return [(0, 1.0), (1, 2.0)]

        class Half:
            """As PyTorch's bfloat16."""
            shape, ndim = (2, 2), 2
            def detach(self): return self
            def cpu(self): return self
            def float(self): return numpy.eye(2, dtype=numpy.float32)
            def __array__(self, *_, **__): raise TypeError("Got unsupported ScalarType BFloat16")

        self.assertEqual(attnlab.run("softmax", scores=Series()).arrays["scores"].tolist(), [1.0, 2.0])
        self.assertEqual(attnlab.run("self-attention", x=Half()).arrays["x"].tolist(), [[1, 0], [0, 1]])

    @unittest.skipUnless(numpy, "without NumPy")
    def test_the_mask_of_an_array_is_not_lost(self):
        x, hidden = numpy.eye(3), numpy.triu(numpy.ones((3, 3), bool), 1)
        expected = attnlab.run("attend", x=x, mask="causal").arrays["weights"]
        for values in (numpy.ones((3, 3), bool), numpy.zeros((3, 3)), numpy.zeros((3, 3), numpy.float32)):
            mask = numpy.ma.masked_array(values, hidden)
            numpy.testing.assert_array_equal(attnlab.run("attend", x=x, mask=mask).arrays["weights"], expected)
        with self.assertRaisesRegex(ValueError, "x is a masked array"):
            attnlab.run("attend", x=numpy.ma.masked_array(x, hidden))
        nothing = numpy.ma.masked_array(x, numpy.zeros((3, 3), bool))
        self.assertTrue(attnlab.run("attend", x=nothing).svg)

    @unittest.skipUnless(numpy, "without NumPy")
    def test_a_file_is_an_array_too(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "x.npy"
            numpy.save(file, numpy.eye(3))
            for given in (file, str(file)):
                self.assertEqual(attnlab.run("self-attention", inputs={"x": given}).arrays["x"].tolist(), numpy.eye(3).tolist())
                self.assertFalse(attnlab.run("self-attention", inputs={"x": given}, check={"weights": given}).agrees)


class Figures(unittest.TestCase):
    def test_the_shown_figure_is_the_main_one_or_the_named_one(self):
        result = attnlab.run("vectors")
        self.assertTrue(result._repr_svg_().encode() == printed("vectors", "-o", "-"), "another picture")
        ElementTree.fromstring(result._repr_svg_())
        named = attnlab.run("vectors", figure="bars")
        self.assertTrue(named.svg.encode() == printed("vectors", "-o", "-", "--figure", "bars"), "another picture")
        self.assertTrue(named.figure("matrix") == printed("vectors", "-o", "-", "--figure", "matrix"), "another picture")

    def test_every_format(self):
        result = attnlab.run("softmax")
        for name, begin in {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}.items():
            self.assertTrue(result.figure(format=name).startswith(begin), name)


class Refusals(unittest.TestCase):
    def test_the_programs_own_words(self):
        for call, words in {lambda: attnlab.run("vectorz"): "did you mean vectors",
                            lambda: attnlab.run("vectors", count=0): "--count must be",
                            lambda: attnlab.run("vectors", figure="barz"): "did you mean bars",
                            lambda: attnlab.run("vectors").figure(format="gif"): "choose from png"}.items():
            with self.assertRaises(attnlab.AttnlabError) as refused:
                call()
            self.assertIn(words, str(refused.exception))
            self.assertEqual(refused.exception.returncode, 2)

    def test_a_result_draws_its_figures_itself(self):
        for word in ({"output": "x.png"}, {"json": True}, {"format": "pdf"}):
            with self.assertRaisesRegex(TypeError, "takes no " + next(iter(word))):
                attnlab.run("vectors", **word)
        self.assertFalse(os.path.exists("x.png"))

    def test_no_shell_reads_the_words(self):
        result = attnlab.run("self-attention", labels="$(exit 3),`id`,;,'", tokens=4)
        self.assertIn("$(exit 3)", re.sub(r"\s+", " ", result.svg))

    def test_a_missing_program(self):
        os.environ["ATTNLAB"] = "/nowhere/attnlab"
        try:
            with self.assertRaisesRegex(attnlab.AttnlabError, "install attnlab or set ATTNLAB"):
                attnlab.run("vectors")
        finally:
            os.environ["ATTNLAB"] = PROGRAM

    def test_a_notebook_shows_one_line(self):
        with self.assertRaises(attnlab.AttnlabError) as refused:
            attnlab.run("vectors", count=0)
        lines = refused.exception._render_traceback_()
        self.assertEqual(lines, [f"attnlab: {refused.exception}"])

    def test_warnings_are_pythons(self):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            attnlab.run("masks", range="0:1000")
        self.assertIn("almost one colour", str(told[0].message))


class StandIn:
    """As much of IPython's shell as the extension asks for."""

    def __init__(self):
        self.magics, self.user_ns = {}, {}

    def register_magic_function(self, function, magic_kind, magic_name):
        self.magics[magic_kind] = function

    def run_line_magic(self, name, line):
        return self.magics["line_cell"](line)

    def run_cell_magic(self, name, line, cell):
        return self.magics["line_cell"](line, cell)


def shell():
    try:
        from IPython.core.interactiveshell import InteractiveShell
    except ImportError:
        stand_in = StandIn()
        attnlab.load_ipython_extension(stand_in)
        return stand_in
    interactive = InteractiveShell.instance()
    attnlab.load_ipython_extension(interactive)
    return interactive


class Magics(unittest.TestCase):
    def test_a_line(self):
        result = shell().run_line_magic("attnlab", "masks --figure alignment --queries 3 --keys 3")
        self.assertEqual(shape(result.arrays["weights"])[-2:], (3, 3))
        wanted = printed("masks", "--queries", "3", "--keys", "3", "--figure", "alignment", "-o", "-")
        self.assertTrue(result._repr_svg_().encode() == wanted, "another picture")

    def test_a_cell(self):
        cell = "vectors --query-angle 100 \\\n  --figure=arrows  # the plane\n"
        result = shell().run_cell_magic("attnlab", "--lang ja", cell)
        self.assertTrue(result._repr_svg_().encode() == printed("vectors", "--query-angle", "100", "--lang", "ja", "-o", "-"), "another picture")

    def test_values_in_braces(self):
        interactive = shell()
        interactive.user_ns.update(angle=100, x=[[1.0, 0.0], [0.0, 2.0], [-1.0, 0.5]])
        told = interactive.run_line_magic("attnlab", "vectors --query-angle {angle}").parameters["query-angle"]
        self.assertEqual(told, 100)
        result = interactive.run_cell_magic("attnlab", "", "self-attention --input x={x} --title {unknown}")
        self.assertEqual([list(row) for row in result.arrays["x"]], interactive.user_ns["x"])
        self.assertIn(b"</svg>", result.figure())  # the file is still there

    def test_nothing(self):
        with self.assertRaises(attnlab.AttnlabError):
            shell().run_line_magic("attnlab", "")


unittest.main(argv=sys.argv[:1])
