#!/usr/bin/python3
"""Writes the counts of cost (only to regenerate): three ways to mix tokens, on numbers that count their operations.

    /usr/bin/python3 data/reference/make_cost_reference.py

Written from the papers' algorithms, apart from attnlab's formulas and from its own counting loops: every number is an
object whose +, -, *, /, max and exp count themselves. Prints the rows of src/experiments/expected/cost_rows.cpp.
"""

import math
import random


class Number:
    operations = 0

    def __init__(self, value):
        self.value = value

    def _result(self, value):
        Number.operations += 1
        return Number(value)

    def __add__(self, other):
        return self._result(self.value + other.value)

    def __sub__(self, other):
        return self._result(self.value - other.value)

    def __mul__(self, other):
        return self._result(self.value * other.value)

    def __truediv__(self, other):
        return self._result(self.value / other.value)

    def larger(self, other):
        return self._result(max(self.value, other.value))

    def exp(self):
        return self._result(math.exp(self.value))


def total(terms):
    terms = list(terms)
    result = terms[0]
    for term in terms[1:]:
        result = result + term
    return result


def largest(terms):
    result = terms[0]
    for term in terms[1:]:
        result = result.larger(term)
    return result


def dot(a, b):
    return total(x * y for x, y in zip(a, b))


def fixed_filter(x, w):
    r = len(w) // 2
    return [[total(w[i + r] * x[t + i][c] for i in range(-r, r + 1) if 0 <= t + i < len(x)) for c in range(len(x[0]))]
            for t in range(len(x))]


def plain(q, k, v):
    scale = Number(1 / math.sqrt(len(q[0])))
    output = []
    for query in q:
        scores = [dot(query, key) * scale for key in k]
        top = largest(scores)
        e = [(s - top).exp() for s in scores]
        z = total(e)
        weights = [x / z for x in e]
        output.append([dot(weights, column) for column in zip(*v)])
    return output


def streaming(q, k, v, block):
    scale = Number(1 / math.sqrt(len(q[0])))
    output = []
    for query in q:
        top = z = row = None
        for start in range(0, len(k), block):
            scores = [dot(query, key) * scale for key in k[start : start + block]]
            part = v[start : start + block]
            if row is None:
                top = largest(scores)
                e = [(s - top).exp() for s in scores]
                z, row = total(e), [dot(e, column) for column in zip(*part)]
                continue
            new_top = top.larger(largest(scores))
            correction = (top - new_top).exp()
            e = [(s - new_top).exp() for s in scores]
            z = z * correction + total(e)
            row = [old * correction + dot(e, column) for old, column in zip(row, zip(*part))]
            top = new_top
        output.append([number / z for number in row])
    return output


def counted(run, *operands):
    Number.operations = 0
    output = run(*operands)
    return Number.operations, output


def matrix(rows, columns):
    return [[Number(random.gauss(0, 1)) for _ in range(columns)] for _ in range(rows)]


def count_all(n, width, taps, block):
    q, k, v = matrix(n, width), matrix(n, width), matrix(n, width)
    counts = [counted(fixed_filter, v, matrix(1, taps)[0])[0]]
    plain_count, one = counted(plain, q, k, v)
    streaming_count, other = counted(streaming, q, k, v, block)
    assert all(abs(a.value - b.value) < 1e-12 for x, y in zip(one, other) for a, b in zip(x, y))
    return counts + [plain_count, streaming_count]


random.seed(0)
for arguments in ((64, 64, 5, 64), (128, 64, 5, 64), (64, 3, 7, 5), (128, 3, 7, 5), (64, 1, 1, 1)):
    print("n, width, taps, block =", arguments, count_all(*arguments))
