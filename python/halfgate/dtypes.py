"""Types of secret values.

A type indexed with a shape is the type of an array: ``hg.u32[3]``, ``hg.f64[10, 10]``.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any, Callable, NoReturn

import numpy as np

from ._halfgate import Native
from .errors import DTypeError, ShapeError

#: Widths of NumPy's integers.
NUMPY_WIDTHS = (8, 16, 32, 64)
#: Bits of the widest number.
MAX_WIDTH = 128


class DType:
    """Type of a secret element. ``hg.u8`` to ``hg.u64``, ``hg.uN(n)`` and so on are of this class.

    Indexed with a shape, it is the type of an array.
    """

    __slots__ = ("native", "kind", "width", "fraction", "name", "size", "_hash")

    def __init__(self, kind: str, width: int, fraction: int = 0, name: str | None = None) -> None:
        try:
            self.native = Native(kind, width, fraction)
        except (ValueError, OverflowError) as error:
            raise DTypeError(str(error)) from None
        self.kind = kind
        self.width = width
        self.fraction = fraction
        self.name = name or _name(kind, width, fraction)
        #: Bytes of an element outside the circuit.
        self.size = next((size for size in (1, 2, 4, 8) if width <= 8 * size), 16)
        self._hash = hash((kind, width, fraction))

    def __getitem__(self, shape: int | tuple[int, ...]) -> ArrayType:
        return ArrayType(self, shape)

    def __call__(self, *_: Any, **__: Any) -> NoReturn:
        raise DTypeError(
            f"{self!r} is a type of secrets and no function: x.astype({self!r}) converts a secret, "
            f"and hg.constant(5, {self!r}) makes one of a public value"
        )

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, DType)
            and (self.kind, self.width, self.fraction) == (other.kind, other.width, other.fraction)
        )

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"hg.{self.name}"

    @property
    def is_integer(self) -> bool:
        """Whether it is an integer, and not a boolean."""
        return self.kind in ("uint", "int")

    @property
    def is_signed(self) -> bool:
        """Whether it has negative values in two's complement."""
        return self.kind in ("int", "fixed")

    @property
    def is_fixed(self) -> bool:
        """Whether it has a fixed point."""
        return self.kind in ("fixed", "ufixed")

    @property
    def limits(self) -> tuple[int, int]:
        """The least and the largest value, in multiples of ``2**-fraction``."""
        if self.is_signed:
            return -(1 << (self.width - 1)), (1 << (self.width - 1)) - 1
        return 0, (1 << self.width) - 1

    @property
    def numpy(self) -> np.dtype[Any]:
        """The NumPy type of decoded values. Integers above 64 bits are Python's, and fixed point
        that binary64 cannot hold is a Fraction."""
        if self.kind == "bool":
            return np.dtype(bool)
        if self.is_fixed:
            significant = self.width - self.is_signed
            return np.dtype(np.float64) if significant <= 53 else np.dtype(object)
        if self.width > 64:
            return np.dtype(object)
        return np.dtype(f"<{'f' if self.kind == 'float' else self.kind[0]}{self.size}")

    @property
    def dtype(self) -> np.dtype[Any]:
        """The NumPy type with the same values. NumPy's ``astype`` and ``dtype=`` take it from here,
        so that a function of secrets also runs on plain arrays."""
        if self.is_fixed or self.width not in (1 if self.kind == "bool" else 0, *NUMPY_WIDTHS):
            raise DTypeError(
                f"{self!r} has no equal in NumPy: on plain arrays use a type that NumPy has"
            )
        return self.numpy


class ArrayType:
    """Type and shape of an array of secrets."""

    __slots__ = ("dtype", "shape")

    def __init__(self, dtype: DType, shape: int | tuple[int, ...]) -> None:
        parts = shape if isinstance(shape, tuple) else (shape,)
        if not all(_is_integer(part) and part > 0 for part in parts):
            raise ShapeError(
                f"{dtype!r}{list(parts)}: a shape is one or more whole numbers of at least 1, as "
                f"in {dtype!r}[3] or {dtype!r}[10, 10]"
            )
        self.dtype = dtype
        self.shape = tuple(int(part) for part in parts)

    def __getitem__(self, shape: Any) -> NoReturn:
        parts = shape if isinstance(shape, tuple) else (shape,)
        both = ", ".join(map(str, self.shape + parts))
        raise ShapeError(
            f"{self!r}[{shape!r}]: write the shape at once, as in {self.dtype!r}[{both}]"
        )

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, ArrayType)
            and (self.dtype, self.shape) == (other.dtype, other.shape)
        )

    def __hash__(self) -> int:
        return hash((self.dtype, self.shape))

    def __repr__(self) -> str:
        return f"{self.dtype!r}[{', '.join(map(str, self.shape))}]"


