"""Traces that are used again, and those that must not be."""

from __future__ import annotations

import math
import random
import sys
import types
from typing import Any

import numpy as np
import pytest
from numpy import random as numpy_random

import halfgate as hg
from halfgate import errors
from halfgate.reads import reads

#: The module, whose name the package gives to a function.
MODULE: Any = sys.modules["halfgate.function"]

FACTOR = 2
TABLE = np.arange(4, dtype=np.uint16)


def clear(f: Any, x: Any = 3) -> Any:
    return hg.function(f, garbler={"x": hg.u16}).compile().clear(x=x)


def nested(depth: int, calls: int) -> Any:
    """A function that calls another `calls` times, which does the same, and so on."""
    f = hg.function(lambda x: x * 3 + FACTOR)
    for _ in range(depth):

        def g(x: Any, f: Any = f) -> Any:
            for _ in range(calls):
                x = f(x)
            return x

        f = hg.function(g)
    return f


def test_nested_functions_are_traced_once(monkeypatch: Any) -> None:
    traced: list[str] = []
    before = MODULE.Trace

    def counted(name: str, *root: Any) -> Any:
        traced.append(name)
        return before(name, *root)

    monkeypatch.setattr(MODULE, "Trace", counted)
    f = nested(20, 2)
    program = hg.function(lambda x: f(x), garbler={"x": hg.u16}).compile()
    assert len(traced) == 22 and program.ands % 2**20 == 0
    x = 3
    for _ in range(2**5):
        x = (x * 3 + FACTOR) % 2**16
    assert clear(nested(5, 2)) == x


def test_maps_and_folds_of_new_functions_are_traced_once() -> None:
    calls: list[int] = []

    def deep(level: int, x: Any) -> Any:
        if level == 0:
            return x * x
        row = lambda v: deep(level - 1, v) + level
        step = lambda s, v: (s + deep(level - 1, v), s * v)
        last, many = hg.fold(step, x[0] * 0, x, outputs=True)
        again, _ = hg.fold(step, x[0] * 0 + 1, x, outputs=True)
        return hg.map(row, x).sum() + hg.map(row, x).max() + last + again + many.sum()

    def spied(level: int, x: Any) -> Any:
        calls.append(level)
        return deep(level, x)

    x = np.arange(1, 5, dtype=np.uint16)
    program = hg.function(lambda x: deep(1, x), garbler={"x": hg.u16[4]}).compile()
    assert program.clear(x=x) == deep(1, x)
    hg.function(lambda x: hg.map(lambda v: spied(0, v), x), garbler={"x": hg.u16[4]}).compile()
    assert calls == [0]


