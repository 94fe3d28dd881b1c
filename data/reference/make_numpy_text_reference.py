"""Writes numpy_text/reference.txt: arrays and how NumPy 1.24 prints them under np.set_printoptions(suppress=True).

Run: /usr/bin/python3 data/reference/make_numpy_text_reference.py
Each case is four parts: "array DTYPE DIMENSION ...", the values as hexadecimal floats on one line (or "i/7" for
the numbers 0/7, 1/7, 2/7, ...), the printed text, and a line "end". "repr VALUE TEXT" is Python's repr of a float.
"""

import math
import pathlib

import numpy as np

np.set_printoptions(suppress=True)
rng = np.random.RandomState(20240501)


def hexadecimal(value):
    return float(value).hex() if math.isfinite(value) else str(float(value))


def case(array, values=None):
    if values is None:
        values = " ".join(hexadecimal(value) for value in array.ravel())
    header = " ".join(["array", array.dtype.name, *map(str, array.shape)])
    return f"{header}\n{values}\n{array!s}\nend\n"


def sevenths(*shape):
    return case((np.arange(np.prod(shape)) / 7).reshape(shape), "i/7")


def random_values(kind, count):
    if kind == "normal":
        return rng.randn(count)
    if kind == "magnitudes":
        return rng.randn(count) * 10.0 ** rng.randint(-12, 8, size=count)
    if kind == "exponential":
        return rng.randn(count) * 10.0 ** rng.randint(-120, 120, size=count)
    if kind == "short":
        return np.round(rng.randn(count), rng.randint(0, 6))
    if kind == "ties":
        return rng.randint(0, 2**20, size=count) * 2.0 ** -rng.randint(5, 25)
    if kind == "gaps":
        return np.where(rng.rand(count) < 0.3, rng.choice([np.nan, np.inf, -np.inf], size=count), rng.randn(count))
    raise ValueError(kind)


def main():
    text = "".join(
        case(np.array(values, dtype=dtype))
        for dtype in (np.float64, np.float32)
        for values in (
            3.5, 0.1, 1e16, 67617208.0, math.nan, -math.inf,
            [0.0, -0.0], [1.0, 2.0], [math.nan], [math.inf], [-math.inf, math.nan, 1.0], [0.5, math.nan, -math.inf],
            [0.315645375, 0.315645365], [99999999.0], [100000000.0], [1e8, 1e-5, math.inf], [1.5e-8, -1e-12],
            [0.30000000000000004], [0.999999995], [1e22, 5e-324], [123456.789, 1e-3],
        )
    )
    with np.errstate(over="ignore", under="ignore"):
        for kind in ("normal", "magnitudes", "exponential", "short", "ties", "gaps"):
            for shape in ((10,), (17,), (3, 4), (2, 9), (2, 2, 3), (2, 1, 2, 3)):
                values = random_values(kind, math.prod(shape)).reshape(shape)
                text += case(values) + case(values.astype(np.float32))
    text += case(np.zeros((0,))) + case(np.zeros((2, 0)))
    for shape in ((1000,), (1001,), (6, 200), (7, 200), (200, 6), (8, 8, 20), (3, 3, 3, 50)):
        text += sevenths(*shape)
    for value in [0.1, 1.0, -0.0, 1e16, 9999999999999998.0, 1e-4, 9.999e-5, math.exp(50), 5e-324, 1e22, math.inf,
                  math.nan, *rng.randn(20), *random_values("exponential", 20)]:
        text += f"repr {hexadecimal(value)} {float(value)!r}\n"
    target = pathlib.Path(__file__).parent / "numpy_text" / "reference.txt"
    target.parent.mkdir(exist_ok=True)
    target.write_text(text)


if __name__ == "__main__":
    main()