def _name(kind: str, width: int, fraction: int) -> str:
    if kind == "bool":
        return "bool_"
    if kind == "float":
        return f"f{width}"
    if kind in ("fixed", "ufixed"):
        return f"{kind}({width}, {fraction})"
    letter = kind[0]
    return f"{letter}{width}" if width in NUMPY_WIDTHS else f"{letter}N({width})"


#: Bits of the largest integer that a message shows.
_MAX_SHOWN = 1024


def shown(value: object, form: Callable[[object], str] = repr) -> str:
    """A value in a message. Python prints no integers of thousands of digits."""
    if isinstance(value, int) and value.bit_length() > _MAX_SHOWN:
        return f"an integer of {value.bit_length()} bits"
    if isinstance(value, Fraction):
        bits = max(value.numerator.bit_length(), value.denominator.bit_length())
        if bits > _MAX_SHOWN:
            return f"a fraction of integers of {bits} bits"
    try:
        return form(value)
    except ValueError:
        return f"of type {type(value).__name__}"


def _is_integer(value: object) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _made(name: str, kind: str, *numbers: int) -> DType:
    """The type of this kind with a width and, for fixed point, bits after the point."""
    if not all(_is_integer(number) and abs(int(number)) < 1 << 64 for number in numbers):
        given = ", ".join(map(shown, numbers))
        raise DTypeError(f"hg.{name}({given}): give whole numbers of bits, as in hg.u8 or hg.uN(8)")
    width, *rest = (int(number) for number in numbers)
    fraction = rest[0] if rest else 0
    least = 2 if kind in ("int", "fixed") else 1
    if not least <= width <= MAX_WIDTH:
        raise DTypeError(f"hg.{name}: {width} bits: a number has {least} to {MAX_WIDTH} bits")
    if not 0 <= fraction <= width:
        raise DTypeError(
            f"hg.{name}: {fraction} bits after the point, of {width} in all: give 0 to {width}"
        )
    return _cached(kind, width, fraction)


@lru_cache(maxsize=None)
def _cached(kind: str, width: int, fraction: int) -> DType:
    return DType(kind, width, fraction)


def uN(width: int) -> DType:
    """Unsigned integer of 1 to 128 bits."""
    return _made("uN", "uint", width)


def iN(width: int) -> DType:
    """Signed integer of 2 to 128 bits, in two's complement."""
    return _made("iN", "int", width)


def fixed(width: int, fraction: int) -> DType:
    """Signed fixed-point number of ``width`` bits, ``fraction`` of them after the point.

    Sums are exact. Products, quotients and conversions round to the nearest multiple of
    ``2**-fraction``, ties to the upper one. Results wrap.
    """
    return _made("fixed", "fixed", width, fraction)


def ufixed(width: int, fraction: int) -> DType:
    """Unsigned fixed-point number, as :func:`fixed`."""
    return _made("ufixed", "ufixed", width, fraction)


bool_ = DType("bool", 1)
u8, u16, u32, u64 = (uN(width) for width in NUMPY_WIDTHS)
i8, i16, i32, i64 = (iN(width) for width in NUMPY_WIDTHS)
f32 = DType("float", 32)
f64 = DType("float", 64)


def of_numpy(dtype: np.dtype[Any], what: str) -> DType:
    """The secret type of a NumPy type; `what` is named if there is none."""
    if dtype.kind == "b":
        return bool_
    if dtype.kind == "u":
        return uN(8 * dtype.itemsize)
    if dtype.kind == "i":
        return iN(8 * dtype.itemsize)
    if dtype.kind == "f" and dtype.itemsize in (4, 8):
        return f32 if dtype.itemsize == 4 else f64
    raise DTypeError(f"{what} has NumPy's type {dtype}: there is no secret type for it")


def as_type(of: object, what: str) -> DType:
    """A type of secrets, which may be given as NumPy's or as Python's ``bool``, ``int``, ``float``.

    Python's ``int`` is NumPy's ``int64``.
    """
    if isinstance(of, DType):
        return of
    if of is int:
        return i64
    try:
        # Old versions of NumPy take the element type of an array type.
        if of is None or isinstance(of, ArrayType):
            raise TypeError
        found: np.dtype[Any] = np.dtype(of)  # type: ignore[call-overload]
    except (TypeError, ValueError):
        raise DTypeError(
            f"{what}: {of!r} is no type: give one such as hg.u32 or numpy.uint32"
        ) from None
    return of_numpy(found, what)


def array_type(of: object, what: str) -> ArrayType:
    """The type of an array or of a scalar, whose shape is ``()``."""
    if isinstance(of, ArrayType):
        return of
    if isinstance(of, DType):
        return ArrayType(of, ())
    raise DTypeError(f"{what} is {of!r}: give a type, such as hg.u32 or hg.u32[3]")
