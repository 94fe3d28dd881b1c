"""attnlab from Python and in notebooks: the program's runs with their arrays, numbers and figures.

    import attnlab
    result = attnlab.run("vectors", query_angle=45)
    result.arrays["weights"]            # a NumPy array (nested lists where there is no NumPy)
    result.scalars["largest_weight"]
    result                              # in a notebook: the main figure
    result.figure("bars", "pdf")        # another one, as bytes

    attnlab.run("self-attention", x=x, w_query=w)                   # your own arrays in place of draws
    attnlab.run("attend", query=q, key=k, value=v, mask="causal")   # of PyTorch, too; gradients are left behind
    attnlab.run("attend", x=x, projections=layer, heads=4)          # a dict, a state_dict, an nn.Module
    attnlab.run("self-attention", check={"weights": mine}).checks   # is yours right, and if not, what is wrong

In IPython and Jupyter, after `%load_ext attnlab`:

    %attnlab masks --figure alignment
    %attnlab self-attention --input x={x}
    %%attnlab --lang ja
    vectors --query-angle 45 \\
      --figure arrows

The program is what ATTNLAB in the environment names, or the one that was installed with this file, or `attnlab` on the
path. Python 3.9 is enough.
"""

import json
import os
import re
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

    def _render_traceback_(self):
        """What a notebook shows: the message alone."""
        return [f"attnlab: {self}"]


class Result:
    """One run: `arrays` and `scalars` by name, `parameters` as they were used, `notes` as {"ja": ..., "en": ...}.

    With check=, `agrees` says whether all arrays are right, and `checks` what was found for each.
    """

    def __init__(self, words, figure, folder, checked=()):
        self._words = words
        weakref.finalize(self, folder.cleanup)  # the files that the words name lie there
        main = str(Path(folder.name) / "figure.svg")
        chosen = ["--figure", figure] if figure else []
        values = json.loads(_output([*words, *chosen, "--json", "-o", main]))
        self.arrays = {name: _array(array) for name, array in values["arrays"].items()}
        self.scalars = {name: float(value) for name, value in values["scalars"].items()}
        self.parameters, self.notes = values["parameters"], values["notes"]
        self.svg = Path(values["figures"][0]).read_text(encoding="utf-8") if values["figures"] else None
        verdict = json.loads(_output([*words, *checked, "--json"], (0, 1))) if checked else {}
        self.agrees, self.checks = verdict.get("agrees"), verdict.get("checks", [])

    def figure(self, name=None, format="svg"):
        """The bytes of the main figure, or of the one of that name; `format` is svg, png or pdf."""
        return _output([*self._words, *(["--figure", name] if name else []), "-o", "-", "--format", format])

    def _repr_svg_(self):
        return self.svg

    def __repr__(self):
        return "<" + shlex.join(["attnlab", *self._words]) + ": " + ", ".join(self.arrays) + ">"


def run(experiment, *words, figure=None, inputs=None, check=None, **parameters):
    """Runs `attnlab EXPERIMENT` ("train reverse" for a task) and returns its Result.

    `words` are flags as typed in a terminal; parameters are flags by name: query_angle=45 is --query-angle 45, True a
    switch, a list or a vector is joined by commas, a matrix (or an array of more axes) goes through a file, and so does
    what is a dict of arrays or has a state_dict. An array whose name is no flag is one for --input, as all of `inputs`
    are. `check` holds your own results by name, `figure` names the figure to show. Raises AttnlabError with the
    program's own message.
    """
    folder = tempfile.TemporaryDirectory(prefix="attnlab-")
    all_words, figure = _without_figure([*experiment.split(), *words], figure)
    inputs = dict(inputs or {})
    for name, value in parameters.items():
        flag = "--" + name.replace("_", "-")
        if name in ("output", "output_dir", "format", "json"):
            raise TypeError(f"run() takes no {name}: a Result has the numbers and draws its figures")
        if getattr(value, "ndim", 1) == 0: value = value.item()  # as np.linspace gives its numbers
        if value is None or value is False: continue
        if _is_list(value) and not _takes(experiment, flag, value):
            inputs[name] = value
        else:
            all_words += [flag] if value is True else [f"{flag}={_text(value, Path(folder.name) / name)}"]
    for name, value in inputs.items():
        all_words += ["--input", f"{name}={_saved(value, Path(folder.name) / f'input-{name}')}"]
    checked = [f"--check={name}={_saved(value, Path(folder.name) / f'check-{name}')}"
               for name, value in (check or {}).items()]
    return Result(all_words, figure, folder, checked)


