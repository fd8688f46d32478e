"""Which type an operation on two values has: NumPy's rules, extended to all widths."""

from __future__ import annotations

from functools import lru_cache

from .dtypes import NUMPY_WIDTHS, DType, bool_, f32, f64, iN, uN
from .errors import DTypeError

#: Floats hold integers of this many bits exactly, as NumPy counts them for binary32.
_F32_INTEGER = 16


@lru_cache(maxsize=None)
def promoted(a: DType, b: DType) -> DType:
    """The type of an arithmetic operation on values of two types.

    As NumPy: the wider of two integers of one sign; for two signs, a signed type that holds both;
    binary64 for a float and an integer of more than 16 bits.
    """
    if a == b:
        return a
    if a.kind == "bool":
        return b
    if b.kind == "bool":
        return a
    if a.is_fixed or b.is_fixed:
        raise DTypeError(
            f"{a!r} and {b!r} in one operation: convert one of them with astype first"
        )
    if "float" in (a.kind, b.kind):
        if a.kind == b.kind:
            return f64
        number, integer = (a, b) if a.kind == "float" else (b, a)
        return f32 if number == f32 and integer.width <= _F32_INTEGER else f64
    if a.kind == b.kind:
        return a if a.width >= b.width else b
    width = _both(a, b)
    if width > 64 and _are_numpy(a, b):
        raise DTypeError(
            f"{a!r} and {b!r} in one operation: no NumPy integer holds both, so NumPy would use "
            "float64; convert one of them with astype first"
        )
    return iN(width)


@lru_cache(maxsize=None)
def compared(a: DType, b: DType) -> DType:
    """The type in which values of two types are compared, without any loss for integers."""
    if a.is_integer and b.is_integer and a.kind != b.kind:
        return iN(_least(a, b))
    return promoted(a, b)


def _are_numpy(a: DType, b: DType) -> bool:
    return a.width in NUMPY_WIDTHS and b.width in NUMPY_WIDTHS


def _least(a: DType, b: DType) -> int:
    """Bits of the narrowest signed integer that holds an unsigned and a signed one."""
    unsigned, signed = (a, b) if a.kind == "uint" else (b, a)
    return max(unsigned.width + 1, signed.width)


def _both(a: DType, b: DType) -> int:
    least = _least(a, b)
    if not _are_numpy(a, b):
        return least
    return next((width for width in NUMPY_WIDTHS if width >= least), least)


@lru_cache(maxsize=None)
def summed(of: DType) -> DType:
    """The type of a sum or product of many: NumPy sums integers in 64 bits."""
    if of.kind == "bool":
        return iN(64)
    if of.kind == "uint":
        return uN(max(64, of.width))
    return iN(max(64, of.width)) if of.kind == "int" else of


def divided(of: DType) -> DType:
    """The type of a true quotient: integers become binary64."""
    return f64 if of.is_integer or of == bool_ else of