def test_a_function_is_traced_again_if_what_it_reads_has_changed() -> None:
    global FACTOR
    kept: list[Any] = []
    counter = {"calls": 0}
    module = types.ModuleType("own")
    module.factor = 2  # type: ignore[attr-defined]
    thing = types.SimpleNamespace(factor=2)
    local = 2

    def by_global(x: Any) -> Any:
        return x * FACTOR

    def by_cell(x: Any) -> Any:
        return x * local

    def by_list(x: Any) -> Any:
        kept.append(1)
        return x * len(kept)

    def by_dict(x: Any) -> Any:
        counter["calls"] += 1
        return x * counter["calls"]

    def by_module(x: Any) -> Any:
        return x * module.factor

    def by_object(x: Any) -> Any:
        return x * thing.factor

    def by_nonlocal(x: Any) -> Any:
        nonlocal local
        local += 1
        return x * local

    def by_default(x: Any, seen: list[int] = []) -> Any:
        seen.append(1)
        return x * len(seen)

    def by_attribute(x: Any) -> Any:
        by_attribute.calls = getattr(by_attribute, "calls", 0) + 1  # type: ignore[attr-defined]
        return x * by_attribute.calls  # type: ignore[attr-defined]

    def by_import(x: Any) -> Any:
        from own import factor  # type: ignore[import-not-found]

        return x * factor

    def by_helper(x: Any) -> Any:
        return by_global(x) + by_cell(x)

    def by_array(x: Any) -> Any:
        return x * int(TABLE[1])

    def changes(f: Any, change: Any) -> None:
        traced = hg.function(f)

        def both(x: Any) -> Any:
            first = traced(x)
            change()
            return first, traced(x), hg.map(f, x[None])[0]

        first, second, third = clear(both)
        assert first != second, f.__name__
        assert third != first, f.__name__

    def set_global() -> None:
        global FACTOR
        FACTOR += 3

    def set_cell() -> None:
        nonlocal local
        local += 5

    def set_array() -> None:
        TABLE[1] += 3

    sys.modules["own"] = module
    try:
        changes(by_global, set_global)
        changes(by_cell, set_cell)
        changes(by_list, lambda: None)
        changes(by_dict, lambda: None)
        changes(by_nonlocal, lambda: None)
        changes(by_default, lambda: None)
        changes(by_attribute, lambda: None)
        changes(by_module, lambda: setattr(module, "factor", 7))
        changes(by_import, lambda: setattr(module, "factor", 11))
        changes(by_object, lambda: setattr(thing, "factor", 5))
        changes(by_helper, set_global)
        changes(by_helper, set_cell)
        changes(by_array, set_array)
    finally:
        del sys.modules["own"]
        FACTOR = 2


def test_public_arguments_are_compared_by_value() -> None:
    traced = hg.function(lambda x, k: x.astype(hg.f64) * k)
    got = hg.function(
        lambda x: [traced(x, k) for k in (0.0, -0.0, 1, 1.0, True, np.float32(2), 2.0)],
        garbler={"x": hg.u16},
    )
    values = got.compile().clear(x=3)
    assert [math.copysign(1, value) for value in values[:2]] == [1, -1]
    assert values[2:] == [3, 3, 3, 6, 6]


def test_functions_that_read_what_is_not_known() -> None:
    local = hg.function(lambda x: x)
    secrets: list[Any] = []
    clear(lambda x: secrets.append(x) or x)
    known: list[Any] = [
        lambda x: x * FACTOR + TABLE[0],
        lambda x: local(x) + np.uint16(3),
        lambda x: hg.where(x > math.floor(2.5), sum([1, 2]), x),
        lambda x: [x * k for k in range(3)][2],
        nested,
    ]
    unknown: list[Any] = [
        lambda x: x * random.randrange(9),
        lambda x: x * int(np.random.randint(9)),
        lambda x: x * int(numpy_random.randint(9)),
        lambda x: print(x) or x,
        lambda x: x + secrets[0],
        lambda x: x * sys.maxsize,
        lambda x: x * undefined,  # type: ignore[name-defined] # noqa: F821
        lambda x: x * len(open("file").read()),
        random.Random().random,
        np.add,
        3,
    ]
    assert all(reads(f) is not None for f in known)
    assert [f for f in unknown if reads(f) is not None] == []
    assert reads(known[0]) == reads(known[0]) != reads(known[1])
    with pytest.raises(errors.EscapeError):
        f = hg.function(lambda x: x + secrets[0])
        clear(lambda x: f(x))


def test_tracing_is_bounded(monkeypatch: Any) -> None:
    monkeypatch.setattr(MODULE, "_MAX_OPERATIONS", 1000)
    calls: list[int] = []

    def counted(x: Any) -> Any:
        calls.append(1)
        for k in range(100):
            x = x * 3 + k
        return x

    f = hg.function(counted)
    with pytest.raises(errors.CircuitError, match=r"test_reads.py:\d+: .*1,000 operations"):
        clear(lambda x: [f(x) for _ in range(100)])
    assert len(calls) < 10
    clear(nested(12, 2))


def test_the_limit_of_nesting() -> None:
    assert clear(nested(31, 1)) == 3 * 3 + FACTOR
    with pytest.raises(errors.CircuitError, match="more than 32 deep"):
        clear(nested(32, 1))
