"""Plain values as the bytes that the Rust half takes and gives."""

from __future__ import annotations

from array import array as Buffer
from collections.abc import Sequence
from decimal import MAX_EMAX, MIN_EMIN, ROUND_05UP, Context, Decimal
from fractions import Fraction
from itertools import chain
from typing import Any

import numpy as np

from ._halfgate import unpack
from .dtypes import ArrayType, DType, bool_, shown
from .errors import DTypeError, RangeError, ShapeError

#: What to do about missing values.
_NO_MISSING = (
    "and a circuit has no missing values: drop or replace them before the run"
)

#: Elements as the Rust half takes them: bytes, bytes of an element (0 if packed), bits of one.
Elements = tuple[bytes, int, int]


def encode(of: ArrayType, value: Any, what: str) -> Elements:
    """The elements of a plain value. `what` names it in errors."""
    array = plain(value, of.dtype, what)
    if array.shape != of.shape:
        raise ShapeError(f"{what} has shape {array.shape}: it must have shape {of.shape}")
    return pack(of.dtype, array, what)


def whole(value: Any, what: str) -> np.ndarray[Any, Any]:
    """Public values as an array. NumPy's own conversion would drop a mask, and make NaN of what is
    missing in a column of floats."""
    _check_open(value, what)
    found = _missing(value)
    if found is not None:
        place, word = found
        raise DTypeError(f"{_element(what, place)} is missing ({word}), {_NO_MISSING}")
    try:
        return np.asarray(value)
    except (ValueError, OverflowError):
        raise ShapeError(f"{what} is not an array: its rows have different lengths") from None


#: Types of elements of lists that hold no other values. None is found in the array.
_SCALARS = {bool, int, float, complex, str, Fraction, Decimal, type(None)}
_SCALARS |= set(np.sctypeDict.values())
#: Sequences of numbers and characters alone.
_FLAT = (str, bytes, bytearray, memoryview, range, Buffer)
#: Most axes of an array of NumPy.
_MAX_AXES = 64

#: The place of an element, and whether it is masked or null.
_Missing = tuple[tuple[int, ...], str]


def _missing(value: Any, depth: int = 0) -> _Missing | None:
    """The first missing element of arrays and columns that say so beside their elements.

    They may be in lists, and in tables, whose columns are the last axis.
    """
    kind = type(value)
    if kind in _SCALARS or kind is np.ndarray:
        return None
    if isinstance(value, Sequence) and not isinstance(value, _FLAT):
        if depth == _MAX_AXES or _is_of_scalars(value):
            return None
        for number, part in enumerate(value):
            found = _missing(part, depth + 1)
            if found is not None:
                return (number, *found[0]), found[1]
        return None
    for number, column in enumerate(_columns(value)):
        found = _missing(column, depth + 1)
        if found is not None:
            return (*found[0], number), found[1]
    if isinstance(value, np.ma.MaskedArray):
        missing, word = np.ma.getmaskarray(value), "masked"
    else:
        missing, word = _nulls(value), "null"
    if not missing.any():
        return None
    return tuple(int(i) for i in np.argwhere(missing)[0]), word


def _is_of_scalars(value: Sequence[Any]) -> bool:
    """Whether nested lists have scalars alone. It looks at a level at once, which is quick."""
    level = value
    for _ in range(_MAX_AXES):
        kinds = set(map(type, level))
        if kinds <= _SCALARS:
            return True
        if not kinds <= {list, tuple}:
            return False
        level = list(chain.from_iterable(level))
    return True


def _columns(value: Any) -> list[Any]:
    """The columns of a table of Arrow, or of a frame of pandas or Polars.

    Classes are asked, since columns may be attributes of a frame.
    """
    kind = type(value)
    if hasattr(kind, "itercolumns"):
        return list(value.columns)
    if hasattr(kind, "get_columns"):
        return list(value.get_columns())
    if hasattr(kind, "iloc") and value.ndim == 2:
        return [value.iloc[:, number] for number in range(value.shape[1])]
    return []


