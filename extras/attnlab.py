"""attnlab from Python and in notebooks: the program's runs with their arrays, numbers and figures.

    import attnlab
    result = attnlab.run("vectors", query_angle=45)
    result.arrays["weights"]            # a NumPy array (nested lists where there is no NumPy)
    result.scalars["largest_weight"]
    result                              # in a notebook: the main figure
    result.figure("bars", "pdf")        # another one, as bytes

    attnlab.run("self-attention", inputs={"x": x})                # your own array in place of a draw
    attnlab.run("attend", query=q, key=k, value=v, mask="causal")   # arrays with several axes become files

In IPython and Jupyter, after `%load_ext attnlab`:

    %attnlab masks --figure leak
    %%attnlab --lang ja
    vectors --query-angle 45 \\
      --figure arrows

The program is `attnlab` on the path, or what ATTNLAB in the environment names. Python 3.9 is enough.
"""

import json
import os
import shlex
import subprocess
import tempfile
import warnings
import weakref
from pathlib import Path

try:
    import numpy
except ImportError:
    numpy = None


class AttnlabError(RuntimeError):
    """What the program says of a call that it refuses; `returncode` is its exit code."""

    def __init__(self, message, returncode):
        super().__init__(message)
        self.returncode = returncode


class Result:
    """One run: `arrays` and `scalars` by name, `parameters` as they were used, `notes` as {"ja": ..., "en": ...}."""

    def __init__(self, words, figure, folder):
        self._words = words
        weakref.finalize(self, folder.cleanup)  # the files that the words name lie there
        main = str(Path(folder.name) / "figure.svg")
        chosen = ["--figure", figure] if figure else []
        values = json.loads(_output([*words, *chosen, "--json", "-o", main]))
        self.arrays = {name: _array(array) for name, array in values["arrays"].items()}
        self.scalars = {name: float(value) for name, value in values["scalars"].items()}
        self.parameters, self.notes = values["parameters"], values["notes"]
        self.svg = Path(values["figures"][0]).read_text(encoding="utf-8") if values["figures"] else None

    def figure(self, name=None, format="svg"):
        """The bytes of the main figure, or of the one of that name; `format` is svg, png, pdf or tex."""
        return _output([*self._words, *(["--figure", name] if name else []), "-o", "-", "--format", format])

    def _repr_svg_(self):
        return self.svg

    def __repr__(self):
        return "<" + shlex.join(["attnlab", *self._words]) + ": " + ", ".join(self.arrays) + ">"


def run(experiment, *words, figure=None, inputs=None, **parameters):
    """Runs `attnlab EXPERIMENT` ("train reverse" for a task) and returns its Result.

    `words` are flags as typed in a terminal; parameters are flags by name: query_angle=45 is --query-angle 45, True a
    switch, a list or a vector is joined by commas, a matrix (or an array of more axes) goes through a file. `inputs`
    are arrays for --input, `figure` names the figure to show. Raises AttnlabError with the program's own message.
    """
    folder = tempfile.TemporaryDirectory(prefix="attnlab-")
    all_words, figure = _without_figure([*experiment.split(), *words], figure)
    for name, value in (inputs or {}).items():
        all_words += ["--input", f"{name}={_saved(value, Path(folder.name) / f'input-{name}')}"]
    for name, value in parameters.items():
        if name in ("output", "output_dir", "format", "json"):
            raise TypeError(f"run() takes no {name}: a Result has the numbers and draws its figures")
        if value is None or value is False: continue
        flag = "--" + name.replace("_", "-")
        all_words += [flag] if value is True else [f"{flag}={_text(value, Path(folder.name) / name)}"]
    return Result(all_words, figure, folder)


def _without_figure(words, figure):
    for i, word in enumerate(words):
        if word == "--figure" and i + 1 < len(words):
            return words[:i] + words[i + 2:], words[i + 1]
        if word.startswith("--figure="):
            return words[:i] + words[i + 1:], word.split("=", 1)[1]
    return words, figure


def _output(words):
    program = os.environ.get("ATTNLAB", "attnlab")
    try:
        done = subprocess.run([program, *words], stdin=subprocess.DEVNULL, capture_output=True)
    except OSError as error:
        raise AttnlabError(f"cannot start {program!r} ({error.strerror}): install attnlab or set ATTNLAB", 127) from error
    said = done.stderr.decode("utf-8", "replace").strip()
    if done.returncode != 0:
        raise AttnlabError(said.removeprefix("attnlab: "), done.returncode)
    for line in said.splitlines():
        if line.startswith(("warning: ", "警告: ")):
            warnings.warn(line.split(": ", 1)[1], stacklevel=4)
    return done.stdout


def _array(array):
    """Data are flat and row-major; what JSON cannot write ("nan", "inf") is a string."""
    numbers = [float(value) for value in array["data"]]
    if numpy:
        return numpy.array(numbers, array["dtype"]).reshape(array["shape"])
    for size in reversed(array["shape"][1:]):
        numbers = [numbers[i:i + size] for i in range(0, len(numbers), size)]
    return numbers if array["shape"] else numbers[0]


def _saved(value, stem):
    path = stem.with_suffix(".npy" if hasattr(value, "__array__") else ".json")
    if path.suffix == ".npy":
        numpy.save(path, numpy.asarray(value))
    else:
        path.write_text(json.dumps(value))
    return path


def _text(value, stem):
    if hasattr(value, "__array__"):
        if len(value.shape) > 1:
            return _saved(value, stem)
        value = value.tolist()
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def _magic(line, cell=""):
    words = shlex.split(cell.replace("\\\n", " "), comments=True) + shlex.split(line)
    return run(words[0] if words else "", *words[1:])


def load_ipython_extension(ipython):
    """%attnlab and %%attnlab; `result = %attnlab vectors` keeps the arrays, too."""
    ipython.register_magic_function(_magic, "line_cell", "attnlab")
