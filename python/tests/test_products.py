"""Products of batches of matrices, and running sums, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import halfgate as hg
from halfgate import errors

np.seterr(over="ignore")

TYPES = {"uint8": hg.u8, "int16": hg.i16, "int32": hg.i32, "uint64": hg.u64, "bool": hg.bool_}


def agrees(f: Any, types: dict[str, Any], values: dict[str, Any]) -> hg.Program:
    """Checks that the results on secrets are those on plain values. Returns the program."""
    program: hg.Program = hg.function(f, garbler=types).compile()
    got, want = program.clear(**values), f(**values)
    assert got.dtype == want.dtype and np.array_equal(got, want), (got, want)
    return program


def some(data: Any, name: str, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    """Random elements."""
    random = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    if name.startswith("float"):
        return (random.integers(-99, 99, shape) / 8).astype(name)
    if name == "bool":
        return random.integers(0, 2, shape).astype(bool)
    info = np.iinfo(name)
    return random.integers(info.min, info.max, shape, dtype=name, endpoint=True)


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_products_of_batches(data: Any) -> None:
    n, k, m = (data.draw(st.integers(1, 4)) for _ in range(3))
    batch = data.draw(st.lists(st.integers(1, 3), max_size=2))

    def shape(last: tuple[int, int], vector: int) -> tuple[int, ...]:
        """The batch or a part of it that broadcasts, and a matrix, or a vector alone."""
        if data.draw(st.integers(0, 5)) == 0:
            return (vector,)
        left = batch[data.draw(st.integers(0, len(batch))) :]
        return tuple(data.draw(st.sampled_from([part, 1])) for part in left) + last

    x_shape, y_shape = shape((n, k), k), shape((k, m), k)
    x_name, y_name = (data.draw(st.sampled_from(sorted(TYPES))) for _ in range(2))
    if {x_name, y_name} == {"uint64", "int16"} or {x_name, y_name} == {"uint64", "int32"}:
        y_name = x_name
    x, y = some(data, x_name, x_shape), some(data, y_name, y_shape)
    types = {"x": TYPES[x_name][x_shape], "y": TYPES[y_name][y_shape]}
    agrees(lambda x, y: x @ y, types, {"x": x, "y": y})
    agrees(lambda x: np.matmul(x, y), {"x": types["x"]}, {"x": x})
    agrees(lambda y: hg.matmul(x, y), {"y": types["y"]}, {"y": y})


def test_products_of_large_batches_are_few_nodes() -> None:
    x = np.arange(64 * 3 * 4, dtype=np.int32).reshape(4, 16, 3, 4)
    y = np.arange(64 * 4 * 5, dtype=np.int32).reshape(4, 16, 4, 5) - 400
    types = {"x": hg.i32[x.shape], "y": hg.i32[y.shape]}
    program = agrees(lambda x, y: x @ y, types, {"x": x, "y": y})
    assert program._traced is not None
    assert sum(count for _, count in program._traced.operations()) < 15
    assert sum(ands for _, ands in program.native.lines()) == program.ands
    (line, _), *others = program.cost().lines
    assert line.startswith("test_products.py:") and not others
    one = hg.function(lambda x, y: x[0, 0] @ y[0, 0], garbler=types).compile()
    assert program.ands == 64 * one.ands
    floats = {"x": hg.f32[4, 3, 4], "y": hg.f32[4, 4, 2]}
    values = {"x": x[:, 0].astype(np.float32), "y": y[:, 0, :, :2].astype(np.float32)}
    agrees(lambda x, y: x @ y, floats, values)


def test_products_that_do_not_fit_are_named() -> None:
    wide = (2, 3, 4)
    for x, y in ((wide, wide), (wide, (3, 4, 5)), (wide, (3,)), ((), wide)):
        types = {"x": hg.u8[x] if x else hg.u8, "y": hg.u8[y]}
        with pytest.raises(errors.ShapeError, match=r"test_products.py:\d+: a product of shapes"):
            hg.function(lambda x, y: x @ y, garbler=types).compile()


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_running_sums(data: Any) -> None:
    shape = tuple(data.draw(st.lists(st.integers(1, 5), min_size=0, max_size=3)))
    name = data.draw(st.sampled_from([*sorted(TYPES), "float32", "float64"]))
    x = some(data, name, shape)
    of = {**TYPES, "float32": hg.f32, "float64": hg.f64}[name]
    types = {"x": of[shape] if shape else of}
    axis = data.draw(st.sampled_from([None, *range(-len(shape), len(shape))]))
    dtype = data.draw(st.sampled_from([None, np.uint8, np.int64, np.float64]))
    if dtype is not None and name.startswith("float"):
        dtype = np.float64
    agrees(lambda x: x.cumsum(axis), types, {"x": x})
    agrees(lambda x: np.cumsum(x, axis, dtype), types, {"x": x})
    agrees(lambda x: hg.cumsum(x, axis=axis, dtype=dtype), types, {"x": x})


def test_running_sums_cost_what_their_bits_need() -> None:
    x = (np.arange(1000) % 256).astype(np.uint8)
    program = agrees(lambda x: x.cumsum(), {"x": hg.u8[1000]}, {"x": x})
    assert program.ands <= 999 * (8 + 10) and program._traced is not None
    assert sum(count for _, count in program._traced.operations()) < 20
    lines = [
        name.split(":")[0]
        for f in (lambda x: x.cumsum() + x.cumsum(),)
        for name, _ in hg.function(f, garbler={"x": hg.u8[9]}).compile().cost().lines
    ]
    assert lines == ["test_products.py"]
    signed = np.array([-128, -128, 127, 5], dtype=np.int8)
    agrees(lambda x: x.cumsum(), {"x": hg.i8[4]}, {"x": signed})
    zeros = hg.function(lambda x: x.cumsum(), garbler={"x": hg.f32[2]}).run(x=[-0.0, -0.0])
    assert np.signbit(zeros).all()
    with pytest.raises(errors.ShapeError, match="there is no axis 2"):
        hg.function(lambda x: x.cumsum(2), garbler={"x": hg.u8[2, 2]}).compile()
