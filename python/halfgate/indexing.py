"""Indexing, reshaping and joining. None of it costs gates, but for places that are secret."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Sequence

import numpy as np

from .broadcast import outline, view
from .dtypes import uN
from .errors import DTypeError, ShapeError
from .numbers import _secret, cast, is_secret, select, type_of
from .promote import promoted
from .trace import Trace, current, line, of_same_trace
from .values import whole

if TYPE_CHECKING:
    from .secret import Secret


def getitem(x: Secret, key: Any) -> Secret:
    """``x[key]``, with NumPy's rules, or at a secret place of the first axis."""
    parts = key if isinstance(key, tuple) else (key,)
    if any(is_secret(part) for part in parts):
        if not is_secret(parts[0]) or any(is_secret(part) for part in parts[1:]):
            raise DTypeError(
                f"{line()}: only the first index may be secret: transpose the array, or index "
                "again"
            )
        if not all(_is_basic(part) for part in parts[1:]):
            raise DTypeError(
                f"{line()}: beside a secret index only numbers, slices, None and ... are indices: "
                "index again"
            )
        found = take(x, parts[0])
        others = (slice(None),) * parts[0].ndim + parts[1:]
        return found[others] if len(parts) > 1 else found
    trace = of_same_trace([x])
    where = line()
    try:
        if all(_is_basic(part) for part in parts):
            picked = _picked(x.shape, parts)
            shape = picked.shape
            if picked.size == 0:
                raise ShapeError(f"{where}: the index selects no elements")
            return _secret(trace, view(x, picked, where), x.dtype, shape)
        places = np.arange(x.size, dtype=np.uint32).reshape(x.shape)[key]
    except IndexError as error:
        raise ShapeError(f"{where}: {error}") from None
    if places.size == 0:
        raise ShapeError(f"{where}: the index selects no elements")
    node = x._trace.tracer.pick(x._node, np.ascontiguousarray(places).tobytes(), where)
    return _secret(trace, node, x.dtype, places.shape)


def _is_basic(part: Any) -> bool:
    """Whether an index is one of NumPy's basic ones."""
    basic = (int, np.integer, slice, type(None), type(Ellipsis))
    return isinstance(part, basic) and not isinstance(part, bool)


def _picked(shape: tuple[int, ...], parts: tuple[Any, ...]) -> np.ndarray[Any, Any]:
    """The view that basic indices make of an outline.

    An index of a single element would read it, and an outline has no elements.
    """
    if len(parts) != len(shape) or not all(isinstance(part, (int, np.integer)) for part in parts):
        return outline(shape)[parts] if parts else outline(shape)
    for axis, (part, length) in enumerate(zip(parts, shape)):
        if not -length <= part < length:
            raise IndexError(f"index {part} is out of bounds for axis {axis} with size {length}")
    places = [int(part) % length for part, length in zip(parts, shape)]
    slices = tuple(slice(place, place + 1) for place in places)
    return outline(shape)[slices].reshape(()) if slices else outline(shape)


def take(x: Any, places: Secret) -> Secret:
    """Elements of the first axis of `x`, secret or public, at secret places.

    A place out of range gives zeros; a negative one counts from the end, as in NumPy.
    """
    trace = of_same_trace([value for value in (x, places) if is_secret(value)])
    where = line()
    if not (places.dtype.is_integer or places.dtype.kind == "bool"):
        raise DTypeError(f"{where}: a place is an integer, not {places.dtype!r}")
    if places.dtype.kind == "bool":
        raise DTypeError(
            f"{where}: a secret mask selects a secret number of elements: use hg.where to replace "
            "the others, or .astype(hg.u8) to look up at 0 and 1"
        )
    shape, node, dtype = _array(trace, x, where)
    if not shape:
        raise ShapeError(f"{where}: a scalar has no elements to look up")
    if places.dtype.is_signed:
        places = _from_start(places, shape[0])
    width = math.prod(shape[1:])
    found = trace.tracer.lookup(node, places._node, width, where)
    return _secret(trace, found, dtype, places.shape + shape[1:])


def _from_start(places: Secret, length: int) -> Secret:
    """Signed places as unsigned ones, negative ones counted from the end."""
    needed = max(places.dtype.width, length.bit_length() + 1)
    from .dtypes import iN

    wide = cast(places, iN(min(needed, 128)))
    return cast(select(wide < 0, wide + length, wide), uN(wide.dtype.width))


