"""Functions of arrays, for secrets and for plain values: on plain values they are NumPy's."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from . import indexing, numbers, reductions
from .broadcast import operand_shape
from .dtypes import as_type
from .numbers import is_secret
from .trace import line
from .values import whole


def _any_secret(*values: Any) -> bool:
    return any(is_secret(value) for value in values)


def where(condition: Any, x: Any, y: Any) -> Any:
    """`x` where `condition` is not 0, else `y`: an ``if`` for secrets. Both cost what they cost."""
    if not _any_secret(condition, x, y):
        return np.where(condition, x, y)
    return numbers.select(condition, x, y)


def minimum(x: Any, y: Any) -> Any:
    """The smaller of two, element by element; a NaN if one is a NaN."""
    return numbers.extreme("min", x, y) if _any_secret(x, y) else np.minimum(x, y)


def maximum(x: Any, y: Any) -> Any:
    """The larger of two, element by element; a NaN if one is a NaN."""
    return numbers.extreme("max", x, y) if _any_secret(x, y) else np.maximum(x, y)


def clip(x: Any, low: Any, high: Any) -> Any:
    """`x` limited to `low` and `high`."""
    return minimum(maximum(x, low), high)


def concatenate(arrays: Sequence[Any], axis: int = 0) -> Any:
    """Joins arrays along an axis."""
    if not _any_secret(*arrays):
        return np.concatenate(arrays, axis)
    return indexing.concatenate(arrays, axis)


def stack(arrays: Sequence[Any], axis: int = 0) -> Any:
    """Joins arrays of one shape along a new axis."""
    return indexing.stack(arrays, axis) if _any_secret(*arrays) else np.stack(arrays, axis)


def hstack(arrays: Sequence[Any]) -> Any:
    """Joins arrays along their second axis, or the only one."""
    if not _any_secret(*arrays):
        return np.hstack(arrays)
    parts = [array if operand_shape(array) else indexing.expand(array, 0) for array in arrays]
    return indexing.concatenate(parts, 0 if len(operand_shape(parts[0])) == 1 else 1)


def vstack(arrays: Sequence[Any]) -> Any:
    """Joins arrays along the first of at least two axes: arrays of one axis are rows."""
    if not _any_secret(*arrays):
        return np.vstack(arrays)
    return indexing.concatenate([_rows(array) for array in arrays], 0)


def _rows(x: Any) -> Any:
    """An array with at least two axes."""
    while len(operand_shape(x)) < 2:
        x = indexing.expand(x, 0)
    return x


def flip(x: Any, axis: int | tuple[int, ...] | None = None) -> Any:
    """The elements in the opposite order along axes, by default along all."""
    if not is_secret(x):
        return np.flip(x, axis)
    axes = reductions.axes(x, axis)
    return x[tuple(slice(None, None, -1 if part in axes else 1) for part in range(x.ndim))]


def diff(x: Any, n: int = 1, axis: int = -1) -> Any:
    """Differences of neighbours along an axis, `n` times. Those of booleans are booleans."""
    if not is_secret(x):
        return np.diff(x, n, axis)
    (place,) = reductions.axes(x, axis)
    before = (slice(None),) * place
    for _ in range(n):
        later, earlier = x[(*before, slice(1, None))], x[(*before, slice(None, -1))]
        x = later != earlier if x.dtype.kind == "bool" else later - earlier
    return x


def outer(x: Any, y: Any) -> Any:
    """The products of all elements of `x` with all of `y`."""
    if not _any_secret(x, y):
        return np.outer(x, y)
    column = (x if is_secret(x) else np.asarray(x)).reshape(-1, 1)
    row = (y if is_secret(y) else np.asarray(y)).reshape(1, -1)
    return numbers.arithmetic("mul", column, row)


def broadcast_to(x: Any, shape: tuple[int, ...]) -> Any:
    """Repeats elements along new axes and axes of length 1."""
    return indexing.broadcast_to(x, shape) if is_secret(x) else np.broadcast_to(x, shape)


def expand_dims(x: Any, axis: int) -> Any:
    """A new axis of length 1."""
    return indexing.expand(x, axis)


def take(x: Any, places: Any) -> Any:
    """Elements of the first axis of `x`, secret or public, at places that may be secret.

    A secret place out of range gives zeros; a negative one counts from the end.
    """
    if is_secret(places):
        return indexing.take(x, places)
    return x[places] if is_secret(x) else np.asarray(x)[places]


def sort(x: Any, axis: int | None = -1, descending: bool = False) -> Any:
    """The elements along an axis in order; NaNs are last if ascending."""
    if is_secret(x):
        return reductions.sort(x, axis, descending)
    found = np.sort(x, axis)
    return np.flip(found, -1 if axis is None else axis) if descending else found


def argsort(x: Any, axis: int | None = -1, descending: bool = False) -> Any:
    """The indices that sort along an axis; equal elements keep their order."""
    if is_secret(x):
        return reductions.argsort(x, axis, descending)
    if not descending:
        return np.argsort(x, axis, kind="stable")
    flat = np.ravel(x) if axis is None else np.moveaxis(np.asarray(x), axis, -1)
    found = flat.shape[-1] - 1 - np.argsort(flat[..., ::-1], -1, kind="stable")[..., ::-1]
    return found if axis is None else np.moveaxis(found, -1, axis)


def topk(x: Any, k: int, axis: int = -1) -> Any:
    """The `k` largest elements along an axis, the largest first."""
    if is_secret(x):
        return reductions.topk(x, k, axis)
    found = np.flip(np.sort(x, axis), axis)
    return np.take(found, np.arange(k), axis)


def unique_count(x: Any) -> Any:
    """The number of different elements."""
    return reductions.unique_count(x) if is_secret(x) else np.unique(x).size


def matmul(x: Any, y: Any) -> Any:
    """The product of matrices and vectors. Integers wrap, as in NumPy. Axes before the last two
    broadcast."""
    return reductions.matmul(x, y) if _any_secret(x, y) else np.matmul(x, y)


def cumsum(x: Any, axis: int | None = None, dtype: Any = None) -> Any:
    """The sums of the first elements along an axis, or of all in their order."""
    return x.cumsum(axis, dtype) if is_secret(x) else np.cumsum(x, axis, dtype)


def dot(x: Any, y: Any) -> Any:
    """As ``numpy.dot``, for at most two axes."""
    return reductions.dot(x, y) if _any_secret(x, y) else np.dot(x, y)


def sqrt(x: Any) -> Any:
    """The square root; of integers in binary64."""
    return numbers.of_floats("sqrt", x) if is_secret(x) else np.sqrt(x)


def floor(x: Any) -> Any:
    """Rounds floats down."""
    return numbers.of_floats("floor", x) if is_secret(x) else np.floor(x)


def ceil(x: Any) -> Any:
    """Rounds floats up."""
    return numbers.of_floats("ceil", x) if is_secret(x) else np.ceil(x)


def trunc(x: Any) -> Any:
    """Rounds floats towards 0."""
    return numbers.of_floats("trunc", x) if is_secret(x) else np.trunc(x)


def rint(x: Any) -> Any:
    """Rounds floats to the nearest integer, ties to even."""
    return numbers.of_floats("rint", x) if is_secret(x) else np.rint(x)


def isnan(x: Any) -> Any:
    """Whether floats are NaN."""
    from .dtypes import bool_

    return numbers.each("isnan", [x], [x.dtype], bool_) if is_secret(x) else np.isnan(x)


def bitwise_count(x: Any) -> Any:
    """The number of ones in an unsigned integer, an ``hg.u8`` as in NumPy."""
    from .dtypes import u8
    from .errors import DTypeError

    if not is_secret(x):
        return np.bitwise_count(x)
    if x.dtype.kind != "uint":
        raise DTypeError(f"{x!r}: bitwise_count is for unsigned integers: use astype")
    return numbers.each("popcount", [x], [x.dtype], u8)


def constant(value: Any, dtype: Any) -> Any:
    """A public value as a secret of this type, for places where a secret is needed. Outside a
    function that is being traced, the plain value of the matching NumPy type."""
    from .secret import Secret
    from .trace import current

    of = as_type(dtype, f"{line()}: constant")
    trace = current()
    if trace is None:
        return np.asarray(value, dtype=of.dtype)[()]
    array = whole(value, f"{line()}: a constant")
    return Secret(trace, trace.public(of, array, f"{line()}: a constant"), of, array.shape)
