"""Floats and fixed point against NumPy and exact arithmetic."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import halfgate as hg

BINARY = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "/": lambda x, y: x / y,
    "<": lambda x, y: x < y,
    "<=": lambda x, y: x <= y,
    "==": lambda x, y: x == y,
    "!=": lambda x, y: x != y,
    "minimum": hg.minimum,
    "maximum": hg.maximum,
}
UNARY = {
    "-": lambda x: -x,
    "abs": abs,
    "sqrt": hg.sqrt,
    "floor": hg.floor,
    "ceil": hg.ceil,
    "trunc": hg.trunc,
    "rint": hg.rint,
    "isnan": hg.isnan,
    "sort": hg.sort,
    "argmax": lambda x: x.argmax(),
    "argmin": lambda x: x.argmin(),
    "min": lambda x: x.min(),
    "max": lambda x: x.max(),
    "x * 2 + 1": lambda x: x * 2 + 1,
    "x > 0.5": lambda x: x > 0.5,
}


def compiled(f: Any, *types: Any) -> Any:
    names = ["a", "b", "c"][: len(types)]
    source = f"lambda {', '.join(names)}: f({', '.join(names)})"
    inputs = dict(zip(names, types))
    program = hg.function(eval(source, {"f": f}), garbler=inputs).compile()
    return lambda *values: program.clear(**dict(zip(names, values)))


def programs(of: hg.DType) -> dict[str, Any]:
    binary = {name: compiled(f, of[3], of[3]) for name, f in BINARY.items()}
    return {**binary, **{f"{name} of one": compiled(f, of[3]) for name, f in UNARY.items()}}


PROGRAMS = {32: programs(hg.f32), 64: programs(hg.f64)}


def lists(width: int) -> st.SearchStrategy[list[float]]:
    special = st.sampled_from([0.0, -0.0, 1.0, -1.5, math.inf, -math.inf, math.nan, 0.5, 2.5, 3.5])
    return st.lists(st.one_of(special, st.floats(width=width)), min_size=3, max_size=3)


@pytest.mark.parametrize("width", [32, 64])
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_floats_are_those_of_numpy(width: int, data: Any) -> None:
    dtype = np.dtype(f"<f{width // 8}")
    x, y = (np.array(data.draw(lists(width)), dtype=dtype) for _ in range(2))
    with np.errstate(all="ignore"):
        for name, f in BINARY.items():
            want, got = f(x, y), PROGRAMS[width][name](x, y)
            assert got.dtype == want.dtype
            assert np.array_equal(got, want, equal_nan=want.dtype.kind == "f"), (name, x, y)
        for name, f in UNARY.items():
            want, got = f(x), PROGRAMS[width][f"{name} of one"](x)
            assert np.asarray(got).dtype == np.asarray(want).dtype
            equal_nan = np.asarray(want).dtype.kind == "f"
            assert np.array_equal(got, want, equal_nan=equal_nan), (name, x)


def test_integers_and_floats_meet_as_in_numpy() -> None:
    ints = np.array([-7, 0, 200], dtype=np.int16)
    wide = np.array([-7, 2**40 + 1, 9], dtype=np.int64)
    x = np.array([0.5, -2.25, 1e10], dtype=np.float32)
    cases: list[tuple[Any, Any]] = [
        (lambda a, b: a + b, (ints, x)),
        (lambda a, b: a * b, (wide, x)),
        (lambda a, b: a / b, (ints, wide)),
        (lambda a, b: a / 3 + b, (ints, x)),
        (lambda a, b: a * 0.5 - b, (wide, x)),
        (lambda a, b: hg.where(a > b, a, b), (wide, x)),
        (lambda a, b: a.mean() + b, (ints, x)),
    ]
    types = {"int16": hg.i16, "int64": hg.i64, "float32": hg.f32}
    for f, values in cases:
        run = compiled(f, *(types[str(value.dtype)][3] for value in values))
        with np.errstate(all="ignore"):
            want = f(*values)
        got = run(*values)
        assert got.dtype == want.dtype and np.array_equal(got, want), (got, want)


def test_casts() -> None:
    x = np.array([1.9, -1.9, 300.0, math.nan, -5e9, 2.5], dtype=np.float64)
    assert list(compiled(lambda a: a.astype(hg.i8), hg.f64[6])(x)) == [1, -1, 127, 0, -128, 2]
    assert list(compiled(lambda a: a.astype(hg.u8), hg.f64[6])(x)) == [1, 0, 255, 0, 0, 2]
    assert list(compiled(lambda a: a.astype(hg.bool_), hg.f64[6])(x)) == [True] * 6
    wide = np.array([-1, 300, 70000, -40000], dtype=np.int32)
    for of, numpy in [(hg.u8, "u1"), (hg.i8, "i1"), (hg.u16, "u2"), (hg.i64, "i8"), (hg.u64, "u8")]:
        assert np.array_equal(compiled(lambda a: a.astype(of), hg.i32[4])(wide), wide.astype(numpy))


def nearest(value: Fraction) -> int:
    """The nearest integer, ties to the upper one."""
    return math.floor(value + Fraction(1, 2))


FIXED = [hg.fixed(16, 8), hg.ufixed(12, 12), hg.fixed(20, 3), hg.fixed(9, 9), hg.ufixed(24, 10)]


@pytest.mark.parametrize("of", FIXED, ids=repr)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_fixed_point_rounds_to_nearest(of: hg.DType, data: Any) -> None:
    low, high = of.limits
    unit = 1 << of.fraction
    raw = st.lists(st.integers(low, high), min_size=3, max_size=3)
    x, y = data.draw(raw), data.draw(raw)

    def wrapped(value: int) -> int:
        value %= 1 << of.width
        return value - (1 << of.width) if value > high else value

    def divided(a: int, b: int) -> int:
        if b == 0:
            return low if a < 0 else high
        return wrapped(nearest(Fraction(a * unit, b)))

    run = FIXED_PROGRAMS[of]
    found = run(np.array(x) / unit, np.array(y) / unit)
    want = [
        [wrapped(a + b) for a, b in zip(x, y)],
        [wrapped(a - b) for a, b in zip(x, y)],
        [wrapped(nearest(Fraction(a * b, unit))) for a, b in zip(x, y)],
        [divided(a, b) for a, b in zip(x, y)],
        [wrapped(sum(x))] * 3,
        [max(a, b) for a, b in zip(x, y)],
    ]
    for got, expected in zip(found, want):
        assert [int(value) for value in np.broadcast_to(got, 3) * unit] == expected
    assert list(found[6]) == [int(Fraction(a, unit)) for a in x]
    assert list(found[7]) == [float(Fraction(a, unit)) for a in x]
    assert list(found[8]) == [a < b for a, b in zip(x, y)]


def fixed_program(of: hg.DType) -> Any:
    def f(a: Any, b: Any) -> Any:
        return (
            a + b,
            a - b,
            a * b,
            a / b,
            a.sum(),
            hg.maximum(a, b),
            a.astype(hg.i32),
            a.astype(hg.f64),
            a < b,
        )

    return compiled(f, of[3], of[3])


FIXED_PROGRAMS = {of: fixed_program(of) for of in FIXED}


def test_fixed_point_takes_public_numbers_and_floats() -> None:
    of = hg.fixed(32, 16)
    run = compiled(lambda a: (a * 1.5 + 2, a > -0.25, a.astype(hg.f32), (a / 3).sum()), of[2])
    product, above, floats, thirds = run([1.25, -2.5])
    assert list(product) == [3.875, -1.75] and list(above) == [True, False]
    assert list(floats) == [1.25, -2.5] and abs(thirds - (1.25 - 2.5) / 3) < 2**-15
    back = compiled(lambda a: a.astype(of), hg.f64[3])
    assert list(back([1.25, 1e9, math.nan])) == [1.25, of.limits[1] / 2**16, 0]


def test_arrays_of_floats_and_of_fixed_point() -> None:
    rng = np.random.default_rng(7)
    x = rng.integers(-50, 50, (9, 12)).astype(np.float32)
    y = rng.integers(-50, 50, (12, 10)).astype(np.float32)

    def f(a: Any, b: Any) -> Any:
        return (
            a @ b,
            a.sum(axis=0),
            b.mean(),
            hg.sort(a, axis=0),
            hg.argsort(a, descending=True),
            hg.topk(b, 3, axis=0),
            hg.unique_count(a),
            a[:, None, :3] * b.T[:3, :3] + 0.5,
            hg.where(a > 3, a, -1.5).max(axis=1),
            hg.map(lambda row: (row / 2).sum(), a),
        )

    for of, dtype in [(hg.f32, np.float32), (hg.f64, np.float64), (hg.fixed(40, 8), np.float64)]:
        a, b = x.astype(dtype), y.astype(dtype)
        found = compiled(f, of[9, 12], of[12, 10])(a, b)
        for number, (got, want) in enumerate(zip(found, f(a, b))):
            if of.is_fixed and number == 2:
                assert abs(got - want) < 2**-8
                continue
            assert np.array_equal(got, want), (of, number, got, want)


def test_nans_sort_last_and_count_once() -> None:
    x = np.array([math.nan, 1.0, -math.inf, math.nan, 0.0, -0.0, 1.0])
    found = compiled(
        lambda a: (hg.sort(a), hg.argsort(a), hg.unique_count(a), a.argmax(), a.min()), hg.f64[7]
    )(x)
    wants = (np.sort(x), np.argsort(x, kind="stable"), np.unique(x).size, np.argmax(x), np.nan)
    for got, want in zip(found, wants):
        assert np.array_equal(got, want, equal_nan=np.asarray(want).dtype.kind == "f"), (got, want)
