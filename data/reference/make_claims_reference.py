#!/usr/bin/python3
"""Writes the NumPy reference of `attnlab claims` (NumPy 1.24; only to regenerate).

    /usr/bin/python3 data/reference/make_claims_reference.py

One function per claim, named after its id, computes from the sentence's own mathematics what running it shows. Nothing
here comes from attnlab. Each line of data/reference/claims/claims.jsonl is a claim:

- verdict: from the numbers, or from reading the document where a function says so;
- numbers: under the keys of `attnlab claims --json`. Rounding noise has the bound that it stays below instead, and a
  float32 result how far it may lie away;
- evidence and corrected, in each language: every number that the sentence shows, in its order, not yet rounded. A
  number by its key is the claim's own; other strings, such as the number of a code, are shown letter by letter;
- says: in each language, the words that depend on the result, in their order.

It is no .json file, since those are built into attnlab for `attnlab verify`.
"""

import json
import tracemalloc
from pathlib import Path

import numpy as np
from numpy.random import RandomState

HERE = Path(__file__).resolve().parent
NOISE = {"below": 1e-12}  # rounding in float64
NOISE_FLOAT32 = {"below": 1e-6}
CLAIMS = []


def claim(function):
    CLAIMS.append(function)
    return function


def found(verdict, numbers, ja, en=None, says=None, corrected_ja=(), corrected_en=None):
    """The sentence in English shows the numbers of the one in Japanese, unless it has a list of its own."""
    return {"verdict": verdict, "numbers": numbers, "evidence": {"ja": ja, "en": ja if en is None else en},
            "corrected": {"ja": corrected_ja, "en": corrected_ja if corrected_en is None else corrected_en},
            "says": says or {"ja": [], "en": []}}


def holds_if(condition):
    return "holds" if condition else "fails"


# --- The mathematics of the documents ---------------------------------------------------------------------------------


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def softmax_of_the_book(x):
    """Code 2.2.1: the maximum is that of the whole array."""
    e_x = np.exp(x - np.max(x))
    return e_x / e_x.sum(axis=-1, keepdims=True)


def attend(q, k, v):
    """Output and weights of scaled dot-product attention."""
    weights = softmax(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]))
    return weights @ v, weights


def multi_head(w_q, w_k, w_v, w_o, query, key):
    """Eq. 7 and 8 of the article: weights (heads, d_model, width); the joined heads and the output."""
    heads = [attend(query @ q, key @ k, key @ v)[0] for q, k, v in zip(w_q, w_k, w_v)]
    joined = np.concatenate(heads, axis=-1)
    return joined, joined @ w_o


def works(computation):
    """Does NumPy accept the shapes?"""
    try:
        computation()
        return True
    except ValueError:
        return False


