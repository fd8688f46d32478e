"""Shapes and strides: NumPy computes them on arrays that take no memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

if TYPE_CHECKING:
    from .secret import Secret

_BASE = np.empty(1, dtype=np.uint8)
_ADDRESS = _BASE.__array_interface__["data"][0]


def outline(shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    """An array of this shape, whose strides are those of elements of one byte.

    Its memory must not be touched: only views of it are made.
    """
    strides = []
    step = 1
    for part in reversed(shape):
        strides.append(step)
        step *= part
    return as_strided(_BASE, shape, tuple(reversed(strides)), writeable=False)


def view(x: Secret, of: np.ndarray[Any, Any], where: str) -> int:
    """The node of the elements that a view of ``outline(x.shape)`` has."""
    offset = of.__array_interface__["data"][0] - _ADDRESS
    return x._trace.tracer.view(x._node, offset, list(of.shape), list(of.strides), where)


def operand_shape(value: Any) -> tuple[int, ...]:
    """The shape of an operand."""
    shape: tuple[int, ...] = value.shape if hasattr(value, "shape") else np.shape(value)
    return shape


def broadcast(x: Secret, shape: tuple[int, ...], where: str) -> int:
    """The node of `x` in a shape; one element stays one."""
    if x.shape == shape or x.size == 1:
        return x._node
    return view(x, np.broadcast_to(outline(x.shape), shape), where)
