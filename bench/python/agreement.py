"""Compare the arrays of two .npz files: attnlab's and the original's. Exit 0 when all agree, 1 when not.

Two arrays agree when NaN and infinities stand in the same places and |difference| <= tolerance * max|array|, where
tolerance = max(1e-12, eps64 * (4 + max|scores|)), and max(1e-6, eps32 * (4 + max|scores|)) for float32 stages: a
relative error of one rounding in a score of size s becomes an error of s * eps in exp(score).
"""

import sys

import numpy as np


def largest(array):
    finite = np.abs(array[np.isfinite(array)])
    return finite.max() if finite.size else 0.0


def tolerance(name, array, largest_score):
    if array.dtype == np.float32 or name.endswith("_float32"):
        return max(1e-6, np.finfo(np.float32).eps * (4 + largest_score))
    return max(1e-12, np.finfo(np.float64).eps * (4 + largest_score))


def special_values(array):
    """0 finite, 1 NaN, 2 infinity, 3 minus infinity."""
    return np.where(np.isnan(array), 1, np.where(np.isposinf(array), 2, np.where(np.isneginf(array), 3, 0)))


def disagreement(name, tool, original, largest_score):
    """(what differs or None, error relative to the allowed one)"""
    if tool.shape != original.shape:
        return f"shape {tool.shape} against {original.shape}", np.inf
    if not np.array_equal(special_values(tool), special_values(original)):
        return "NaN or infinity in different places", np.inf
    finite = np.isfinite(original)
    error = largest(tool[finite].astype(float) - original[finite])
    allowed = tolerance(name, original, largest_score) * largest(original)
    if error > allowed:
        return f"differs by {error:.3g}, allowed {allowed:.3g}", error / allowed if allowed else np.inf
    return None, error / allowed if allowed else 0.0


def main():
    tool_path, original_path = sys.argv[1:]
    with np.load(tool_path) as tool, np.load(original_path) as original:
        largest_score = max((largest(original[name]) for name in original.files
                             if name.startswith(("scores", "magnitude"))), default=0.0)
        problems, worst = [], 0.0
        for name in original.files:
            if name not in tool.files:
                problems.append(f"{name}: missing in attnlab's arrays")
                continue
            problem, share = disagreement(name, tool[name], original[name], largest_score)
            worst = max(worst, share)
            if problem:
                problems.append(f"{name}: {problem}")
        compared = len(original.files)
    if problems:
        print("; ".join(problems))
        return 1
    print(f"{compared} arrays agree, largest error {100 * worst:.2g} % of the allowed one")
    return 0


if __name__ == "__main__":
    sys.exit(main())