def _array(trace: Trace, x: Any, where: str) -> tuple[tuple[int, ...], int, Any]:
    """Shape, node and type of a secret or public array."""
    if is_secret(x):
        return x.shape, x._node, x.dtype
    array = whole(x, f"{where}: a public array")
    dtype = type_of(array)
    assert dtype is not None
    return array.shape, trace.public(dtype, array, f"{where}: a public array"), dtype


def reshape(x: Secret, shape: Any) -> Secret:
    """The elements in another shape."""
    trace = of_same_trace([x])
    if len(shape) == 1 and isinstance(shape[0], (tuple, list)):
        shape = shape[0]
    wanted = [int(part) for part in shape]
    if wanted.count(-1) == 1:
        known = math.prod(part for part in wanted if part != -1)
        if known > 0 and x.size % known == 0:
            wanted[wanted.index(-1)] = x.size // known
    if math.prod(wanted) != x.size or any(part < 1 for part in wanted):
        raise ShapeError(f"{line()}: {x.size} elements do not have shape {tuple(shape)}")
    return _secret(trace, x._node, x.dtype, tuple(wanted))


def transpose(x: Secret, axes: Any) -> Secret:
    """The axes in another order."""
    trace = of_same_trace([x])
    if len(axes) == 1 and isinstance(axes[0], (tuple, list)):
        axes = tuple(axes[0])
    try:
        turned = np.transpose(outline(x.shape), axes or None)
    except ValueError as error:
        raise ShapeError(f"{line()}: {error}") from None
    return _view(trace, x, turned)


def _view(trace: Trace, x: Secret, of: np.ndarray[Any, Any]) -> Secret:
    return _secret(trace, view(x, of, line()), x.dtype, of.shape)


def broadcast_to(x: Secret, shape: tuple[int, ...]) -> Secret:
    """The elements repeated along new axes and axes of length 1."""
    trace = of_same_trace([x])
    try:
        repeated = np.broadcast_to(outline(x.shape), shape)
    except ValueError:
        raise ShapeError(f"{line()}: shape {x.shape} does not broadcast to {shape}") from None
    return _view(trace, x, repeated)


def concatenate(arrays: Sequence[Any], axis: int = 0) -> Secret:
    """Arrays joined along an axis that they have."""
    secrets = [array for array in arrays if is_secret(array)]
    trace = of_same_trace(secrets) if secrets else current()
    assert trace is not None
    where = line()
    shapes = [array.shape if is_secret(array) else np.shape(array) for array in arrays]
    if not arrays or any(len(shape) != len(shapes[0]) or not shape for shape in shapes):
        raise ShapeError(f"{where}: arrays of shapes {shapes} cannot be joined")
    rank = len(shapes[0])
    if not -rank <= axis < rank:
        raise ShapeError(f"{where}: there is no axis {axis} in {rank} axes")
    axis %= rank
    rests = {shape[:axis] + shape[axis + 1 :] for shape in shapes}
    if len(rests) != 1:
        raise ShapeError(f"{where}: arrays of shapes {shapes} differ beside axis {axis}")
    dtype = secrets[0].dtype
    for array in arrays:
        of = type_of(array if is_secret(array) else whole(array, f"{where}: an array"))
        assert of is not None
        if not (dtype.is_fixed and not is_secret(array)):
            dtype = promoted(dtype, of)
    nodes = []
    for array in arrays:
        if not is_secret(array):
            moved = np.ascontiguousarray(np.moveaxis(np.asarray(array), axis, 0))
            nodes.append(trace.public(dtype, moved, f"{where}: an array"))
            continue
        first = array if axis == 0 else _view(trace, array, np.moveaxis(outline(array.shape), axis, 0))
        nodes.append(cast(first, dtype)._node)
    joined = trace.tracer.concat(nodes, where)
    length = sum(shape[axis] for shape in shapes)
    (rest,) = rests
    result = _secret(trace, joined, dtype, (length, *rest))
    if axis == 0:
        return result
    return _view(trace, result, np.moveaxis(outline(result.shape), 0, axis))


def expand(x: Any, axis: int) -> Any:
    """A new axis of length 1."""
    if not is_secret(x):
        return np.expand_dims(whole(x, f"{line()}: an array"), axis)
    rank = x.ndim + 1
    if not -rank <= axis < rank:
        raise ShapeError(f"{line()}: there is no axis {axis} in {rank} axes")
    shape = list(x.shape)
    shape.insert(axis % rank, 1)
    return reshape(x, tuple(shape))


def stack(arrays: Sequence[Any], axis: int = 0) -> Secret:
    """Arrays of one shape joined along a new axis."""
    return concatenate([expand(array, axis) for array in arrays], axis)