def _nulls(value: Any) -> np.ndarray[Any, Any]:
    """Where a column has nulls."""
    kind = type(value)
    # Columns of Arrow and Polars. The count of nulls leaves out those in dictionaries and runs.
    if hasattr(kind, "null_count") and hasattr(kind, "is_null"):
        return np.asarray(value.is_null())
    # Columns of pandas with a nullable type, or with categories.
    dtype = getattr(value, "dtype", None) if hasattr(kind, "dtype") else None
    if hasattr(dtype, "pyarrow_dtype"):
        return _nulls(getattr(value, "array", value).__arrow_array__())
    if type(getattr(dtype, "na_value", None)).__name__ == "NAType" or hasattr(dtype, "categories"):
        return np.asarray(value.isna())
    return np.zeros(0, dtype=bool)


def _check_open(value: Any, what: str) -> None:
    """Refuses a memoryview that was released."""
    try:
        if isinstance(value, memoryview):
            value.format
    except ValueError:
        raise DTypeError(f"{what} is a memoryview that was released") from None


def plain(value: Any, dtype: DType, what: str) -> np.ndarray[Any, Any]:
    """A plain value as an array."""
    if isinstance(value, memoryview):
        return _viewed(value, what)
    if isinstance(value, (bytes, bytearray)):
        if dtype.width != 8 or dtype.kind != "uint":
            raise DTypeError(f"{what} is bytes, which only an array of hg.u8 takes")
        return np.frombuffer(value, dtype=np.uint8)
    if isinstance(value, str):
        raise DTypeError(f"{what} is a string: encode it to bytes, for an array of hg.u8")
    array = whole(value, what)
    if array.dtype.kind == "f" and isinstance(value, (list, tuple)) and dtype.kind != "float":
        # NumPy makes floats of integers above and below those of 64 bits.
        exact = np.asarray(value, dtype=object)
        if all(isinstance(x, int) for x in exact.flat):
            return exact
    if array.dtype.kind not in "biufO":
        raise DTypeError(f"{what} has NumPy's type {array.dtype}: {dtype!r} takes numbers")
    return array


def _viewed(value: memoryview, what: str) -> np.ndarray[Any, Any]:
    """The elements of a buffer, of the type that its format says."""
    _check_open(value, what)
    try:
        array = np.asarray(value)
        if value.format == "c":
            array = array.view(np.uint8)
    except (TypeError, ValueError):
        array = np.empty(0, dtype=object)
    if array.dtype.kind not in "biuf":
        raise DTypeError(
            f"{what} is a memoryview of format {value.format!r}: give one of booleans, integers or "
            "floats, as of an array of NumPy"
        )
    return array


def pack(dtype: DType, array: np.ndarray[Any, Any], what: str) -> Elements:
    """The elements of an array, after a check of their range."""
    if dtype.kind == "bool":
        return np.packbits(_booleans(array, what), bitorder="little").tobytes(), 0, 1
    if dtype.kind == "float":
        return _floats(dtype, array, what).tobytes(), dtype.size, dtype.width
    return elements(dtype, array, what), dtype.size, dtype.width


def elements(dtype: DType, array: np.ndarray[Any, Any], what: str) -> bytes:
    """The elements of an array in `dtype.size` bytes each, whatever the type is."""
    if dtype.kind == "bool":
        return _booleans(array, what).astype(np.uint8).tobytes()
    if dtype.kind == "float":
        return _floats(dtype, array, what).tobytes()
    raw = _scaled(dtype, array, what) if dtype.is_fixed else _integers(dtype, array, what)
    if raw.dtype.kind == "O":
        mask = (1 << (8 * dtype.size)) - 1
        return b"".join((int(x) & mask).to_bytes(dtype.size, "little") for x in raw.flat)
    if dtype.size == 16:
        # Two words; the upper one repeats the sign.
        halves = np.zeros((raw.size, 2), dtype=np.uint64)
        halves[:, 0] = raw.ravel().astype(np.uint64)
        halves[:, 1] = np.where(raw.ravel() < 0, np.uint64(2**64 - 1), np.uint64(0))
        return halves.tobytes()
    letter = "i" if dtype.is_signed else "u"
    return raw.astype(f"<{letter}{dtype.size}", copy=False).tobytes()


