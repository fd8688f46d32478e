"""Random array programs against NumPy: the same function on secrets and on plain arrays."""

from __future__ import annotations

import inspect
import os
from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import halfgate as hg

EXAMPLES = int(os.environ.get("HALFGATE_EXAMPLES", "150"))
INTEGERS = [hg.u8, hg.u16, hg.u32, hg.u64, hg.i8, hg.i16, hg.i32, hg.i64]
ALL = [*INTEGERS, hg.bool_]
SHAPES: list[tuple[int, ...]] = [(), (1,), (3,), (5,), (2, 3), (3, 1), (1, 3), (2, 1, 3)]
#: Arrays of more than a chunk or a few lanes.
SHAPES += [(17,), (9, 9), (9, 1), (1, 9), (130,)]
MOST = 400


def numbers(draw: Any, dtype: hg.DType, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    low, high = dtype.limits
    edges = [low, low + 1, high - 1, high, 0, 1, max(low, -1), high // 2]
    element = st.one_of(st.sampled_from(edges), st.integers(low, high), st.integers(0, min(7, high)))
    count = int(np.prod(shape, dtype=int))
    values = draw(st.lists(element, min_size=count, max_size=count))
    return np.array(values, dtype=dtype.numpy).reshape(shape)


class Step:
    """An operation of a random program, the same for secrets and for NumPy."""

    def __init__(self, name: str, f: Any) -> None:
        self.name = name
        self.f = f

    def __repr__(self) -> str:
        return self.name


def binary(draw: Any) -> Step:
    operations = {
        "+": lambda x, y: x + y,
        "-": lambda x, y: x - y,
        "*": lambda x, y: x * y,
        "//": lambda x, y: x // y,
        "%": lambda x, y: x % y,
        "&": lambda x, y: x & y,
        "|": lambda x, y: x | y,
        "^": lambda x, y: x ^ y,
        "==": lambda x, y: x == y,
        "!=": lambda x, y: x != y,
        "<": lambda x, y: x < y,
        "<=": lambda x, y: x <= y,
        ">": lambda x, y: x > y,
        ">=": lambda x, y: x >= y,
        "minimum": hg.minimum,
        "maximum": hg.maximum,
        "where": lambda x, y: hg.where(x > y, x, y),
        "<<": lambda x, y: x << y,
        ">>": lambda x, y: x >> y,
        "outer": lambda x, y: x.reshape(-1, 1) + y.reshape(1, -1),
        "outer equal": lambda x, y: (x.reshape(-1, 1) == y.reshape(-1)).sum(axis=1),
        "matmul": lambda x, y: x @ y.T if x.ndim == y.ndim == 2 else x,
        "function": called,
    }
    name = draw(st.sampled_from(sorted(operations)))
    return Step(name, operations[name])


@hg.function
def called(x: Any, y: Any) -> Any:
    """Stays a function of the circuit."""
    return hg.where(x >= y, x, y) + x


def unary(draw: Any) -> Step:
    amount = draw(st.integers(0, 70))
    number = draw(st.integers(0, 100))
    operations = {
        "-x": lambda x: -x,
        "~x": lambda x: ~x,
        "abs": abs,
        f"<< {amount}": lambda x: x << amount,
        f">> {amount}": lambda x: x >> amount,
        f"+ {number}": lambda x: x + number,
        f"{number} - x": lambda x: number - x,
        f"* {number}": lambda x: x * number,
        f"// {number + 1}": lambda x: x // (number + 1),
        f"% {number + 1}": lambda x: x % (number + 1),
        f"> {number}": lambda x: x > number,
        "> 300": lambda x: x > 300,
        ">= -200": lambda x: x >= -200,
        "x*x": lambda x: x * x,
        "** 3": lambda x: x**3,
        "sum": lambda x: x.sum(),
        "sum last": lambda x: x.sum(axis=-1) if x.ndim else x.sum(),
        "sum first": lambda x: x.sum(axis=0) if x.ndim else x.sum(),
        "prod": lambda x: x.prod(),
        "min": lambda x: x.min(),
        "max last": lambda x: x.max(axis=-1) if x.ndim else x.max(),
        "argmax": lambda x: x.argmax(),
        "argmin first": lambda x: x.argmin(axis=0) if x.ndim else x.argmin(),
        "all": lambda x: x.all(),
        "any": lambda x: x.any(axis=-1) if x.ndim else x.any(),
        "sort": lambda x: hg.sort(x) if x.ndim else x,
        "sort first descending": lambda x: hg.sort(x, 0, descending=True) if x.ndim else x,
        "argsort": lambda x: hg.argsort(x) if x.ndim else x,
        "argsort descending": lambda x: hg.argsort(x, descending=True) if x.ndim else x,
        "topk": lambda x: hg.topk(x, (x.shape[-1] + 1) // 2) if x.ndim else x,
        "unique": lambda x: hg.unique_count(x),
        "T": lambda x: x.T,
        "reverse": lambda x: x[::-1] if x.ndim else x,
        "first": lambda x: x[0] if x.ndim else x,
        "last": lambda x: x[..., -1] if x.ndim else x,
        "new axis": lambda x: x[None],
        "ravel": lambda x: x.reshape(-1),
        "fancy": lambda x: x[[0, -1, 0]] if x.ndim else x,
        "concatenate": lambda x: hg.concatenate([x, x], -1) if x.ndim else x,
        "stack": lambda x: hg.stack([x, x], -1),
        "table": lambda x: x + np.arange(x.size, dtype=np.uint8).reshape(x.shape),
        "dot": lambda x: hg.dot(x, x) if x.ndim == 1 else x,
        "matmul": lambda x: x @ x.T if x.ndim == 2 else x,
        "array - x": lambda x: np.arange(x.size, dtype=np.int16).reshape(x.shape) - x,
        "array // x": lambda x: np.full(x.shape, 200, dtype=np.uint8) // x,
        "scalar % x": lambda x: np.uint8(201) % x,
        "scalar >= x": lambda x: np.int8(-3) >= x,
        "3 << x": lambda x: 3 << x,
        "array & x": lambda x: np.arange(x.size, dtype=np.uint32).reshape(x.shape) & x,
        "take array": lambda x: hg.take(np.arange(7, 263, dtype=np.uint16), x.astype(np.uint8))
        if isinstance(x, (np.ndarray, np.generic))
        else hg.take(np.arange(7, 263, dtype=np.uint16), x.astype(hg.u8)),
        "map": lambda x: hg.map(lambda a, b: (a + b).max() + a.sum(), x, x[::-1]) if x.ndim else x,
        "fold": lambda x: hg.fold(lambda s, a: (s ^ a) | s, x[0], x) if x.ndim else x,
        "steps": lambda x: hg.fold(lambda s, a: (s + a, s > a), x[0], x, outputs=True)[1]
        if x.ndim
        else x,
        "lookup": lambda x: hg.take(x, x.argmax()) if x.ndim == 1 else x,
    }
    name = draw(st.sampled_from(sorted(operations)))
    return Step(name, operations[name])


def run(steps: list[tuple[Step, int, int]], *inputs: Any) -> list[Any]:
    values = list(inputs)
    for step, first, second in steps:
        x, y = values[first % len(values)], values[second % len(values)]
        try:
            count = len(inspect.signature(step.f).parameters)
        except ValueError:
            count = 1
        values.append(step.f(x) if count == 1 else step.f(x, y))
    return values[len(inputs) :]


@st.composite
def programs(draw: Any) -> Any:
    types = [draw(st.sampled_from(ALL)) for _ in range(3)]
    shapes = [draw(st.sampled_from(SHAPES)) for _ in range(3)]
    inputs = [numbers(draw, *pair) for pair in zip(types, shapes)]
    steps = []
    for _ in range(draw(st.integers(1, 5))):
        step = binary(draw) if draw(st.booleans()) else unary(draw)
        steps.append((step, draw(st.integers(0, 7)), draw(st.integers(0, 7))))
    return types, inputs, steps


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(programs())
def test_secrets_compute_what_numpy_computes(program: Any) -> None:
    types, inputs, steps = program
    names = ["a", "b", "c"]
    kept: list[int] = []
    expected: list[Any] = []
    values: list[Any] = list(inputs)
    with np.errstate(all="ignore"):
        # Steps that NumPy refuses, and those in binary64, are left out.
        done: list[tuple[Step, int, int]] = []
        for step in steps:
            try:
                found = np.asarray(run([step], *values)[0])
            except (TypeError, ValueError, OverflowError, IndexError):
                continue
            if found.dtype.kind == "f" or found.size > MOST or found.dtype == np.float16:
                continue
            done.append(step)
            values.append(found[()] if found.ndim == 0 else found)
            expected.append(found)
            kept.append(len(values) - 1)
    if not done:
        return

    def f(a: Any, b: Any, c: Any) -> Any:
        found: list[Any] = [a, b, c]
        results = []
        for step, first, second in done:
            try:
                result = run([(step, first, second)], *found)[0]
            except (hg.errors.DTypeError, hg.errors.RangeError):
                # An operation that NumPy has and Halfgate refuses. Later steps use a public value.
                result = expected[len(results)]
            found.append(result)
            results.append(result)
        return tuple(results)

    types_of = {n: (t[x.shape] if x.shape else t) for n, t, x in zip(names, types, inputs)}
    first = {"a": types_of["a"], "b": types_of["b"]}
    compiled = hg.function(f, garbler=first, evaluator={"c": types_of["c"]}).compile()
    given_values = dict(zip(names, inputs))
    found = compiled.clear(**given_values)
    for step, want, got in zip(done, expected, found):
        assert np.asarray(got).shape == want.shape, (step, want, got)
        assert np.array_equal(np.asarray(got), want), (step, want, got)
        assert np.asarray(got).dtype == want.dtype, (step, want.dtype, np.asarray(got).dtype)
    if compiled.ands < 20_000:
        for got, again in zip(found, compiled.run(**given_values)):
            assert np.array_equal(got, again)