def _takes(experiment, flag, value):
    """Whether a flag of that name takes the value: a matrix needs one for files, a list one with commas."""
    told = _output([*experiment.split(), "--help-all", "--lang", "en"]).decode()
    found = re.search(rf"^ .*{flag} +(\S+)", told, re.MULTILINE)
    return found and ("FILE" in found[1] or "," in found[1] and not _is_matrix(value))


def _without_figure(words, figure):
    for i, word in enumerate(words):
        if word == "--figure" and i + 1 < len(words):
            return words[:i] + words[i + 2:], words[i + 1]
        if word.startswith("--figure="):
            return words[:i] + words[i + 1:], word.split("=", 1)[1]
    return words, figure


def _program():
    """A wheel, a package and a tarball have this file and bin/attnlab below one folder."""
    beside = (folder / "bin" / "attnlab" for folder in Path(__file__).resolve().parents)
    return os.environ.get("ATTNLAB") or next((str(path) for path in beside if path.is_file()), "attnlab")


def _output(words, accepted=(0,)):
    program = _program()
    try:
        done = subprocess.run([program, *words], stdin=subprocess.DEVNULL, capture_output=True)
    except OSError as error:
        raise AttnlabError(f"cannot start {program!r} ({error.strerror}): install attnlab or set ATTNLAB", 127) from error
    said = done.stderr.decode("utf-8", "replace").strip()
    if done.returncode not in accepted or not done.stdout and done.returncode:
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


def _is_list(value):
    return hasattr(value, "__array__") and getattr(value, "ndim", 1) > 0 or isinstance(value, (list, tuple))


def _is_dict(value):
    """A Series of pandas has items, too, and is an array."""
    return hasattr(value, "items") and not hasattr(value, "__array__")


def _is_matrix(value):
    return len(getattr(value, "shape", ())) > 1 or isinstance(value, (list, tuple)) and any(map(_is_list, value))


def _plain(value, name):
    """As NumPy's: PyTorch's without its gradients and on the processor; a mask's own mask hides more."""
    if hasattr(value, "detach"):
        value = value.detach().cpu()
        try:
            return numpy.asarray(value)
        except TypeError:  # bfloat16, which NumPy has not
            return numpy.asarray(value.float())
    if not numpy.ma.is_masked(value):
        return numpy.asarray(value)
    if "mask" not in name:
        raise ValueError(f"{name} is a masked array, whose mask would be lost: use x.filled(...) or mask=~x.mask")
    return value.filled(-numpy.inf) if value.dtype.kind == "f" else value.astype(bool).filled(False)


def _saved(value, stem):
    if hasattr(value, "state_dict"): value = value.state_dict()
    if isinstance(value, (str, os.PathLike)): return value
    if _is_dict(value):
        numpy.savez(stem.with_suffix(".npz"), **{name: _plain(array, name) for name, array in value.items()})
        return stem.with_suffix(".npz")
    path = stem.with_suffix(".npy" if hasattr(value, "__array__") else ".json")
    if path.suffix == ".npy":
        numpy.save(path, _plain(value, stem.name), allow_pickle=False)
    else:
        path.write_text(json.dumps(value, default=lambda one: one.tolist()))  # of NumPy, in a list
    return path


def _text(value, stem):
    if hasattr(value, "state_dict") or _is_dict(value) or _is_matrix(value):
        return _saved(value, stem)
    if hasattr(value, "__array__"):
        value = _plain(value, stem.name).tolist()
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def _magic(ipython, line, cell=""):
    """`{x}` is the value of that name: an array with several axes becomes a file."""
    folder = tempfile.TemporaryDirectory(prefix="attnlab-")
    words = shlex.split(cell.replace("\\\n", " "), comments=True) + shlex.split(line)

    def value_of(found):
        name = found[1]
        return str(_text(ipython.user_ns[name], Path(folder.name) / name)) if name in ipython.user_ns else found[0]

    words = [re.sub(r"\{(\w+)\}", value_of, word) for word in words]
    result = run(words[0] if words else "", *words[1:])
    weakref.finalize(result, folder.cleanup)
    return result


def load_ipython_extension(ipython):
    """%attnlab and %%attnlab; `result = %attnlab vectors` keeps the arrays, too."""
    def attnlab(line, cell=""):
        return _magic(ipython, line, cell)

    attnlab._ipython_magic_no_var_expand = True  # what stands between braces is for us: an array has no text
    ipython.register_magic_function(attnlab, "line_cell", "attnlab")
