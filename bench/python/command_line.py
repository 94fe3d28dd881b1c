"""What all originals share: the options that say where the picture and the numbers go, writing them, softmax."""

import argparse

import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402,F401  for the originals: only after the backend is chosen


def softmax(scores):
    """Along the last axis."""
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def entropy(weights):
    """-sum p ln p along the last axis, in nats, with 0 ln 0 = 0."""
    return -(weights * np.log(weights, where=weights > 0, out=np.zeros_like(weights))).sum(axis=-1)


def read_options(description, size="10x6.25", extra=None):
    """Parse the command line; `size` is the default page, width x height in inches."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--output", metavar="FILE", help="picture; the extension picks png, svg or pdf")
    parser.add_argument("--size", metavar="WxH", type=page_size, default=size, help="inches (default: %(default)s)")
    parser.add_argument("--dpi", type=float, default=144, help="pixels per inch of a png (default: %(default)s)")
    parser.add_argument("--numbers", metavar="FILE", help="write the arrays, named as attnlab names them, as .npz")
    if extra is not None:
        extra(parser)
    options = parser.parse_args()
    if options.output is None and options.numbers is None:
        parser.error("nothing to do: give --output, --numbers or both")
    return options


def run(description, experiment, draw, size="10x6.25"):
    """Compute the arrays, and write or draw what the command line asks for."""
    options = read_options(description, size)
    arrays = experiment()
    if options.numbers:
        np.savez(options.numbers, **arrays)
    if options.output:
        draw(arrays, options)


def page_size(text):
    try:
        width, height = (float(side) for side in text.split("x"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not WIDTHxHEIGHT in inches, such as 10x6.25") from None
    return width, height
