"""Reductions, products of matrices, sorting."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from .broadcast import outline, view
from .dtypes import DType, _is_integer, as_type, bool_, f64, fixed, i64, iN, shown, ufixed, uN
from .errors import DTypeError, ShapeError
from .indexing import expand
from .numbers import _secret, cast, each, is_secret, types
from .promote import promoted, summed
from .trace import line, of_same_trace
from .values import whole

if TYPE_CHECKING:
    from .secret import Secret

Axis = int | tuple[int, ...] | None


def axes(x: Secret, axis: Axis) -> tuple[int, ...]:
    """The numbers of axes, from 0."""
    if axis is None:
        return tuple(range(x.ndim))
    parts = axis if isinstance(axis, tuple) else (axis,)
    if not all(_is_integer(part) for part in parts):
        raise ShapeError(
            f"{line()}: axis {shown(axis)}: an axis is a whole number, and several are a tuple"
        )
    parts = tuple(int(part) for part in parts)
    if any(not -x.ndim <= part < x.ndim for part in parts):
        raise ShapeError(f"{line()}: there is no axis {shown(axis)} in shape {x.shape}")
    found = tuple(part % x.ndim for part in parts)
    if len(set(found)) != len(found):
        raise ShapeError(f"{line()}: axis {axis} names an axis twice")
    return found


def _rows(x: Secret, axes: tuple[int, ...], where: str) -> tuple[int, int]:
    """The node with `axes` as the last ones, and the elements of a row of these."""
    kept = [part for part in range(x.ndim) if part not in axes]
    order = kept + sorted(axes)
    row = math.prod(x.shape[part] for part in axes)
    if order == list(range(x.ndim)):
        return x._node, row
    return view(x, np.transpose(outline(x.shape), order), where), row


def _left(x: Secret, axes: tuple[int, ...], keepdims: bool) -> tuple[int, ...]:
    parts = enumerate(x.shape)
    if keepdims:
        return tuple(1 if number in axes else part for number, part in parts)
    return tuple(part for number, part in parts if number not in axes)


def reduce(name: str, x: Secret, axis: Axis, keepdims: bool) -> Secret:
    """Reduces axes."""
    trace = of_same_trace([x])
    where = line()
    reduced = axes(x, axis)
    node, row = _rows(x, reduced, where)
    found = trace.tracer.reduce(name, node, row, where)
    return _secret(trace, found, x.dtype, _left(x, reduced, keepdims))


def accumulate(name: str, x: Secret, axis: Axis, dtype: Any, keepdims: bool) -> Secret:
    """The sum or the product along axes."""
    of = summed(x.dtype) if dtype is None else as_type(dtype, f"{line()}: {name}")
    return reduce(name, cast(x, of), axis, keepdims)


def mean(x: Secret, axis: Axis, keepdims: bool) -> Secret:
    """The mean along axes: of integers in binary64, from a sum that does not wrap."""
    count = math.prod(x.shape[part] for part in axes(x, axis))
    if x.dtype.kind == "float":
        return reduce("sum", x, axis, keepdims) / count
    width = x.dtype.width + count.bit_length()
    if x.dtype.is_fixed:
        if width > 128:
            raise DTypeError(
                f"{line()}: the mean of {count} elements of {x.dtype!r} needs {width} bits, of at "
                "most 128: divide first"
            )
        wide = (fixed if x.dtype.is_signed else ufixed)(width, x.dtype.fraction)
        return cast(reduce("sum", cast(x, wide), axis, keepdims) / count, x.dtype)
    of = f64 if width > 128 else iN(width) if x.dtype.is_signed else uN(width)
    return cast(reduce("sum", cast(x, of), axis, keepdims), f64) / count


def variance(x: Secret, axis: Axis, ddof: float, keepdims: bool) -> Secret:
    """The mean of the squared differences from the mean; of integers and fixed point in binary64."""
    x = x if x.dtype.kind == "float" else cast(x, f64)
    count = math.prod(x.shape[part] for part in axes(x, axis))
    if not ddof < count:
        raise ShapeError(f"{line()}: ddof={ddof} of {count} elements: it must be less")
    away = x - mean(x, axis, True)
    return reduce("sum", away * away, axis, keepdims) / (count - ddof)


def _one_axis(x: Secret, axis: int | None) -> tuple[Secret, int]:
    """An array and one of its axes; without an axis, all elements in one."""
    if axis is None:
        return x.ravel(), 0
    if isinstance(axis, tuple):
        raise ShapeError(f"{line()}: the axis is {axis}: it must be one number")
    return x, axes(x, axis)[0]


def arg_extreme(x: Secret, largest: bool, axis: int | None) -> Secret:
    """The index of the first largest or least element."""
    trace = of_same_trace([x])
    where = line()
    x, place = _one_axis(x, axis)
    node, row = _rows(x, (place,), where)
    found = trace.tracer.arg_extreme(node, largest, row, i64.native, where)
    return _secret(trace, found, i64, _left(x, (place,), False))


def sort(x: Secret, axis: int | None = -1, descending: bool = False) -> Secret:
    """The elements along an axis in order."""
    return _sorted(x, axis, descending, None)


def argsort(x: Secret, axis: int | None = -1, descending: bool = False) -> Secret:
    """The indices that sort along an axis, an ``hg.i64``; equal elements keep their order."""
    return _sorted(x, axis, descending, i64)


def _sorted(x: Secret, axis: int | None, descending: bool, places: DType | None) -> Secret:
    trace = of_same_trace([x])
    where = line()
    if x.ndim == 0 and axis is not None:
        raise ShapeError(f"{where}: a scalar cannot be sorted")
    x, place = _one_axis(x, axis)
    node, row = _rows(x, (place,), where)
    if places is None:
        found = trace.tracer.sort(node, row, descending, where)
    else:
        found = trace.tracer.arg_sort(node, row, descending, places.native, where)
    moved = tuple(part for number, part in enumerate(x.shape) if number != place)
    result = _secret(trace, found, places or x.dtype, (*moved, x.shape[place]))
    if place == x.ndim - 1:
        return result
    turned = np.moveaxis(outline(result.shape), -1, place)
    return _secret(trace, view(result, turned, where), result.dtype, turned.shape)


def topk(x: Secret, k: int, axis: int = -1) -> Secret:
    """The `k` largest elements along an axis, the largest first.

    Groups are sorted, and then halved: of two groups only the `k` largest remain.
    """
    from .indexing import concatenate
    from .numbers import extreme

    x, place = _one_axis(x, axis)
    length = x.shape[place]
    if type(k) is not int or not 1 <= k <= length:
        raise ShapeError(f"{line()}: k={k!r} of {length} elements: k is from 1 to their number")
    last = x.transpose(*(part for part in range(x.ndim) if part != place), place)
    groups = [last[..., start : start + k] for start in range(0, length, k)]
    rest = groups.pop() if length % k and len(groups) > 1 else None
    if length < 2 * k:
        found = sort(last, -1, True)[..., :k]
        return found.transpose(*_back(x.ndim, place))
    whole = last[..., : length - length % k]
    level = sort(whole.reshape(*last.shape[:-1], length // k, k), -1, True)
    while level.shape[-2] > 1:
        count = level.shape[-2]
        odd = level[..., count - 1 :, :] if count % 2 else None
        # The larger of opposite elements of two sorted groups are the k largest of both.
        first, second = level[..., 0 : count - 1 : 2, :], level[..., 1:count:2, ::-1]
        level = sort(extreme("max", first, second), -1, True)
        if odd is not None:
            level = concatenate([level, odd], axis=-2)
    found = level[..., 0, :]
    if rest is not None:
        found = sort(concatenate([found, rest], axis=-1), -1, True)[..., :k]
    return found.transpose(*_back(x.ndim, place))


def _back(rank: int, place: int) -> list[int]:
    """The order of axes that moves the last one back to `place`."""
    order = list(range(rank - 1))
    order.insert(place, rank - 1)
    return order


def unique_count(x: Secret) -> Secret:
    """The number of different elements, an ``hg.i64``."""
    ordered = sort(x, None)
    if ordered.size == 1:
        return cast(ordered[0] == ordered[0], i64)
    differs = ordered[1:] != ordered[:-1]
    if ordered.dtype.kind == "float":
        # As in NumPy, all NaNs are one element. They are last.
        is_nan = each("isnan", [ordered], [ordered.dtype], bool_)
        differs = differs & ~is_nan[:-1]
    return differs.sum() + 1


def cumsum(x: Secret, axis: int | None, dtype: Any) -> Secret:
    """The sums of the first elements along an axis. They are added in order, as in NumPy."""
    from .indexing import concatenate, reshape
    from .structured import fold

    of = summed(x.dtype) if dtype is None else as_type(dtype, f"{line()}: cumsum")
    x, place = _one_axis(x if x.ndim else reshape(x, ((1,),)), axis)
    length = x.shape[place]
    if length == 1:
        return cast(x, of)
    # The sums need only some bits of their type.
    needed = x.dtype.width + length.bit_length()
    is_narrow = of.is_integer and x.dtype.kind in ("bool", "uint", "int") and needed < of.width
    x = cast(x, (iN if x.dtype.is_signed else uN)(needed) if is_narrow else of)
    order = (place, *(part for part in range(x.ndim) if part != place))
    rows = x.transpose(*order)

    def cumsum(total: Any, x: Any) -> Any:
        following = total + x
        return following, following

    _, others = fold(cumsum, rows[0], rows[1:], outputs=True)
    found = cast(concatenate([rows[:1], others]), of)
    return found.transpose(*(order.index(part) for part in range(x.ndim)))


def matmul(x: Any, y: Any) -> Secret:
    """As ``numpy.matmul``. Axes before the last two broadcast."""
    where = line()
    public = f"{where}: a public matrix"
    x, y = (value if is_secret(value) else whole(value, public) for value in (x, y))
    if x.ndim in (1, 2) and y.ndim in (1, 2):
        return dot(x, y)
    shapes = f"a product of shapes {x.shape} and {y.shape}"
    if not x.ndim or not y.ndim:
        raise ShapeError(f"{where}: {shapes}: a scalar is no matrix: use *")
    left, right = (x if x.ndim > 1 else expand(x, 0)), (y if y.ndim > 1 else expand(y, 1))
    (n, k), (others, m) = left.shape[-2:], right.shape[-2:]
    try:
        if k != others:
            raise ValueError
        batch = np.broadcast_shapes(left.shape[:-2], right.shape[:-2])
    except ValueError:
        raise ShapeError(f"{where}: {shapes}") from None
    found = _products(left, right, batch, (n, k, m))
    shape = batch + ((n,) if x.ndim > 1 else ()) + ((m,) if y.ndim > 1 else ())
    return _secret(found._trace, found._node, found.dtype, shape)


def _products(x: Any, y: Any, batch: tuple[int, ...], sizes: tuple[int, int, int]) -> Secret:
    """The products of the matrices of a batch."""
    from .api import broadcast_to
    from .structured import map, shared

    n, k, m = sizes
    count = math.prod(batch)
    if y.size == k * m:
        # One matrix for all: the rows of all others are one matrix.
        return dot(broadcast_to(x, (*batch, n, k)).reshape(count * n, k), y.reshape(k, m))
    many = broadcast_to(y, (*batch, k, m)).reshape(count, k, m)

    def matmul(x: Any, y: Any) -> Any:
        return dot(x, y)

    if x.size == n * k:
        found: Secret = map(matmul, shared(x.reshape(n, k)), many)
    else:
        found = map(matmul, broadcast_to(x, (*batch, n, k)).reshape(count, n, k), many)
    return found


def dot(x: Any, y: Any) -> Secret:
    """As ``numpy.dot``, for arrays of at most two axes."""
    trace = of_same_trace([value for value in (x, y) if is_secret(value)])
    where = line()
    public = f"{where}: a public matrix"
    x, y = (value if is_secret(value) else whole(value, public) for value in (x, y))
    dtype = promoted(*types(x, y))
    shapes = [value.shape if is_secret(value) else np.shape(value) for value in (x, y)]
    if not shapes[0] or not shapes[1]:
        from .numbers import arithmetic

        return arithmetic("mul", x, y)
    if any(len(shape) > 2 for shape in shapes) or shapes[0][-1] != shapes[1][0]:
        raise ShapeError(f"{where}: a product of shapes {shapes[0]} and {shapes[1]}")
    left = x if len(shapes[0]) == 2 else expand(x, 0)
    right = y if len(shapes[1]) == 2 else expand(y, 1)
    n, k = left.shape
    m = right.shape[1]
    columns = right.T
    nodes = []
    for value in (left, columns):
        if is_secret(value):
            nodes.append(cast(value, dtype)._node)
        else:
            array = np.ascontiguousarray(value)
            nodes.append(trace.public(dtype, array, public))
    node = trace.tracer.product(nodes[0], nodes[1], (n, k, m), where)
    shape = shapes[0][:-1] + shapes[1][1:]
    return _secret(trace, node, dtype, shape)