def decode(of: ArrayType, packed: bytes) -> Any:
    """The plain value of packed bits: an array, or a scalar for the shape ``()``."""
    dtype = of.dtype
    count = int(np.prod(of.shape, dtype=np.int64))
    if dtype.kind == "bool":
        bits = np.frombuffer(packed, dtype=np.uint8)
        array = np.unpackbits(bits, count=count, bitorder="little").view(bool)
        return array.reshape(of.shape)[()]
    if dtype.width != 8 * dtype.size:
        packed = unpack(packed, dtype.size, dtype.width, dtype.is_signed)[: count * dtype.size]
    if dtype.size == 16:
        parts = (packed[16 * i : 16 * i + 16] for i in range(count))
        numbers = [int.from_bytes(part, "little", signed=dtype.is_signed) for part in parts]
        array = np.empty(count, dtype=object)
        array[:] = numbers
    else:
        letter = "f" if dtype.kind == "float" else "i" if dtype.is_signed else "u"
        array = np.frombuffer(packed, dtype=f"<{letter}{dtype.size}").copy()
    if dtype.is_fixed and dtype.numpy == np.float64:
        array = np.ldexp(array.astype(np.float64), -dtype.fraction)
    elif dtype.is_fixed:
        exact = np.empty(count, dtype=object)
        exact[:] = [Fraction(int(number), 1 << dtype.fraction) for number in array]
        array = exact
    return array.reshape(of.shape)[()]


def _element(what: str, place: tuple[int, ...]) -> str:
    """The name of an element; a scalar has no place."""
    return f"{what}[{', '.join(map(str, place))}]" if place else what


def _refuse_missing(array: np.ndarray[Any, Any], what: str, dtype: DType) -> None:
    """Refuses missing values: None, pandas' NA, and NaN, except in floats."""
    if array.dtype.kind == "f":
        missing = np.isnan(array)
    elif array.dtype.kind == "O":
        missing = np.empty(array.shape, dtype=bool)
        for place, x in np.ndenumerate(array):
            is_nan = isinstance(x, (float, np.floating)) and x != x and dtype.kind != "float"
            is_gone = x is None or x is np.ma.masked or type(x).__name__ in ("NAType", "NaTType")
            missing[place] = is_gone or is_nan
    else:
        return
    if missing.any():
        place = tuple(int(i) for i in np.argwhere(missing)[0])
        hint = ", or use hg.f64 and np.nan" if dtype.kind != "float" else ", as with np.nan"
        raise DTypeError(
            f"{_element(what, place)} is missing ({array[place]}), {_NO_MISSING}{hint}"
        )


def _fail(array: np.ndarray[Any, Any], bad: np.ndarray[Any, Any], what: str, why: str) -> None:
    """Raises an error about the first bad element."""
    place = tuple(int(i) for i in np.argwhere(bad)[0])
    raise RangeError(f"{_element(what, place)} is {shown(array[place], str)}: {why}")


def _booleans(array: np.ndarray[Any, Any], what: str) -> np.ndarray[Any, Any]:
    if array.dtype.kind == "b":
        return array
    _refuse_missing(array, what, bool_)
    if array.dtype.kind == "O":
        _check_numbers(array, what, bool_)
    elif array.dtype.kind not in "iu":
        raise DTypeError(f"{what} has NumPy's type {array.dtype}: hg.bool_ takes booleans")
    bad = ((array != 0) & (array != 1)).astype(bool)
    if bad.any():
        _fail(array, bad, what, "a boolean is 0 or 1")
    return array.astype(bool)


def _check_numbers(array: np.ndarray[Any, Any], what: str, dtype: DType) -> None:
    """Refuses objects that are not numbers."""
    for place, x in np.ndenumerate(array):
        if not isinstance(x, (bool, int, float, np.bool_, np.number)):
            raise DTypeError(f"{_element(what, place)} is {shown(x)}: {dtype!r} takes numbers")


def _integers(dtype: DType, array: np.ndarray[Any, Any], what: str) -> np.ndarray[Any, Any]:
    _refuse_missing(array, what, dtype)
    if array.dtype.kind == "f":
        raise DTypeError(
            f"{what} has NumPy's type {array.dtype}: {dtype!r} takes integers; round first, "
            "or use hg.f64 or hg.fixed"
        )
    if array.dtype.kind == "O":
        for place, x in np.ndenumerate(array):
            if isinstance(x, (bool, np.bool_)) or not isinstance(x, (int, np.integer)):
                raise DTypeError(f"{_element(what, place)} is {shown(x)}: {dtype!r} takes integers")
    low, high = dtype.limits
    if array.dtype.kind == "b":
        return array.astype(np.uint8)
    if array.dtype.kind != "O":
        info = np.iinfo(array.dtype)
        if info.min >= low and info.max <= high:
            return array
    bad = np.zeros(array.shape, dtype=bool)
    if array.dtype.kind == "O" or np.iinfo(array.dtype).min < low:
        bad |= (array < low).astype(bool)
    if array.dtype.kind == "O" or np.iinfo(array.dtype).max > high:
        bad |= (array > high).astype(bool)
    if bad.any():
        _fail(array, bad, what, f"{dtype!r} is from {low} to {high}")
    return array


