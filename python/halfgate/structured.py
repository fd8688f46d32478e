"""Maps, folds and choices of one's own functions."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from .dtypes import ArrayType
from .errors import ArgumentError, DTypeError, ShapeError
from .function import Function, check_function, guarded, made, trace_function
from .numbers import _secret, is_secret, select, type_of
from .secret import Secret
from .trace import Trace, current, line, of_same_trace
from .trees import flatten, leaves, like, replace
from .values import whole


class Shared:
    """An argument that is the same in each lane or step: see :func:`shared`."""

    def __init__(self, value: Any) -> None:
        self.value = value


def shared(value: Any) -> Shared:
    """Marks an argument of :func:`map` or :func:`fold` as the same in each lane or step."""
    return Shared(value)


def _secret_of(trace: Trace, value: Any, where: str) -> Any:
    """Public arrays as secrets, so that they can be sliced."""
    if is_secret(value):
        of_same_trace([value])
        return value
    array = whole(value, f"{where}: an array")
    dtype = type_of(array)
    assert dtype is not None
    return Secret(trace, trace.public(dtype, array, f"{where}: an array"), dtype, array.shape)


def _lanes(arrays: list[Any], where: str) -> int:
    lengths = {array.shape[0] if array.shape else 0 for array in arrays}
    if len(lengths) != 1 or 0 in lengths:
        shapes = [array.shape for array in arrays]
        raise ShapeError(f"{where}: arrays of shapes {shapes}: first axes of one length are needed")
    return int(lengths.pop())


def _element(secret: Secret) -> Secret:
    """Something with the type of an element of the first axis."""
    return _secret(secret._trace, secret._node, secret.dtype, secret.shape[1:])


def _arguments(trace: Trace, args: tuple[Any, ...], where: str) -> tuple[list[Any], list[Any], int]:
    """The arguments as the function takes them, the secrets passed, and the number of lanes."""
    values = [arg if isinstance(arg, Shared) else _secret_of(trace, arg, where) for arg in args]
    lanes = _lanes([value for value in values if not isinstance(value, Shared)], where)
    taken: list[Any] = []
    passed: list[Any] = []
    for value in values:
        if isinstance(value, Shared):
            flatten(value.value, passed)
            taken.append(value.value)
        else:
            passed.append(value)
            taken.append(_element(value))
    return taken, passed, lanes


def map(f: Callable[..., Any], *args: Any) -> Any:  # noqa: A001
    """Calls `f` on each element of the first axis of the arguments, all independently.

    ``f`` is traced once and written once. Arguments marked by :func:`shared` are the same in each
    lane. Returns arrays with a first axis of the lanes, in the structure that ``f`` returns.
    """
    trace, where = current(), line()
    check_function(f, "hg.map")
    if all(isinstance(arg, Shared) for arg in args):
        raise ArgumentError(f"{where}: hg.map needs an array that is not marked by hg.shared")
    if trace is None:
        return _plain_map(f, args)
    taken, passed, lanes = _arguments(trace, args, where)
    of_same_trace(passed)
    key = ("map", f, flatten(tuple(taken), []))
    traced, structure, types = trace_function(trace, f, key, tuple(taken), {})
    nodes = [secret._node for secret in passed]
    found = trace.tracer.call(traced, nodes, where, lanes=lanes)
    many = [ArrayType(of.dtype, (lanes, *of.shape)) for of in types]
    return made(trace, found, structure, many)


def fold(f: Callable[..., Any], state: Any, *args: Any, outputs: bool = False) -> Any:
    """Calls `f` step after step on a state and the elements of the first axis of the arguments.

    ``f(state, *elements)`` returns the next state, of the same types and shapes; with ``outputs``,
    a pair of the next state and a result of the step. Returns the last state; with ``outputs``, a
    pair of it and an array of the steps' results.
    """
    trace, where = current(), line()
    check_function(f, "hg.fold")
    if all(isinstance(arg, Shared) for arg in args):
        raise ArgumentError(f"{where}: hg.fold needs an array that is not marked by hg.shared")
    if trace is None:
        return _plain_fold(f, state, args, outputs)
    if any(isinstance(part, (tuple, list, dict)) for _, part in leaves(state)):
        raise DTypeError(
            f"{where}: the state of hg.fold is not nested: give all its parts in one tuple, list "
            "or dictionary"
        )
    names = [name for name, _ in leaves(state)]
    parts = [_secret_of(trace, part, where) for _, part in leaves(state)]
    initial = like(state, parts)
    taken, passed, steps = _arguments(trace, args, where)
    of_same_trace(parts + passed)
    shape = replace(initial, lambda _: None)

    def step(state: Any, *elements: Any) -> Any:
        run = f.f if isinstance(f, Function) else f
        result = guarded(name, run, state, *elements)
        if outputs and not (isinstance(result, (tuple, list)) and len(result) == 2):
            raise DTypeError(
                f"{where}: with outputs=True the function of a fold returns a pair, of the next "
                f"state and a result of the step, not {result!r}"
            )
        following, out = result if outputs else (result, ())
        named = dict(leaves(following))
        extra = [part for _, part in leaves(out)] if outputs else []
        if set(named) != set(names):
            raise ShapeError(
                f"{where}: the next state has the parts {sorted(named)}, and the state "
                f"{sorted(names)}: they need the same"
            )
        found = [named[name] for name in names]
        for before, after in zip(parts, found):
            if not is_secret(after) or (after.dtype, after.shape) != (before.dtype, before.shape):
                raise DTypeError(
                    f"{where}: the state is {before!r}, but the next state is {after!r}: they "
                    "need the same type and shape; use astype"
                )
        box.append(replace(out, lambda _: None))
        return tuple(found + extra)

    box: list[Any] = []
    step.__name__ = name = getattr(f, "__name__", "step")
    key = ("fold", f, outputs, flatten((initial, *taken), []))
    traced, _, types = trace_function(trace, step, key, (initial, *taken), {})
    nodes = [secret._node for secret in parts + passed]
    found = trace.tracer.call(traced, nodes, where, steps=steps, state=len(parts))
    count = len(parts)
    last = made(trace, found[:count], shape, types[:count])
    if not outputs:
        return last
    many = [ArrayType(of.dtype, (steps, *of.shape)) for of in types[count:]]
    return last, made(trace, found[count:], box[0], many)


def cond(condition: Any, if_true: Callable[..., Any], if_false: Callable[..., Any], *args: Any) -> Any:
    """``if_true(*args)`` if a scalar `condition` holds, else ``if_false(*args)``.

    If the condition is secret, both are computed, and cost what both cost.
    """
    for f in (if_true, if_false):
        check_function(f, "hg.cond")
    if not is_secret(condition):
        return if_true(*args) if condition else if_false(*args)
    if condition.shape != ():
        raise ShapeError(f"{line()}: the condition has shape {condition.shape}: use hg.where")
    yes, no = (
        guarded(getattr(f, "__name__", "function"), f, *args) for f in (if_true, if_false)
    )
    first, second = leaves(yes), leaves(no)
    if [name for name, _ in first] != [name for name, _ in second]:
        raise ShapeError(f"{line()}: the two functions return results of different structure")
    chosen = [select(condition, x, y) for (_, x), (_, y) in zip(first, second)]
    return like(yes, chosen)


def _plain(args: tuple[Any, ...], index: int) -> list[Any]:
    return [arg.value if isinstance(arg, Shared) else arg[index] for arg in args]


def _count(args: tuple[Any, ...]) -> int:
    return len(next(arg for arg in args if not isinstance(arg, Shared)))


def _plain_map(f: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    results = [f(*_plain(args, index)) for index in range(_count(args))]
    return _stacked(results)


def _stacked(results: list[Any]) -> Any:
    columns = zip(*([part for _, part in leaves(result)] for result in results))
    return like(results[0], [np.stack(column) for column in columns])


def _plain_fold(f: Callable[..., Any], state: Any, args: tuple[Any, ...], outputs: bool) -> Any:
    results = []
    for index in range(_count(args)):
        state = f(state, *_plain(args, index))
        if outputs:
            state, out = state
            results.append(out)
    return (state, _stacked(results)) if outputs else state


__all__ = ["cond", "fold", "map", "shared"]
