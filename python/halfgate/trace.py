"""The trace of a function: a graph in Rust with one node for each array operation."""

from __future__ import annotations

import os
import sys
from contextvars import ContextVar
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ._halfgate import Traced, Tracer
from .dtypes import ArrayType, DType
from .errors import EscapeError, ShapeError
from .values import elements, whole

if TYPE_CHECKING:
    from .secret import Secret

#: Most bits of an array, so that wires can be numbered.
MAX_BITS = 1 << 30

#: Parts of paths of sources that are not the user's. NumPy and pandas call secrets.
_LIBRARIES = [os.path.dirname(os.path.abspath(__file__)) + os.sep]
_LIBRARIES += [os.path.dirname(np.__file__) + os.sep]
_LIBRARIES += [os.path.join("site-packages", "pandas") + os.sep]
_current: ContextVar[Trace | None] = ContextVar("halfgate_trace", default=None)


class Trace:
    """A function that is being traced."""

    def __init__(self, name: str, root: Trace | None = None) -> None:
        self.name = name
        self.tracer = Tracer(name)
        #: The trace of the program.
        self.root: Trace = root.root if root is not None else self
        #: Functions that were traced for this program, and those that are being traced.
        self.functions: dict[Any, list[Traced]] = {}
        #: The nodes of public numbers.
        self.numbers: dict[tuple[DType, float], int] = {}
        self.active: set[Any] = set()
        #: Operations of the functions that were traced so far, each as often as it was traced.
        self.operations = 0

    def __enter__(self) -> Trace:
        self._token = _current.set(self)
        return self

    def __exit__(self, *_: object) -> None:
        _current.reset(self._token)

    def public(self, dtype: DType, value: Any, what: str = "a constant") -> int:
        """The node of public values."""
        array = whole(value, what)
        if array.size == 0:
            raise ShapeError(f"{what} has no elements")
        return self.tracer.public(dtype.native, elements(dtype, array, what), _size(dtype))


    def number(self, dtype: DType, value: float, what: str) -> int:
        """The node of a public number, which is made once."""
        # 0.0 and -0.0 are equal, and a NaN is not equal to itself.
        key = (dtype, value)
        found = self.numbers.get(key) if value else None
        if found is None:
            found = self.public(dtype, value, what)
            self.numbers[key] = found
        return found


def _size(dtype: DType) -> int:
    return 1 if dtype.kind == "bool" else dtype.size


def current() -> Trace | None:
    """The trace that is going on in this thread or task."""
    return _current.get()


@lru_cache(maxsize=None)
def _file(name: str) -> str | None:
    """The name of a source file in messages; None for those of this package and its callers."""
    return None if any(part in name for part in _LIBRARIES) else os.path.basename(name)


def line() -> str:
    """The user's source line that is being run, such as ``bill.py:7``."""
    frame = sys._getframe(1)
    while frame is not None:
        name = _file(frame.f_code.co_filename)
        if name is not None:
            return f"{name}:{frame.f_lineno}"
        frame = frame.f_back  # type: ignore[assignment]
    return ""


def check_size(of: ArrayType, what: str) -> None:
    """Refuses arrays that are too large."""
    bits = of.dtype.width
    for part in of.shape:
        bits *= part
    if bits > MAX_BITS:
        raise ShapeError(f"{what} has {bits} bits: an array has at most 2**30")


def of_same_trace(secrets: list[Secret]) -> Trace:
    """The trace of all these secrets, which must be the current one."""
    trace = current()
    for secret in secrets:
        if secret._trace is not trace:
            raise EscapeError(
                f"{line()}: a secret of {secret._trace.name!r} is used "
                + (f"in {trace.name!r}" if trace else "after the function was traced")
                + ": pass secrets as arguments and return them as results"
            )
    assert trace is not None
    return trace
