"""What a hostile reading found: each of these gave a wrong answer, or crashed."""

from __future__ import annotations

import numpy as np
import pytest

import halfgate as hg
from halfgate.session import made_options


def test_a_fold_matches_its_state_by_name() -> None:
    @hg.function(garbler={"x": hg.u8[4]})
    def f(x):  # type: ignore[no-untyped-def]
        def step(s, v):  # type: ignore[no-untyped-def]
            return {"max": hg.maximum(s["max"], v), "min": hg.minimum(s["min"], v)}

        return hg.fold(step, {"min": x[0], "max": x[0]}, x)

    assert f.compile().clear(x=[5, 1, 9, 3]) == {"min": 1, "max": 9}

    @hg.function(garbler={"x": hg.u8[4]})
    def g(x):  # type: ignore[no-untyped-def]
        return hg.fold(lambda s, v: {"other": s["a"] + v}, {"a": x[0]}, x)

    with pytest.raises(hg.errors.ShapeError, match="the next state has the parts"):
        g.compile()


def test_a_secret_index_takes_no_arrays_beside_it() -> None:
    for other in (np.arange(3), [0, 1, 2], np.array([True, False, True])):

        @hg.function(garbler={"t": hg.u8[4, 3]}, evaluator={"i": hg.u8[3]})
        def f(t, i):  # type: ignore[no-untyped-def]
            return t[i, other]  # noqa: B023

        with pytest.raises(hg.errors.DTypeError, match="beside a secret index"):
            f.compile()


def test_means_do_not_wrap() -> None:
    for dtype, values in [
        (hg.u64, [2**63, 2**63]),
        (hg.i64, [2**62] * 4),
        (hg.i64, [-(2**63)] * 3),
        (hg.u8, [255] * 7),
        (hg.bool_, [True, True, False]),
        (hg.uN(128), [2**127, 2**127]),
    ]:

        @hg.function(garbler={"x": dtype[len(values)]})
        def f(x):  # type: ignore[no-untyped-def]
            return x.mean()

        assert f.compile().clear(x=values) == sum(values) / len(values)


def test_means_of_fixed_point_are_in_its_range() -> None:
    for width, fraction, values, expected in [
        (8, 4, [7, 7, 7, 7], 7),
        (16, 8, [100] * 4, 100),
        (8, 7, [0.5, 0.25, 0.5, 0.75], 0.5),
        (8, 4, [-8, -8, -8], -8),
    ]:

        @hg.function(garbler={"x": hg.fixed(width, fraction)[len(values)]})
        def f(x):  # type: ignore[no-untyped-def]
            return x.mean()

        assert f.compile().clear(x=values) == expected


def test_whole_indices_of_large_arrays() -> None:
    @hg.function(garbler={"x": hg.u8[2000, 2000], "y": hg.u8})
    def f(x, y):  # type: ignore[no-untyped-def]
        return x[-1, -1] + y[()], x[0, 5]

    x = np.arange(4_000_000, dtype=np.uint32).astype(np.uint8).reshape(2000, 2000)
    total, other = f.compile().clear(x=x, y=1)
    assert (total, other) == ((int(x[-1, -1]) + 1) % 256, 5)

    @hg.function(garbler={"x": hg.u8[3]})
    def g(x):  # type: ignore[no-untyped-def]
        return x[3]

    with pytest.raises(hg.errors.ShapeError, match="index 3 is out of bounds"):
        g.compile()


def test_masked_elements_are_refused() -> None:
    @hg.function(garbler={"x": hg.u16[3]})
    def f(x):  # type: ignore[no-untyped-def]
        return x.sum()

    program = f.compile()
    masked = np.ma.array([1, 1000, 3], mask=[False, True, False])
    with pytest.raises(hg.errors.DTypeError, match=r"x\[1\] is missing \(masked\).*drop"):
        program.clear(x=masked)
    assert program.clear(x=np.ma.array([1, 2, 3])) == 6
    uses = [
        lambda x: x + masked,
        lambda x: x @ masked,
        lambda x: hg.concatenate([x, masked]),
        lambda x: hg.take(masked, x),
        lambda x: hg.map(lambda a, b: a + b, x, masked),
        lambda x: (x, masked),
        lambda x: x << masked,
        lambda x: hg.where(masked > 1, x, 0),
        lambda x: hg.constant(masked, hg.u16) + x,
    ]
    for use in uses:
        with pytest.raises(hg.errors.DTypeError, match=r"\[1\] is missing \(masked\)"):
            hg.function(use, garbler={"x": hg.u16[3]}).compile()


def test_a_scalar_of_numpy_is_an_exponent_with_a_type() -> None:
    @hg.function(garbler={"x": hg.i8[1]})
    def f(x):  # type: ignore[no-untyped-def]
        return x ** np.int64(2), x**2

    wide, narrow = f.compile().clear(x=[100])
    assert wide.dtype == np.int64 and wide == 10_000
    assert narrow.dtype == np.int8 and narrow == 16


def test_one_axis_is_one_number() -> None:
    @hg.function(garbler={"x": hg.u8[2, 3]})
    def f(x):  # type: ignore[no-untyped-def]
        return x.argmax(axis=(0, 1))

    with pytest.raises(hg.errors.ShapeError, match="it must be one number"):
        f.compile()


def test_a_function_is_not_a_program() -> None:
    @hg.function(garbler={"x": hg.u8})
    def f(x):  # type: ignore[no-untyped-def]
        return x

    with pytest.raises(hg.errors.ArgumentError, match=r"call compile\(\)"):
        made_options(f)  # type: ignore[arg-type]


def test_names_of_inputs_that_run_takes_are_refused() -> None:
    def f(options, y=1):  # type: ignore[no-untyped-def]
        return options

    with pytest.raises(hg.errors.ArgumentError, match="'options': this name is taken"):
        hg.function(f, garbler={"options": hg.u8})
    with pytest.raises(hg.errors.ArgumentError, match="'ahead': this name is taken"):
        hg.function(lambda ahead: ahead, garbler={"ahead": hg.u8})
    with pytest.raises(hg.errors.ArgumentError, match="are a list: give a dictionary"):
        hg.function(f, garbler=["y"])  # type: ignore[arg-type]

    def g(x, /):  # type: ignore[no-untyped-def]
        return x

    with pytest.raises(hg.errors.ArgumentError, match="must have names"):
        hg.function(g, garbler={"x": hg.u8})
