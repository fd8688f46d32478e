"""Nested functions: traced at each call, and how many there may be."""

from __future__ import annotations

import sys
import types
from typing import Any

import numpy as np
import pytest

import halfgate as hg
from halfgate import errors

#: The module, whose name the package gives to a function.
MODULE: Any = sys.modules["halfgate.function"]

FACTOR = 2
TABLE = np.arange(4, dtype=np.uint16)


def clear(f: Any, x: Any = 3) -> Any:
    return hg.function(f, garbler={"x": hg.u16}).compile().clear(x=x)


def nested(depth: int) -> Any:
    """A function that calls another, which does the same, and so on."""
    f = hg.function(lambda x: x * 3 + FACTOR)
    for _ in range(depth):
        f = hg.function(lambda x, f=f: f(x))
    return f


def test_closures_of_the_same_code_are_different_functions() -> None:
    def power(k: int) -> Any:
        return lambda x: x**k

    square, cube = power(2), power(3)

    def total(fs: list[Any]) -> Any:
        return hg.function(lambda x: sum(f(x) for f in fs))

    found = clear(lambda x: (total([square, cube, square])(x), total([square, cube, cube])(x)))
    assert found == (45, 63)


def test_attributes_of_functions_may_change() -> None:
    @hg.function
    def layer(x: Any) -> Any:
        return x * layer.scale  # type: ignore[attr-defined]

    def model(x: Any) -> Any:
        layer.scale = 2  # type: ignore[attr-defined]
        first = layer(x)
        layer.scale = 5  # type: ignore[attr-defined]
        return first * 1000 + layer(x)

    assert clear(model) == 6015


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

def test_tracing_is_bounded(monkeypatch: Any) -> None:
    monkeypatch.setattr(MODULE, "_MAX_OPERATIONS", 1000)
    calls: list[int] = []

    def counted(x: Any) -> Any:
        calls.append(1)
        for k in range(100):
            x = x * 3 + k
        return x

    f = hg.function(counted)
    with pytest.raises(errors.CircuitError, match=r"test_nested.py:\d+: .*1,000 operations"):
        clear(lambda x: [f(x) for _ in range(100)])
    assert len(calls) < 10


def test_the_limit_of_nesting() -> None:
    assert clear(nested(31)) == 3 * 3 + FACTOR
    with pytest.raises(errors.CircuitError, match="more than 32 deep"):
        clear(nested(32))