def positional_encoding(max_len, d_model):
    """The article's code of eq. 9 and 10."""
    encoding = np.zeros((max_len, d_model))
    position = np.arange(max_len)[:, np.newaxis]
    div_term = 10000 ** (2 * np.arange(d_model // 2) / d_model)
    encoding[:, 0::2] = np.sin(position / div_term)
    encoding[:, 1::2] = np.cos(position / div_term)
    return encoding


def ten_vectors():
    """Code 2.2.3: length 1, 36 degrees apart."""
    theta = 2 * np.pi / 10
    return np.array([[np.cos(theta * i), np.sin(theta * i)] for i in range(10)])


QUERY = np.array([1 / np.sqrt(2), 1 / np.sqrt(2)])  # at 45 degrees
SCORES = np.array([2, -1, 0.5, 3, -0.5])


# --- A: the textbook, sections 2.2.1 and 2.2.2 ------------------------------------------------------------------------


@claim
def a_additive_widths():
    random = RandomState(0)
    query, key = random.randn(2, 3), random.randn(4, 5)
    hidden, score = random.randn(8, 6), random.randn(6)
    pairs = np.array([[np.concatenate([q, k]) for k in key] for q in query])
    weights = softmax(np.tanh(pairs @ hidden) @ score)
    refuses = not works(lambda: query @ key.T)
    return found(holds_if(weights.shape == (2, 4) and refuses), {"dot_product_refuses": refuses},
                 ja=[query.shape[1], key.shape[1], *weights.shape],
                 says={"ja": ["エラーになります"], "en": ["raises an error"]} if refuses else None)


@claim
def a_closer_larger():
    degrees = np.arange(0, 181, 1)
    products = np.cos(np.radians(degrees))  # of a unit vector at 0 degrees with those turned away
    exceptions = np.sum(np.diff(products) >= 0)
    return found(holds_if(exceptions == 0), {"exceptions": exceptions},
                 ja=[1, 0, 180, 1, "exceptions"], en=[0, 180, 1, "exceptions", len(degrees) - 1])


@claim
def a_sums_differ():
    keys, directions = ten_vectors(), np.deg2rad(np.arange(360))
    queries = np.stack([np.cos(directions), np.sin(directions)], axis=1)
    even = (queries @ keys.T).sum(axis=1)
    keys[3] *= 5
    sums = (queries @ keys.T).sum(axis=1)
    return found("holds_only_if" if np.allclose(even, 0, rtol=0, atol=1e-12) and np.ptp(sums) > 1 else "holds",
                 {"largest_sum": NOISE, "lowest": sums.min(), "highest": sums.max()},
                 ja=["2.2.8", len(keys), 0, "largest_sum", 4, 5, "lowest", "highest"],
                 en=["2.2.8", 0, "largest_sum", 4, "lowest", "highest"], corrected_ja=[0, 10, 0], corrected_en=[0])


@claim
def a_sum_one():
    weights = softmax(SCORES)
    return found(holds_if(weights.min() > 0 and np.isclose(weights.sum(), 1, rtol=0, atol=1e-12)),
                 {"smallest_weight": weights.min(), "sum_error": NOISE},
                 ja=[*SCORES, "smallest_weight", 1, "sum_error"])


@claim
def a_order():
    scores = RandomState(0).randn(1000, 5)
    weights = softmax(scores)
    lower = scores[:, :, None] < scores[:, None, :]
    changes = np.sum(lower & ~(weights[:, :, None] < weights[:, None, :]))
    return found(holds_if(changes == 0), {"order_changes": changes},
                 ja=[5, 1000, "order_changes"], en=[1000, "order_changes"])


@claim
def a_exp_50():
    return found(holds_if(np.exp(50.0) > 1e21), {"exp_50": np.exp(50.0)}, ja=[50, "exp_50"])


@claim
def a_overflows_at_once():
    single, double = (np.log(float(np.finfo(kind).max)) for kind in (np.float32, np.float64))
    at_50 = [np.isfinite(np.exp(kind(50))) for kind in (np.float32, np.float64)]
    with np.errstate(over="ignore"):
        beyond = np.isinf(np.exp(np.float32(89))) and np.isinf(np.exp(np.float64(710)))
    return found("holds_only_if" if all(at_50) and beyond else "holds", {"limit_float32": single, "limit_float64": double},
                 ja=[50, "32", "limit_float32", "64", "limit_float64"],
                 en=[50, "limit_float32", "32", "limit_float64", "64"],
                 corrected_ja=["32", "limit_float32", "64", "limit_float64"],
                 corrected_en=["limit_float32", "32", "limit_float64", "64"])


@claim
def a_shift():
    b = 100
    same = np.allclose(softmax(SCORES), softmax(SCORES + b), rtol=0, atol=1e-12)
    return found(holds_if(same), {"largest_difference": NOISE}, ja=[b, "largest_difference"])


@claim
def a_footnote_b():
    scores = np.array([1000.0, 999.0])
    shifted = {}
    with np.errstate(over="ignore", invalid="ignore"):
        for b in (scores.max(), -scores.max()):
            e = np.exp(scores + b)
            shifted[b] = e / e.sum()
    with_max, with_minus_max = shifted.values()
    right = np.allclose(with_max, softmax(scores))
    assert np.allclose(with_minus_max, softmax(scores))
    return found(holds_if(right), {"weight_with_max": with_max[0], "weight_with_minus_max": with_minus_max[0],
                                   "second_with_minus_max": with_minus_max[1]},
                 ja=[*scores, 1000, 2000, -1000, "weight_with_minus_max", "second_with_minus_max"],
                 says={"ja": ["NaN"], "en": ["NaN"]} if np.isnan(with_max[0]) else None, corrected_ja=["2.2.1"])


@claim
def a_printed_output():
    output = softmax(QUERY @ ten_vectors().T) @ ten_vectors()
    return found(holds_if(np.array_equal(output.round(8), [0.31564538, 0.31564537])),
                 {"output_x": output[0], "output_y": output[1]}, ja=["output_x", "output_y"])


@claim
def a_nearer_larger():
    keys = ten_vectors()
    weights = softmax(QUERY @ keys.T)
    distance = np.linalg.norm(keys - QUERY, axis=1)
    exceptions = sum(distance[i] < distance[j] - 1e-9 and weights[i] <= weights[j]
                     for i in range(10) for j in range(10))
    return found(holds_if(exceptions == 0),
                 {"exceptions": exceptions, "largest": weights.max(), "smallest": weights.min()},
                 ja=[len(keys), "exceptions", "largest", "smallest"], en=["exceptions", "largest", "smallest"])


@claim
def a_long_vector():
    keys = ten_vectors()
    before = softmax(QUERY @ keys.T)

    def after(index):
        longer = keys.copy()
        longer[index] *= 5
        return softmax(QUERY @ longer.T)[index]

    # The book counts from 1 (its figure shows the vector at 108 degrees); counted from 0 the sentence would fail.
    verdict = "fails" if after(3) <= before[3] else "remark" if after(4) < before[4] else "holds"
    return found(verdict, {"before": before[3], "after": after(3), "fifth_before": before[4], "fifth_after": after(4)},
                 ja=[4, 3 * 36, "before", "after"],
                 corrected_ja=[4, 1, 4, 3, 0, 4, 4 * 36, 5, "fifth_before", "fifth_after"],
                 corrected_en=[4, 1, 3, 4, 0, 4 * 36, "fifth_before", "fifth_after"])


@claim
def a_key_rows():
    rows = ten_vectors()
    as_written = rows.T  # (k_1T, ..., k_nT) side by side
    fits = works(lambda: QUERY @ as_written.T)
    weights = len(QUERY @ rows.T)
    return found("holds" if fits else "remark", {"as_written_fits": fits, "weights": weights},
                 ja=[2, 10, *as_written.shape, *rows.shape, "weights"], en=[2, *as_written.shape, *rows.shape, "weights"],
                 says=None if fits else {"ja": ["計算できません"], "en": ["does not fit"]},
                 corrected_ja=[1, 1], corrected_en=[1])


@claim
def a_qk():
    queries, keys = np.ones((3, 2)), ten_vectors()
    fits = works(lambda: queries @ keys)
    rows, columns = (queries @ keys.T).shape
    return found("holds" if fits else "remark", {"product_fits": fits, "rows": rows, "columns": columns},
                 ja=[3, 10, 2, "rows", "columns"], says=None if fits else {"ja": ["計算できません"], "en": ["does not fit"]},
                 corrected_ja=["2.2.12"])


@claim
def a_figure_shifted():
    captioned, referred = 12, 13  # the picture of several queries, and how the text before it calls it: read off
    shown = [f"2.2.{captioned}", f"2.2.{referred}", f"2.2.{referred}"]
    return found("remark", {"captioned": captioned, "referred": referred}, ja=shown,
                 corrected_ja=["2.2.12", "2.2.7", "2.2.13", "2.2.12"])


@claim
def a_damaged_code():
    printed = {"np.arrav": "np.array", "output. attention weights": "output, attention_weights",
               "output.shap e": "output.shape"}  # read off codes 2.2.3 and 2.2.4
    assert not hasattr(np, "arrav") and hasattr(np, "array")
    stray, unclosed, shifted = 1, 1, 1  # read off
    return found("remark", {"damaged": sum(word != meant for word, meant in printed.items()), "stray": stray,
                            "unclosed": unclosed, "shifted": shifted},
                 ja=["damaged", "2.2.3", "2.2.4", "stray", "2.2.3", "unclosed", "2.2.8", "shifted", "2.2.8", "2.2.9", "2.2.10"],
                 en=["damaged", "2.2.3", "2.2.4", "stray", "2.2.3", "unclosed", "shifted", "2.2.8", "2.2.9", "2.2.10"],
                 corrected_ja=[])


@claim
def a_figure_number():
    figures = "1 2 3 4 2 6 7 8 9 10 11 12 13 14 15".split()  # 2.2.N, read off the document
    twice = [figure for figure in set(figures) if figures.count(figure) == 2]
    missing = set(map(str, range(1, 16))) - set(figures)
    assert len(twice) == len(missing) == 1
    numbers = {"figures": len(figures), "distinct": len(set(figures)), "twice": int(twice[0]), "missing": int(missing.pop())}
    shown = ["figures", "distinct", f"2.2.{numbers['twice']}"]
    return found("remark", numbers, ja=[*shown, 2, f"2.2.{numbers['missing']}"], en=[*shown, f"2.2.{numbers['missing']}"],
                 corrected_ja=[2, "2.2.2", "2.2.2", "2.2.5"], corrected_en=["2.2.2", "2.2.5"])


@claim
def a_row_sums():
    queries = np.array([QUERY, [1, 0], [0, 1]])
    weights = softmax(queries @ ten_vectors().T)
    return found(holds_if(weights.shape == (3, 10) and np.allclose(weights.sum(axis=1), 1, rtol=0, atol=1e-12)),
                 {"sum_error": NOISE, "rows": len(weights), "columns": weights.shape[1]},
                 ja=["rows", "columns", 1, "sum_error"])


@claim
def a_global_maximum():
    queries = np.array([QUERY, [1, 0], [0, 1]])
    scores = queries @ ten_vectors().T
    assert np.allclose(softmax_of_the_book(scores), softmax(scores), rtol=0, atol=1e-12)
    rows = np.array([[1000.0, 999.0], [0.0, -1.0]])
    with np.errstate(invalid="ignore"):
        second = softmax_of_the_book(rows)[1, 0]
    own = softmax(rows)[1]

    def error(gap):  # in the type of gap
        return abs(float(softmax_of_the_book(np.array([[gap, gap - 1], [0, -1]], dtype=gap.dtype))[1, 0]) - own[0])

    errors = {"error_740": error(np.float64(740)), "error_744": error(np.float64(744.5)),
              "error_float32": error(np.float32(102))}
    # exp(-x) is rounded to 0 once it is below half of the smallest number: 2^-1074, in float32 2^-149. It has fewer
    # digits once it is below 2^-1022, in float32 2^-126.
    underflow, underflow_float32 = 1075 * np.log(2), 150 * np.log(2)
    subnormal, subnormal_float32 = 1022 * np.log(2), 126 * np.log(2)
    return found("holds_only_if" if np.isnan(second) else "holds", {"difference_for_the_books_queries": NOISE, "second_row": second,
                                                   "own_maximum_first": own[0], "own_maximum_second": own[1], **errors},
                 ja=[len(queries), "difference_for_the_books_queries", 1, 0, -1, 2, "own_maximum_first",
                     "own_maximum_second", 740, "error_740", "744.5", "error_744", 1000, 32, 102, "error_float32"],
                 en=["difference_for_the_books_queries", 1, 0, -1, "own_maximum_first", "own_maximum_second", "error_740",
                     740, "error_744", "744.5", 1000, 32, "error_float32", 102],
                 says={"ja": ["NaN"], "en": ["NaN"]} if np.isnan(second) else None,
                 corrected_ja=[-1, subnormal, 32, subnormal_float32, underflow, 32, underflow_float32],
                 corrected_en=[-1, subnormal, subnormal_float32, 32, underflow, underflow_float32])


# --- A: the textbook, section 2.2.3 -----------------------------------------------------------------------------------


def large_products():
    """Documents A and D."""
    random, numbers = RandomState(0), {}
    for d in (4, 1024):
        q, k = random.randn(1000, d), random.randn(1000, d)
        products = np.sum(q * k, axis=1)
        numbers.update({f"mean_{d}": products.mean(), f"deviation_{d}": products.std()})
    mean_stays = abs(numbers["mean_1024"]) < 4 * numbers["deviation_1024"] / np.sqrt(1000)
    return found("holds_only_if" if mean_stays else "holds", numbers,
                 ja=[0, 4, "mean_4", "deviation_4", 1024, "mean_1024", "deviation_1024"],
                 en=[0, "mean_4", "deviation_4", 4, "mean_1024", "deviation_1024", 1024], corrected_ja=[0])


@claim
def a_large_values():
    return large_products()


@claim
def a_deviation():
    random, deviation = RandomState(0), {}
    for d in (1, 4, 16, 64, 256, 1024):
        q, k = random.randn(1000, d), random.randn(1000, d)
        deviation[d] = np.sum(q * k, axis=1).std()
    worst = max(abs(spread / np.sqrt(d) - 1) for d, spread in deviation.items())
    # A deviation of 1000 numbers is uncertain by some per cent.
    return found("remark" if worst < 0.1 else "fails", {"deviation_at_64": deviation[64], "largest_relative_error": worst},
                 ja=[0, 64, "deviation_at_64", 64, np.sqrt(64), min(deviation), max(deviation), 100 * worst],
                 corrected_ja=["2.2.3", "2.2.9"])


def panels():
    """Code 2.2.5 and 2.2.6 from RandomState(0): s1_1, s1_2, s2_1, s2_2."""
    random = RandomState(0)
    q1, q2 = random.randn(1), random.randn(100)
    k1, k2 = random.randn(20, 1), random.randn(20, 100)
    dot1, dot2 = k1 @ q1, k2 @ q2
    return softmax(dot1), softmax(dot1 / np.sqrt(1)), softmax(dot2), softmax(dot2 / np.sqrt(100))


@claim
def a_one_dimension():
    s1_1, s1_2, _, _ = panels()
    difference = np.abs(s1_1 - s1_2).max()
    return found(holds_if(difference == 0), {"largest_difference": difference}, ja=[1, 1, 1, "largest_difference"])


@claim
def a_stuck_to_zero():
    _, _, raw, scaled = panels()
    stuck, stuck_scaled = np.sum(raw < 0.01), np.sum(scaled < 0.01)
    return found(holds_if(stuck > len(raw) / 2 and stuck_scaled < stuck / 2),
                 {"near_zero_unscaled": stuck, "near_zero_scaled": stuck_scaled, "largest_unscaled": raw.max(),
                  "largest_scaled": scaled.max()},
                 ja=[100, 0.01, len(raw), "near_zero_unscaled", "near_zero_scaled", "largest_unscaled",
                     "largest_scaled"],
                 en=[100, "near_zero_unscaled", len(raw), 0.01, "near_zero_scaled", "largest_unscaled",
                     "largest_scaled"])


@claim
def a_free_panel():
    _, s1_2, s2_1, s2_2 = panels()
    limit = max(np.max(s1_2), np.max(s2_2)) + 0.1  # code 2.2.7
    return found("remark" if s2_1.max() > limit else "holds", {"shared_limit": limit, "largest_weight": s2_1.max()},
                 ja=[0, 3, "shared_limit", "largest_weight"], en=[0, "shared_limit", "largest_weight"],
                 corrected_ja=[4, 1], corrected_en=[])


# --- A: the textbook, section 2.2.4 -----------------------------------------------------------------------------------


@claim
def a_free_widths():
    x = np.ones((3, 8))

    def fits(d_q, d_k, d_v):
        w_q, w_k, w_v = (np.ones((2, 8, width)) for width in (d_q, d_k, d_v))
        return works(lambda: multi_head(w_q, w_k, w_v, np.ones((2 * d_v, 8)), x, x))

    unequal_refused, value_free = not fits(3, 4, 5), fits(4, 4, 5)
    assert value_free
    return found(holds_if(not unequal_refused), {"unequal_refused": unequal_refused, "value_width_free": value_free},
                 ja=[3, 4, 4, 5],
                 says={"ja": ["計算できません", "計算できます"], "en": ["cannot be computed", "works"]})


@claim
def a_output_width():
    x, w = RandomState(0).randn(3, 8), np.ones((3, 8, 2))
    joined, output = multi_head(w, w, w, np.ones((6, 8)), x, x)
    return found(holds_if(joined.shape[-1] != 8 and output.shape[-1] == 8),
                 {"joined_width": joined.shape[-1], "output_width": output.shape[-1]},
                 ja=[3, 2, "joined_width", "output_width"], en=[2, "joined_width", "output_width"])


@claim
def a_whole_width():
    d_model, d, heads = 10, 8, 4
    return found("remark" if d_model >= d and d_model % heads else "holds",
                 {"quotient": d_model / heads, "width": 12 / heads}, ja=[d_model, d, heads, d_model, heads, "quotient"],
                 corrected_ja=[12, heads, "width"])


def gradients_of_heads(weights, w_o, x):
    """By W_Q, W_K and W_V (heads, d_model, width) of half the squared output, by central differences: (heads, n)."""
    step, gradients = 1e-5, []
    for matrices in weights:
        gradient = np.zeros_like(matrices)
        for place in np.ndindex(*matrices.shape):
            losses = []
            for moved in (step, -step):
                kept = matrices[place]
                matrices[place] += moved
                losses.append(0.5 * np.sum(multi_head(*weights, w_o, x, x)[1] ** 2))
                matrices[place] = kept
            gradient[place] = (losses[0] - losses[1]) / (2 * step)
        gradients.append(gradient.reshape(len(matrices), -1))
    return np.hstack(gradients)


@claim
def a_initial_values():
    random = RandomState(0)
    x = random.randn(3, 8)
    weights = [0.3 * random.randn(2, 8, 4) for _ in range(3)]
    w_o = 0.3 * random.randn(8, 8)
    other = np.ptp(gradients_of_heads(weights, w_o, x), axis=0).max()
    for matrices in weights:
        matrices[1] = matrices[0]
    w_o[4:] = w_o[:4]
    same = np.ptp(gradients_of_heads(weights, w_o, x), axis=0).max()
    return found(holds_if(same < 1e-6 < 0.01 < other),
                 {"same_start": {"below": 1e-6}, "other_start": {"value": other, "within": 1e-6}},
                 ja=[2, "same_start", "other_start"])


@claim
def a_concat():
    heads = [np.array([[1.0, 2, 3]]), np.array([[4.0, 5, 6]])]  # one query each
    joined = np.concatenate(heads, axis=-1)[0]
    in_order = np.array_equal(joined, [1, 2, 3, 4, 5, 6])
    return found(holds_if(in_order), {"in_order": in_order}, ja=list(joined))


@claim
def a_output_layer():
    n_heads, d_model, d_k = 4, 16, 4  # code 2.2.11
    query, key = np.ones((2, 3, d_model)), np.ones((2, 4, d_model))
    w = np.ones((n_heads, d_model, d_k))

    def fits(d_v):
        w_v, linear_o = np.ones((n_heads, d_model, d_v)), np.ones((n_heads * d_model, d_model))
        return works(lambda: multi_head(w, w, w_v, linear_o, query, key))

    as_printed, wide = fits(d_k), fits(d_model)
    return found("holds" if as_printed else "holds_only_if" if wide else "fails",
                 {"fits_as_printed": as_printed, "fits_with_d_v_equal_d_model": wide},
                 ja=["2.2.11", n_heads, d_k, n_heads * d_k, n_heads, d_model, n_heads * d_model, d_model],
                 says={"ja": ["掛けられません", "合います"], "en": ["they do not fit", "it fits"]})


@claim
def a_biases():
    random = RandomState(0)
    x = random.randn(3, 16)
    w_q, w_k, w_v = (random.randn(4, 16, 4) for _ in range(3))
    random.randn(16, 16)  # W_O
    b_q, b_k, b_v = (random.randn(4, 4) for _ in range(3))
    without, _ = multi_head(w_q, w_k, w_v, np.eye(16), x, x)
    heads = [attend(x @ q + p, x @ k + r, x @ v + t)[0] for q, p, k, r, v, t in zip(w_q, b_q, w_k, b_k, w_v, b_v)]
    difference = np.abs(np.concatenate(heads, axis=-1) - without).max()
    return found("remark", {"weights": 3 * w_q.size, "biases": 3 * b_q.size, "difference": difference},
                 ja=[16, 4, 4, "weights", "biases", "difference"], en=[16, 4, "weights", "biases", "difference"])


@claim
def a_output_shape():
    n_heads, d_model, d_k = 4, 16, 4
    query, key, w = np.ones((2, 3, d_model)), np.ones((2, 4, d_model)), np.ones((n_heads, d_model, d_k))
    runs = works(lambda: multi_head(w, w, w, np.ones((n_heads * d_model, d_model)), query, key))
    joined, output = multi_head(w, w, w, np.ones((n_heads * d_k, d_model)), query, key)
    batch, queries, width = output.shape
    return found("holds" if runs else "holds_only_if" if output.shape == (2, 3, 16) else "fails",
                 {"runs_as_printed": runs, "batch": batch, "queries": queries, "width": width},
                 ja=[np.prod(joined.shape[:2]), joined.shape[2], n_heads * d_model, n_heads * d_k, "batch", "queries", "width"],
                 says={"ja": ["エラーになります"], "en": ["raises an error"]}, corrected_ja=["2.2.10"])


@claim
def a_left_over_comment():
    batch_size, d_model, query_len, key_len = 2, 16, 3, 4
    return found("remark", {"query": batch_size * query_len * d_model, "key": batch_size * key_len * d_model},
                 ja=[3, "query", "key", "key"], corrected_ja=["2.2.8"])


# --- B: the course ----------------------------------------------------------------------------------------------------


@claim
def b_next_token():
    random = RandomState(0)
    probabilities = softmax(random.randn(5, 4) @ random.randn(4, 7))
    rows, columns = probabilities.shape
    return found("remark", {"rows": rows, "columns": columns, "largest": probabilities[-1].max()},
                 ja=[5, 7, "rows", "columns", "largest"])


@claim
def b_batch():
    x = RandomState(0).randn(2, 3, 4, 5)
    together = attend(x, x, x)[0].reshape(6, 4, 5)
    alone = np.array([attend(one, one, one)[0] for one in x.reshape(6, 4, 5)])
    return found(holds_if(np.allclose(together, alone, rtol=0, atol=1e-12)), {"largest_difference": NOISE},
                 ja=[*x.shape, 6, 1, "largest_difference"], en=[*x.shape, "largest_difference"])


@claim
def b_source_length():
    random = RandomState(0)
    output, weights = attend(random.randn(3, 4), random.randn(5, 4), random.randn(5, 4))
    return found("holds" if len(output) == 5 else "holds_only_if", {"output_rows": len(output), "keys": weights.shape[1]},
                 ja=[3, "keys", "output_rows", "output_rows", "keys"])


@claim
def b_rsqrt():
    length, d = 1024, 64
    assert 1 / np.sqrt(d) == 0.125
    return found("remark", {"multiplications": length * length * d, "roots": np.size(1 / np.sqrt(d))},
                 ja=[length, d, "multiplications", 1, "roots"],
                 en=[length, d, "multiplications", "roots"], corrected_ja=[1], corrected_en=[])


@claim
def b_one_line():
    random = RandomState(0)
    query, key = random.randn(1024, 64), random.randn(1024, 64)

    def peak(computation):
        """Numbers held at most beside the inputs."""
        tracemalloc.start()
        result = computation()
        most = tracemalloc.get_traced_memory()[1] / result.itemsize
        tracemalloc.stop()
        return most

    def another_array():
        scores = query @ key.T
        return scores * 0.125

    def in_place():
        scores = query @ key.T
        scores *= 0.125
        return scores

    product = len(query) * len(key)
    one_line = peak(lambda: query @ key.T * 0.125)  # NumPy takes the product's array for the result
    for measured, expected in ((one_line, product), (peak(another_array), 2 * product), (peak(in_place), product)):
        assert abs(measured - expected) < 1000
    return found("holds_only_if", {"product": product, "both": 2 * product}, ja=[1024, "product", "both", 2, "product"])


@claim
def b_relations():
    w, x = RandomState(1).randn(4, 4), RandomState(0).randn(5, 4)
    changed = x.copy()
    changed[1] += [1, 2, 3, 4]

    def moved(layer):
        return np.abs(layer(x)[0] - layer(changed)[0]).max()

    mlp = lambda y: np.maximum(y @ w, 0)
    numbers = {"with_attention": moved(lambda y: mlp(y + attend(y, y, y)[0])), "without_attention": moved(mlp)}
    return found(holds_if(numbers["with_attention"] > 0 == numbers["without_attention"]), numbers,
                 ja=[1, *numbers], en=[*numbers])


@claim
def b_masked_probability():
    weights = softmax(np.array([0.3, -np.inf, 1.2]))
    return found(holds_if(weights[1] == 0), {"first": weights[0], "weight": weights[1], "third": weights[2]},
                 ja=[0.3, 1.2, "first", "weight", "third"])


@claim
def b_broadcast():
    random = RandomState(0)
    x, mask = random.randn(2, 3, 4, 5), random.randn(1, 1, 4, 4)
    scores = x @ x.swapaxes(-1, -2) / np.sqrt(5)
    outputs = [softmax(scores + one) @ x for one in (mask, np.broadcast_to(mask, scores.shape).copy())]
    return found("remark", {"matrices": x[..., 0, 0].size, "largest_difference": np.abs(outputs[0] - outputs[1]).max()},
                 ja=[2, 3, 4, 5, "matrices", 1, 1, 4, 4, "matrices", "largest_difference"])


@claim
def b_transposition():
    x = RandomState(0).randn(2, 5, 4)  # heads, length, width
    numbers = {}
    for name, order in {"with": (0, 1, 2), "without": (1, 0, 2)}.items():
        for axis, of in enumerate(("heads", "tokens")):
            changed = x.copy()
            changed[(slice(None),) * axis + (1,)] += [1, 2, 3, 4]
            outputs = [attend(*[one.transpose(order)] * 3)[0].transpose(order).take(0, axis) for one in (x, changed)]
            numbers[f"{of}_{name}"] = np.abs(outputs[1] - outputs[0]).max()
    return found(holds_if(numbers["heads_with"] == 0 < numbers["tokens_without"]), numbers,
                 ja=["heads_with", "tokens_with", "heads_without", "tokens_without"], corrected_ja=[1], corrected_en=[])


@claim
def b_head_width():
    return found(holds_if(768 // 12 == 64), {"head_dim": 768 // 12}, ja=[768, 12, "head_dim"])


@claim
def b_shape_assertion():
    x = np.ones((2, 3, 8))  # E = 8; linear(x, w) is x w.T

    def fits(*shape):
        return works(lambda: x @ np.ones(shape).T)

    asserted, of_the_text, square = fits(8, 6), fits(6, 8), fits(8, 8)
    return found("holds" if asserted else "holds_only_if" if square and of_the_text else "fails",
                 {"asserted_shape_fits": asserted, "shape_of_the_text_fits": of_the_text}, ja=[8, 6, 8, 6, 6, 8],
                 says={"ja": ["渡せません", "渡せます"], "en": ["does not fit", "text's shape", "does."]})


@claim
def b_output_assertion():
    joined = np.ones((2, 3, 6))  # E = 8, H D = 6; linear(x, w) is x w.T

    def fits(*shape):
        return works(lambda: joined @ np.ones(shape).T)

    asserted, of_the_text = fits(6, 8), fits(8, 6)
    return found("holds" if asserted else "holds_only_if" if of_the_text else "fails",
                 {"asserted_shape_fits": asserted, "shape_of_the_text_fits": of_the_text}, ja=[8, 6, 6, 8, 8, 6],
                 says={"ja": ["渡せません", "渡せます"], "en": ["does not fit", "text's shape", "does."]})


@claim
def b_shape_comment():
    x = np.ones((2, 3, 8))
    as_commented, other = (works(lambda: x @ np.ones(shape).T) for shape in ((8, 6), (6, 8)))
    return found("holds" if as_commented else "holds_only_if" if other else "fails",
                 {"as_commented_fits": as_commented, "other_fits": other}, ja=[8, 6, 2, 3, 8, 8, 6, 6, 8],
                 says={"ja": ["掛けられません", "掛けられます"], "en": ["does not work", "does."]})


@claim
def b_scale_once():
    length, heads, width = 1024, 12, 64
    return found("remark", {"multiplications": 2 * heads * length * length * width, "roots": 1},
                 ja=[length, heads, width, 1, "multiplications", "roots"], en=[length, heads, width, "multiplications", "roots"],
                 corrected_ja=[1], corrected_en=[])


# --- C: the notebook, by PyTorch --------------------------------------------------------------------------------------


def of_pytorch(case, name):
    """An array of data/reference/heads, made by make_heads_reference.py with PyTorch."""
    array = json.loads((HERE / "heads" / f"{case}.json").read_text())["arrays"][name]
    return np.array(array["data"]).reshape(array["shape"])


def near(value):
    """A float32 whose randn may lie 1e-6 from PyTorch's, which approximates log, cos and sin."""
    return {"value": value, "within": 2e-6}


@claim
def c_subspaces():
    w_q = RandomState(0).uniform(-1, 1, (128, 128)) / np.sqrt(128)  # nn.Linear draws from this interval, too
    rank, of_a_head = np.linalg.matrix_rank(w_q), np.linalg.matrix_rank(w_q[:32])
    return found("holds" if rank < 128 else "holds_only_if", {"rank": rank, "rank_of_head": of_a_head},
                 ja=[128, 128, "rank", 1, 32, "rank_of_head"], en=[128, 128, "rank", 32, "rank_of_head"],
                 corrected_ja=[32, 128, 128])


@claim
def c_boolean_mask():
    hide = np.array([False, True, True, True])
    added, additive = softmax(np.zeros(4) + hide), softmax(np.where(hide, -np.inf, 0.0))
    return found("holds" if added[1] == 0 else "holds_only_if" if additive[1] == 0 else "fails",
                 {"hidden": added[1], "visible": added[0], "hidden_additive": additive[1], "visible_additive": additive[0]},
                 ja=[4, 3, 1, "hidden", "visible", 0, "hidden_additive", "visible_additive"],
                 en=[3, 1, "hidden", "visible", 0, "hidden_additive", "visible_additive"], corrected_ja=[0])


@claim
def c_normalised():
    weights = of_pytorch("notebook", "weights")[0]  # (heads, 7, 7)
    return found(holds_if(np.allclose(weights.sum(axis=-1), 1, rtol=0, atol=1e-6)), {"sum_error": NOISE_FLOAT32},
                 ja=[*weights.shape[:2], 1, "sum_error", 32])


@claim
def c_different_heads():
    weights = of_pytorch("notebook", "weights")[0]
    smallest = min(np.abs(weights[a] - weights[b]).max() for a in range(4) for b in range(a))
    return found(holds_if(smallest > 0.01), {"smallest_difference": near(smallest)},
                 ja=[2, "smallest_difference"], en=["smallest_difference"])


@claim
def c_output_shape():
    output = of_pytorch("notebook", "output")
    batch, positions, width = output.shape
    return found(holds_if(output.shape == (1, 7, 128)),
                 {"batch": batch, "positions": positions, "width": width, "first_value": near(output.flat[0])},
                 ja=[0, "batch", "positions", "width", "first_value"])


# --- D: the article ---------------------------------------------------------------------------------------------------


def products(d):
    """q·k of 200 random queries and 20 random keys."""
    random = RandomState(1)
    return random.randn(200, d) @ random.randn(20, d).T


def rnn_gradients(radius, tokens=24, width=16):
    """‖∂h_T/∂h_t‖ / √width against T - t, the change of each coordinate of h_t carried forwards."""
    random = RandomState(0)
    q, r = np.linalg.qr(random.randn(width, width).T)
    w = radius * (q * np.sign(np.diag(r))).T
    u = random.randn(width, width) * 0.001
    random.randn(3, width, width)  # attention's projections
    x = random.randn(tokens, width)
    states = np.zeros((tokens + 1, width))
    for t in range(tokens):
        states[t] = np.tanh(w @ states[t - 1] + u @ x[t])
    sizes = []
    for start in range(tokens - 1, -1, -1):
        change = np.eye(width)
        for t in range(start + 1, tokens):
            change = (1 - states[t][:, None] ** 2) * (w @ change)
        sizes.append(np.linalg.norm(change) / np.sqrt(width))
    return sizes


@claim
def d_sequential():
    tokens = 24
    dependent = np.sum(np.array(rnn_gradients(1.0, tokens)) > 1e-6)
    step = 0
    for _ in range(tokens):
        step = step + 1  # after the state before it
    return found(holds_if(dependent == tokens and step == tokens),
                 {"tokens": tokens, "dependent": dependent, "rnn_steps": step},
                 ja=["tokens", "dependent", 0, "rnn_steps"])


@claim
def d_vanishing():
    low, middle, high = 0.7, 1.0, 1.2
    vanishing, steady, exploding = (rnn_gradients(radius)[-1] for radius in (low, middle, high))
    away_from_one = vanishing < 1e-2 and exploding > 10
    assert away_from_one and 1e-2 < steady < 10
    return found("holds_only_if", {"distance": 23, "low": low, "vanishing": vanishing, "middle": middle,
                                   "steady": steady, "high": high, "exploding": exploding},
                 ja=["distance", "low", "vanishing", "high", "exploding", "middle", "steady"],
                 en=["distance", "vanishing", "low", "exploding", "high", "steady", "middle"], corrected_ja=[1, 1])


@claim
def d_direct():
    tokens = 24
    steps = []
    for word in range(tokens):  # each reads all that were written before
        steps.append(1 + max(steps, default=0))
    return found("holds_only_if", {"tokens": tokens, "longest_path": 1, "generation_steps": steps[-1]},
                 ja=["tokens", "longest_path", 1, "generation_steps"], en=["tokens", "longest_path", "generation_steps"])


@claim
def d_large_values():
    return large_products()


@claim
def d_variance():
    variance = products(64).var()
    # The products share 20 keys, so that their variance is uncertain by some per cent.
    return found(holds_if(abs(variance / 64 - 1) < 0.15), {"variance": variance, "scaled_variance": variance / 64},
                 ja=[1, 64, "variance", "scaled_variance"])


@claim
def d_gradient():
    raw, scaled = (np.mean([np.linalg.norm(np.diag(p) - np.outer(p, p)) for p in softmax(scores)])
                   for scores in (products(1024), products(1024) / np.sqrt(1024)))
    return found(holds_if(raw < scaled / 2), {"gradient_unscaled": raw, "gradient_scaled": scaled},
                 ja=[1, 1024, "gradient_unscaled", "gradient_scaled"])


@claim
def d_weighted_mean():
    random = RandomState(0)
    query, key, value = random.randn(50, 4), random.randn(6, 4), random.randn(6, 2)
    output, _ = attend(query, key, value)
    inside = (output > value.min(axis=0) - 1e-12).all() and (output < value.max(axis=0) + 1e-12).all()
    return found(holds_if(inside), {"outside": NOISE}, ja=[len(output), "outside"], en=["outside"])


@claim
def d_colour_range():
    random = RandomState(42)
    x = random.randn(4, 8)
    w_q, w_k = random.randn(8, 8) * 0.1, random.randn(8, 8) * 0.1
    _, weights = attend(x @ w_q, x @ w_k, x)
    share = weights.max() - weights.min()
    return found("remark" if share < 0.1 else "holds",
                 {"smallest": weights.min(), "largest": weights.max(), "share": share},
                 ja=["smallest", "largest", 0, 1, 100 * share], en=["smallest", "largest", 100 * share, 0, 1])


@claim
def d_parameter_counts():
    def projections(heads):
        return 3 * heads * 8 * (8 // heads)  # W_Q, W_K, W_V

    output = 8 * 8
    several, one, one_without = projections(2) + output, projections(1) + output, projections(1)
    return found("fails" if several != one else "holds" if several == one_without else "holds_only_if",
                 {"several_heads": several, "one_head_with_output": one, "one_head_without": one_without},
                 ja=[8, 2, "several_heads", 1, "one_head_with_output", "one_head_without"],
                 en=[8, "several_heads", "one_head_with_output", "one_head_without"])


@claim
def d_one_seed():
    x, w_q = RandomState(42).randn(6, 16), RandomState(42).randn(4, 16, 4) * 0.1
    equal = np.sum(w_q.ravel()[:x.size] == 0.1 * x.ravel())
    return found("remark" if equal == x.size else "holds", {"equal_numbers": equal}, ja=["equal_numbers", 0.1],
                 corrected_ja=[0], corrected_en=[])


def reordered():
    """Attention over six tokens: the outputs, those of the tokens in another order, and that order."""
    x, order = RandomState(0).randn(6, 8), [3, 0, 5, 1, 4, 2]
    outputs = [softmax(tokens @ tokens.T * 0.35) @ tokens for tokens in (x, x[order])]
    return (*outputs, order)


@claim
def d_permutation():
    output, moved, order = reordered()
    return found(holds_if(np.allclose(output[order], moved, rtol=0, atol=1e-12)), {"largest_difference": NOISE},
                 ja=["largest_difference"])


@claim
def d_invariant():
    output, moved, order = reordered()
    difference = np.abs(output - moved).max()
    assert np.allclose(output[order], moved, rtol=0, atol=1e-12)
    return found(holds_if(difference < 1e-12), {"difference_row_by_row": difference, "difference_reordered": NOISE},
                 ja=["difference_row_by_row", "difference_reordered"])


@claim
def d_local():
    t, alpha, window = 32, 0.3, 5
    moving_average = np.convolve(np.eye(64)[t], np.ones(window) / window, mode="same")
    ema = np.array([alpha * (1 - alpha) ** (t - s) if s > 0 else (1 - alpha) ** t for s in range(t + 1)])
    reaches = np.count_nonzero(moving_average), np.count_nonzero(ema)
    share = ema[:t - window + 1].sum()
    return found("holds" if reaches[1] <= window else "holds_only_if",
                 {"moving_average_reach": reaches[0], "ema_reach": reaches[1], "ema_share": share},
                 ja=[t, 0, window, "moving_average_reach", alpha, "ema_reach", 100 * share, window],
                 en=[t, window, "moving_average_reach", 0, alpha, "ema_reach", 100 * share, window])


@claim
def d_frequencies():
    row = positional_encoding(2, 64)[1]
    frequencies = np.concatenate([np.arcsin(row[0::2]), np.arccos(row[1::2])])
    distinct = np.sum(np.diff(np.sort(frequencies)) > 1e-6) + 1
    return found("holds" if distinct == 64 else "fails", {"dimensions": len(row), "frequencies": distinct},
                 ja=["dimensions", "frequencies"], corrected_ja=[2, 2, 1])


@claim
def d_odd_width():
    odd, even = (works(lambda: positional_encoding(5, width)) for width in (7, 8))
    columns, frequencies = np.zeros((5, 7))[:, 0::2].shape[1], len(np.arange(7 // 2))
    return found("holds" if odd else "holds_only_if" if even else "fails",
                 {"columns": columns, "frequencies": frequencies, "fits": odd}, ja=[7, "columns", "frequencies"],
                 says=None if odd else {"ja": ["代入できません"], "en": ["do not fit"]}, corrected_ja=[1], corrected_en=[])


@claim
def d_unique_positions():
    encoding = positional_encoding(50, 64)
    nearest = min(np.linalg.norm(encoding[a] - encoding[b]) for a in range(50) for b in range(a))
    return found(holds_if(nearest > 0.1), {"nearest": nearest}, ja=[50, 2, "nearest"], en=[50, "nearest"])


@claim
def d_parity():
    x, random = RandomState(42).randn(4, 8).astype(np.float32), RandomState(0)
    w_q, w_k, w_v = (random.randn(2, 8, 4) * 0.1 for _ in range(3))
    _, output = multi_head(w_q, w_k, w_v, random.randn(8, 8) * 0.1, x, x)
    agree = np.allclose(output, of_pytorch("parity", "pytorch_output"), rtol=0, atol=1e-7)
    return found(holds_if(agree), {"largest_difference": {"below": 1e-7}},  # float32
                 ja=["1.13", 0, 4, "largest_difference"], en=[0, 4, "1.13", "largest_difference"])


@claim
def d_dynamic_weights():
    random = RandomState(0)
    weights = [attend(x, x, x)[1] for x in (random.randn(8, 4), random.randn(8, 4))]
    difference = np.abs(weights[0] - weights[1]).max()
    return found(holds_if(difference > 0.1), {"largest_difference": difference, "filter_change": NOISE},
                 ja=[1, "filter_change", "largest_difference"], en=["filter_change", "largest_difference"])


@claim
def d_between_sequences():
    x = RandomState(0).randn(2, 5, 4)
    changed = x.copy()
    changed[0, 1] += [1, 2, 3, 4]
    moved = np.abs(attend(x, x, x)[0] - attend(changed, changed, changed)[0])
    numbers = {"within": moved[0, 0].max(), "between": moved[1].max()}
    return found("fails" if numbers["within"] > 0 == numbers["between"] else "holds", numbers,
                 ja=[2, *numbers], en=[*numbers])


# --- E: the slides, attention -----------------------------------------------------------------------------------------


def tokens():
    """X (5, 4), then U, W_q, W_k, W_v (4, 4)."""
    random = RandomState(0)
    return [random.randn(5, 4)] + [random.randn(4, 4) for _ in range(4)]


@claim
def e_pooling_weights():
    x = tokens()[0]
    a = softmax(x @ x.T)
    return found(holds_if(a.min() > 0 and np.allclose(a.sum(axis=1), 1, rtol=0, atol=1e-12)),
                 {"smallest_weight": a.min(), "sum_error": NOISE}, ja=["smallest_weight", 1, "sum_error"])


def symmetry(turned):
    s = turned @ turned.T
    return found(holds_if(np.allclose(s, s.T, rtol=0, atol=1e-12)),
                 {"asymmetry": NOISE, "asymmetry_of_weights": np.abs(softmax(s) - softmax(s).T).max()},
                 ja=["asymmetry", "asymmetry_of_weights"])


@claim
def e_scheme_1_symmetric():
    return symmetry(tokens()[0])


@claim
def e_scheme_1_shape():
    x = tokens()[0]
    a = softmax(x @ x.T)
    y = a @ x
    return found(holds_if(y.shape == (5, 5)), {"rows_of_y": len(y), "columns_of_y": y.shape[1]},
                 ja=[*x.shape, *a.shape, "rows_of_y", "columns_of_y"])


@claim
def e_scheme_2_symmetric():
    x, u, *_ = tokens()
    return symmetry(x @ u)


@claim
def e_order_kept():
    x, u, *_ = tokens()
    scores = x @ u @ u.T @ x.T
    weights, row = softmax(scores).ravel(), np.repeat(np.arange(5), 5)
    scores = scores.ravel()
    turned_round = (scores[:, None] < scores - 1e-9) & (weights[:, None] > weights)  # s_nm = s_mn but for rounding
    same_row = row[:, None] == row
    within, across = np.sum(turned_round & same_row), np.sum(turned_round & ~same_row)
    return found("fails" if within else "holds_only_if" if across else "holds",
                 {"within_a_row": within, "across_rows": across}, ja=["within_a_row", "across_rows"],
                 corrected_ja=[1], corrected_en=[])


@claim
def e_value_matrix():
    x, w_v, w_o = np.ones((5, 4)), np.ones((4, 3)), np.ones((2 * 3, 4))  # W^(o) of the slide with several heads
    fits = works(lambda: x @ w_o)
    return found(holds_if(fits), {"w_output_fits": fits}, ja=[4, 2, 3, *(x @ w_v).shape, *w_o.shape],
                 says=None if fits else {"ja": ["計算できません"], "en": ["cannot be computed"]})


@claim
def e_linear():
    x, _, w_q, w_k, w_v = tokens()
    once, a = attend(x @ w_q, x @ w_k, x @ w_v)
    twice, _ = attend(2 * x @ w_q, 2 * x @ w_k, 2 * x @ w_v)
    deviation = np.abs(twice - 2 * once).max()
    assert np.allclose(a @ (2 * x @ w_v), 2 * once, rtol=0, atol=1e-12)
    return found("holds" if deviation < 1e-12 else "holds_only_if",
                 {"deviation": deviation, "deviation_with_fixed_weights": NOISE},
                 ja=[2, 2, "deviation", "deviation_with_fixed_weights"],
                 en=["deviation", "deviation_with_fixed_weights"])


@claim
def e_last_token():
    x = tokens()[0]
    return found("remark", {"rows": len(x), "columns": x.shape[1]}, ja=[5, 4, "rows", "columns"],
                 corrected_ja=[1, 2, 1], corrected_en=[1, 2])


@claim
def e_value_shape():
    x, _, w_q, w_k, w_v = tokens()
    three, four = (attend(x @ w_q, x @ w_k, x @ w_v[:, :d_v])[0].shape[1] for d_v in (3, 4))
    return found("holds" if three == 4 else "holds_only_if" if four == 4 else "fails",
                 {"width_with_three": three, "width_with_four": four},
                 ja=[4, 3, "width_with_three", 4, "width_with_four"], en=[4, 3, "width_with_three", "width_with_four"],
                 corrected_ja=[1], corrected_en=[])


@claim
def e_criterion():
    x, _, w_q, w_k, w_v = tokens()
    once = attend(x @ w_q, x @ w_k, x @ w_v)[1]
    by_value = np.abs(attend(x @ w_q, x @ w_k, x @ (2 * w_v))[1] - once).max()
    by_query = np.abs(attend(x @ (2 * w_q), x @ w_k, x @ w_v)[1] - once).max()
    return found(holds_if(by_value > 0), {"change_by_value": by_value, "change_by_query": by_query},
                 ja=[2, "change_by_value", 2, "change_by_query"], en=["change_by_value", "change_by_query"])


def second_doubled(x):
    return x * np.array([1, 2, 1, 1, 1])[:, None]


@claim
def e_value_of_all():
    x, *_, w_v = tokens()
    changes = np.abs(second_doubled(x) @ w_v - x @ w_v).max(axis=1)
    return found("remark" if changes[0] == 0 else "holds", {"change_of_v_1": changes[0], "change_of_v_2": changes[1]},
                 ja=[2, 2, 2, "change_of_v_2", 1, "change_of_v_1"], en=[2, 2, "change_of_v_2", 1, "change_of_v_1"])


@claim
def e_own_token():
    x, _, w_q, w_k, w_v = tokens()
    y, changed = (attend(z @ w_q, z @ w_k, z @ w_v)[0] for z in (x, second_doubled(x)))
    change = np.abs(changed - y).max(axis=1)[2]
    return found("remark" if change > 0.01 else "holds", {"change_of_y_3": change}, ja=[3, 2, 2, 3, "change_of_y_3"],
                 en=[3, 2, 3, "change_of_y_3"], corrected_ja=[1, 1], corrected_en=[1])


@claim
def e_restated():
    x, _, w_q, w_k, w_v = tokens()
    output, a = attend(x @ w_q, x @ w_k, x @ w_v)
    difference = np.abs(a @ x - output).max()
    return found("remark" if difference > 1e-6 else "holds", {"difference": difference}, ja=[5, 4, "difference"])


@claim
def e_number_of_values():
    x, *_, w_v = tokens()
    n, d = x.shape
    values = len(x @ w_v)
    return found(holds_if(values == d), {"values": values}, ja=[n, d, "values"], corrected_ja=[1, 2])


def values_and_outputs(count):
    random = RandomState(0)
    query, key, value = random.randn(6, 4), random.randn(count, 4), random.randn(count, 4)
    return value, attend(query, key, value)[0]


@claim
def e_span():
    few, of_few = values_and_outputs(2)
    many, of_many = values_and_outputs(5)
    few_rank, of_few_rank, many_rank = (np.linalg.matrix_rank(matrix) for matrix in (few, of_few, many))
    limited = np.linalg.matrix_rank(np.vstack([few, of_few])) == few_rank < few.shape[1]
    outside = max(np.max(of_many - many.max(axis=0)), np.max(many.min(axis=0) - of_many))
    assert outside <= 0
    return found("holds" if limited and many_rank < 4 else "holds_only_if" if limited else "fails",
                 {"rank_of_two": few_rank, "rank_of_outputs": of_few_rank, "rank_of_five": many_rank, "outside": NOISE},
                 ja=[4, 2, "rank_of_two", 6, "rank_of_outputs", 5, "rank_of_five"], corrected_ja=["outside"])


def rank_of_output(heads, width):
    random = RandomState(0)
    x = random.randn(6, 4)
    w_q, w_k, w_v = (random.randn(heads, 4, width) for _ in range(3))
    return np.linalg.matrix_rank(multi_head(w_q, w_k, w_v, random.randn(heads * width, 4), x, x)[1])


@claim
def e_span_of_output():
    full, narrow = rank_of_output(2, 2), rank_of_output(1, 3)
    return found("holds" if full < 4 else "holds_only_if" if narrow < 4 else "fails", {"full": full, "narrow": narrow},
                 ja=[4, 4, 4, 6, "full", 3, 4, "narrow"])


@claim
def e_multi_head_shape():
    random = RandomState(0)
    x = random.randn(5, 4)
    w_q, w_k, w_v = (random.randn(2, 4, 3) for _ in range(3))
    rows, columns = multi_head(w_q, w_k, w_v, random.randn(6, 4), x, x)[1].shape
    return found("remark" if (rows, columns) == x.shape else "holds", {"rows": rows, "columns": columns},
                 ja=[5, 4, "rows", "columns"])


@claim
def e_flexible():
    x, u, *_ = tokens()

    def weights(matrix):
        return softmax(x @ matrix @ matrix.T @ x.T)

    own = softmax(x @ x.T)
    same, other = np.abs(weights(np.eye(4)) - own).max(), np.abs(weights(u) - own).max()
    return found(holds_if(same < 1e-12 and other > 0.1), {"difference_of_identity": NOISE, "difference_of_drawn": other},
                 ja=[1, "difference_of_identity", "difference_of_drawn"])


@claim
def e_asymmetric_relations():
    relations = {  # word: what a dictionary names at it
        "antonyms": {("hot", "cold"), ("cold", "hot"), ("rise", "fall"), ("fall", "rise")},
        "synonyms": {("big", "large"), ("large", "big"), ("begin", "start"), ("start", "begin")},
        "inclusion": {("dog", "animal"), ("cat", "animal"), ("rose", "flower"), ("lily", "flower")},
    }
    back = {name: sum((b, a) in pairs for a, b in pairs) for name, pairs in relations.items()}
    return found("holds_only_if" if back == {"antonyms": 4, "synonyms": 4, "inclusion": 0} else "holds", back,
                 ja=[4, "antonyms", "synonyms", "inclusion"])


def mean_largest(keys, d, size):
    """The largest weight of a random query, on average over 2000; q and k are `size` times as long."""
    random, largest = RandomState(0), []
    for _ in range(2000):
        query, key = size * random.randn(1, d), size * random.randn(keys, d)
        largest.append(attend(query, key, key)[1].max())
    return np.mean(largest)


@claim
def e_one_weight():
    ten, twenty = mean_largest(10, 64, 1), mean_largest(20, 100, 1)
    twice, five_times = mean_largest(10, 64, 2), mean_largest(10, 64, 5)
    return found("holds" if ten > 0.9 else "holds_only_if" if five_times > 0.9 else "fails",
                 {"ten_keys": ten, "twenty_keys": twenty, "twice_as_long": twice, "five_times_as_long": five_times},
                 ja=[0, 10, 64, "ten_keys", 20, 100, "twenty_keys", 2, "twice_as_long", 5, "five_times_as_long"],
                 en=[0, "ten_keys", 10, 64, "twenty_keys", 20, 100, "twice_as_long", "five_times_as_long"])


# --- E: the slides, what stands around attention ----------------------------------------------------------------------


@claim
def e_layer_norm():
    y, delta = np.array([1.0, 2, 3, 4]), 1e-5
    printed = ((y - y.mean()) / np.sqrt(y.std() + delta)).var()
    defined = ((y - y.mean()) / np.sqrt(y.var() + delta)).var()
    assert abs(defined - 1) < 1e-3
    return found(holds_if(abs(printed - 1) < 1e-3), {"variance_as_printed": printed, "variance_as_defined": defined},
                 ja=[*y, "variance_as_printed", "variance_as_defined"])


@claim
def e_mlp_rows():
    random = RandomState(0)
    first, second, z = random.randn(8, 4), random.randn(4, 8), random.randn(3, 4)

    def mlp(rows):
        return np.maximum(rows @ first.T, 0) @ second.T

    same = np.allclose(mlp(z), [mlp(row) for row in z], rtol=0, atol=1e-12)
    return found(holds_if(same), {"largest_difference": NOISE},
                 ja=[len(z), 1, "largest_difference"], en=["largest_difference"])


@claim
def e_order_nothing():
    output, moved, order = reordered()
    difference = np.abs(output - moved).max()
    assert np.allclose(output[order], moved, rtol=0, atol=1e-12)
    return found(holds_if(difference < 1e-12), {"difference_row_by_row": difference, "difference_reordered": NOISE},
                 ja=["difference_row_by_row", "difference_reordered"])


@claim
def e_norm():
    norms = np.linalg.norm(positional_encoding(50, 64), axis=1)
    assert np.allclose(norms, norms[0])
    return found(holds_if(np.allclose(norms, 64 / 2)), {"norm": norms[0], "squared_norm": norms[0] ** 2},
                 ja=[64, "norm", 2, "squared_norm", 2], en=[64, "norm", "squared_norm", 2],
                 corrected_ja=[2, 2, 2, 2])


@claim
def e_unique():
    encoding = positional_encoding(50, 64)
    equal = sum(np.allclose(encoding[a], encoding[b], rtol=0, atol=1e-6) for a in range(50) for b in range(a))
    return found(holds_if(equal == 0), {"equal_pairs": equal}, ja=[50, "equal_pairs"])


@claim
def e_base():
    def nearest(base):
        waves = np.arange(512)[:, np.newaxis] / base ** (2 * np.arange(32) / 64)
        r = np.concatenate([np.sin(waves), np.cos(waves)], axis=1)
        return min(np.sqrt(np.sum((r[n + 1:] - r[n]) ** 2, axis=1)).min() for n in range(511))

    large, small, none = nearest(1e4), nearest(50), nearest(1)
    return found("remark" if small > 1 else "holds", {"large": large, "small": small, "none": none},
                 ja=[512, 10000, "large", 50, "small", 1, "none"], corrected_ja=[])


@claim
def e_similarity():
    encoding = positional_encoding(50, 64)
    products = encoding @ encoding[0]  # r_0 r_k
    near, far = products[1:6], products[25:]
    rises = np.flatnonzero(np.diff(products) > 0)
    assert near.min() > far.max()
    return found("holds_only_if" if len(rises) else "holds",
                 {"at_zero": products[0], "least_near": near.min(), "largest_far": far.max(), "rises": len(rises),
                  "first_rise": rises[0], "risen_at": rises[0] + 1},
                 ja=[0, 0, "at_zero", 1, 5, "least_near", 25, 49, "largest_far", 1, 49, "rises", "first_rise",
                     "risen_at"],
                 en=[0, "at_zero", 0, "least_near", 1, 5, "largest_far", 25, 49, "rises", 49, "first_rise",
                     "risen_at"])


def rotation(k):
    """The matrix R with r_n R = r_{n+k} for every n: the addition theorems, pair by pair."""
    matrix = np.zeros((64, 64))
    for j in range(0, 64, 2):
        phi = k / 10000 ** (j / 64)
        matrix[j:j + 2, j:j + 2] = [[np.cos(phi), -np.sin(phi)], [np.sin(phi), np.cos(phi)]]
    return matrix


@claim
def e_one_rotation():
    encoding = positional_encoding(50 + 5, 64)
    moves_all = np.allclose(encoding[:50] @ rotation(5), encoding[5:], rtol=0, atol=1e-12)
    return found(holds_if(moves_all), {"largest_error": NOISE},
                 ja=[5, 1, 50, 5, "largest_error"], en=[5, 50, 5, "largest_error"])


@claim
def e_relative():
    encoding = positional_encoding(50, 64)
    scores = encoding @ (encoding @ rotation(5)).T  # W^(q) = I
    relative = np.allclose(scores[1:, 1:], scores[:-1, :-1], rtol=0, atol=1e-12)
    return found(holds_if(relative), {"largest_deviation": NOISE}, ja=["largest_deviation"])


# --- The file ---------------------------------------------------------------------------------------------------------


def plain(value):
    """For JSON, which has neither NumPy's types nor NaN."""
    if isinstance(value, dict):
        return {key: plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(entry) for entry in value]
    if isinstance(value, str):
        return value
    return "nan" if np.isnan(value) else int(value) if value == int(value) else float(value)


def id_of(function):
    return function.__name__.capitalize().replace("_", "-")


if __name__ == "__main__":
    lines = [json.dumps({"id": id_of(function), **plain(function())}, ensure_ascii=False) for function in CLAIMS]
    (HERE / "claims").mkdir(exist_ok=True)
    (HERE / "claims/claims.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