def _floats(dtype: DType, array: np.ndarray[Any, Any], what: str) -> np.ndarray[Any, Any]:
    if array.dtype.kind == "O":
        _refuse_missing(array, what, dtype)
        _check_numbers(array, what, dtype)
        try:
            array = array.astype(np.float64)
        except OverflowError:
            raise RangeError(f"{what} has an integer that is too large for {dtype!r}") from None
    with np.errstate(over="ignore", under="ignore"):
        cast = np.ascontiguousarray(array, dtype=f"<f{dtype.size}").reshape(array.shape)
    if array.dtype.kind == "f" and array.dtype.itemsize > dtype.size:
        bad = np.isinf(cast) & np.isfinite(array)
        if bad.any():
            most = "3.4028235e38" if dtype.width == 32 else "1.7976931348623157e308"
            _fail(array, bad, what, f"{dtype!r} is at most {most}")
    return cast


def _scaled(dtype: DType, array: np.ndarray[Any, Any], what: str) -> np.ndarray[Any, Any]:
    """Multiples of ``2**-fraction``, rounded to the nearest, ties to even."""
    low, high = dtype.limits
    unit = 1 << dtype.fraction
    limits = f"{dtype!r} is from {low / unit} to {high / unit}"
    if array.dtype.kind == "O":
        _refuse_missing(array, what, dtype)
    if array.dtype.kind == "f":
        bad = ~np.isfinite(array)
        if bad.any():
            _fail(array, bad, what, limits)
    is_exact = (array.dtype.kind == "f" and array.itemsize <= 8) or (
        array.dtype.kind in "biu"
        and (array.size == 0 or np.abs(array.astype(float)).max() < 2**53)
    )
    if dtype.width <= 64 and is_exact:
        with np.errstate(over="ignore"):
            scaled = np.rint(array.astype(np.float64) * float(unit))
        bad = (scaled < float(low)) | (scaled >= float(high + 1))
        if bad.any():
            _fail(array, bad, what, limits)
        return scaled.astype(np.int64 if dtype.is_signed else np.uint64)
    exact = np.empty(array.shape, dtype=object)
    for place, x in np.ndenumerate(array):
        if not isinstance(x, (int, float, Fraction, Decimal, np.bool_, np.integer, np.floating)):
            raise DTypeError(f"{_element(what, place)} is {shown(x)}: {dtype!r} takes numbers")
        try:
            if isinstance(x, (int, np.bool_, np.integer)):
                top, bottom = int(x), 1
            else:
                number = _shortened(x) if isinstance(x, Decimal) else x
                top, bottom = number.as_integer_ratio()
        except (OverflowError, ValueError):
            raise RangeError(f"{_element(what, place)} is {shown(x, str)}: {limits}") from None
        # Python rounds ties of fractions to even.
        exact[place] = round(Fraction(top, bottom) * unit)
    bad = ((exact < low) | (exact > high)).astype(bool)
    if bad.any():
        _fail(array, bad, what, limits)
    return exact


#: Most digits of fixed point before the decimal point: 2**128 has 39.
_MAX_DIGITS = 40
#: Decimal places, more than those of the least tie, which is an odd multiple of 2**-129.
_PLACES = 140
_CONTEXT = Context(prec=_MAX_DIGITS + _PLACES + 1, Emax=MAX_EMAX, Emin=MIN_EMIN, capitals=1)


def _shortened(x: Decimal) -> Decimal:
    """A decimal of few digits that rounds to the same fixed point, of any width and fraction.

    An exponent of millions would make an integer of as many digits. The last digit that is kept is
    neither 0 nor 5 if others were dropped, so that no tie is made.
    """
    if not x.is_finite():
        return x
    if x.adjusted() >= _MAX_DIGITS and x:
        raise OverflowError
    if x.as_tuple().exponent >= -_PLACES:  # type: ignore[operator]
        return x
    return x.quantize(Decimal(1).scaleb(-_PLACES), ROUND_05UP, _CONTEXT)
