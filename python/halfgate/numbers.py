"""Element-wise operations on secrets and public operands."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from .broadcast import broadcast, operand_shape
from .dtypes import DType, bool_, f64, i64, iN, of_numpy, shown, uN
from .errors import DTypeError, RangeError, ShapeError
from .promote import compared, divided, promoted
from .trace import Trace, current, line, of_same_trace
from .values import whole

if TYPE_CHECKING:
    from .secret import Secret

#: What an operand of unknown type is called in errors.
_OPERAND = "a public operand"


#: The class of secrets, which sets this: its operators are here.
_class: type[Secret]


def _secret(
    trace: Trace, node: int, dtype: DType, shape: tuple[int, ...], where: str | None = None
) -> Secret:
    return _class(trace, node, dtype, shape, where)


def is_secret(value: object) -> bool:
    """Whether a value is secret."""
    return isinstance(value, _class)


def each(
    operation: str, operands: list[Any], types: list[DType], result: DType, amount: int = 0
) -> Secret:
    """An element-wise operation on operands of these types, which broadcast."""
    secrets = [operand for operand in operands if is_secret(operand)]
    trace = of_same_trace(secrets) if secrets else current()
    assert trace is not None
    shapes = [operand_shape(operand) for operand in operands]
    try:
        shape = shapes[0] if len(set(shapes)) == 1 else np.broadcast_shapes(*shapes)
    except ValueError:
        found = " and ".join(map(str, shapes))
        raise ShapeError(f"{line()}: shapes {found} do not broadcast") from None
    where = line()
    if 0 in shape:
        found = " and ".join(map(str, shapes))
        raise ShapeError(f"{where}: shapes {found} have no elements in common")
    nodes = [
        _node(trace, operand, dtype, shape, where) for operand, dtype in zip(operands, types)
    ]
    node = trace.tracer.each(operation, amount, nodes, result.native, where)
    return _secret(trace, node, result, shape, where)


def _node(trace: Trace, operand: Any, dtype: DType, shape: tuple[int, ...], where: str) -> int:
    """The node of an operand in a type and a shape; a scalar keeps its one element."""
    if not is_secret(operand):
        if type(operand) is int or type(operand) is float:
            return trace.number(dtype, operand, f"{where}: {_OPERAND}")
        array = whole(operand, f"{where}: {_OPERAND}")
        if array.size != 1 and array.shape != shape:
            array = np.broadcast_to(array, shape)
        return trace.public(dtype, array, f"{where}: {_OPERAND}")
    node = broadcast(operand, shape, where)
    if operand.dtype != dtype:
        node = trace.tracer.each("cast", 0, [node], dtype.native, where)
    return node


def type_of(value: Any) -> DType | None:
    """The type of an operand. None for a Python number, which takes the other operand's."""
    if is_secret(value):
        found: DType = value.dtype
        return found
    if isinstance(value, np.generic) or not isinstance(value, (bool, int, float)):
        array = whole(value, f"{line()}: {_OPERAND}")
        if array.dtype.kind == "O" and all(isinstance(x, int) for x in array.flat):
            widest = max(int(x).bit_length() for x in array.flat)
            if all(x >= 0 for x in array.flat):
                return uN(max(widest, 64))
        return of_numpy(array.dtype, f"{line()}: {_OPERAND}")
    return None


def _is_exact(value: Any) -> bool:
    """Whether a public value has fractions or decimals of Python, as results of fixed point have."""
    if isinstance(value, np.ndarray) and value.dtype.kind == "O":
        return any(isinstance(part, (Fraction, Decimal)) for part in value.flat)
    return isinstance(value, (Fraction, Decimal))


def _of_number(value: float | int | bool, other: DType) -> DType:
    """The type of a Python number beside a value of type `other`: NumPy's rules."""
    if _is_exact(value) and not other.is_fixed:
        raise DTypeError(
            f"{line()}: a fraction or decimal beside {other!r}: only fixed point takes it exactly; "
            "use float(...)"
        )
    if isinstance(value, bool) or other.is_fixed:
        return other if other.is_fixed else bool_
    if isinstance(value, float):
        return other if other.kind == "float" else f64
    return i64 if other.kind == "bool" else other


def types(x: Any, y: Any) -> tuple[DType, DType]:
    """The types of two operands, one of which is secret."""
    a, b = (None if _is_exact(value) else type_of(value) for value in (x, y))
    if a is None:
        assert b is not None
        a = _of_number(x, b)
    if b is None:
        b = _of_number(y, a)
    # Public numbers become fixed point beside it.
    if a.is_fixed and not is_secret(y):
        b = a
    if b.is_fixed and not is_secret(x):
        a = b
    return a, b


def arithmetic(operation: str, x: Any, y: Any, integers: bool = False) -> Secret:
    """Sum, difference, product, quotient rounded down, or remainder."""
    dtype = promoted(*types(x, y))
    if dtype.kind == "bool":
        if operation in ("add", "mul"):
            return each("or" if operation == "add" else "and", [x, y], [dtype, dtype], dtype)
        raise DTypeError(f"{line()}: {operation} of booleans does not exist: use ^, or astype first")
    if integers and not dtype.is_integer:
        raise DTypeError(f"{line()}: // and % are for integers, not for {dtype!r}")
    _check_scalar(x, dtype)
    _check_scalar(y, dtype)
    return each(operation, [x, y], [dtype, dtype], dtype)


def _check_scalar(value: Any, dtype: DType) -> None:
    """Refuses a Python integer that does not fit, as NumPy does."""
    if dtype.is_integer and type(value) is int:
        low, high = dtype.limits
        if not low <= value <= high:
            raise RangeError(
                f"{line()}: {shown(value)} does not fit {dtype!r}, from {low} to {high}"
            )


def true_divide(x: Any, y: Any) -> Secret:
    """The quotient; of integers in binary64."""
    dtype = divided(promoted(*types(x, y)))
    return each("div", [x, y], [dtype, dtype], dtype)


def power(x: Secret, exponent: Any) -> Secret:
    """A power with a public exponent."""
    if isinstance(exponent, np.generic):
        # It counts for the type, as a number of Python does not.
        if isinstance(exponent, np.integer) and x.dtype.is_integer:
            x = cast(x, promoted(*types(x, exponent)))
        exponent = exponent.item()
    is_float = x.dtype.kind == "float"
    if not isinstance(exponent, (int, float)):
        exponent = type(exponent)
    if exponent == 0.5 and is_float:
        return each("sqrt", [x], [x.dtype], x.dtype)
    if type(exponent) is not int or exponent < 0 or (is_float and exponent not in (1, 2)):
        raise DTypeError(
            f"{line()}: the exponent {shown(exponent)} is not supported: an integer takes a public "
            "exponent of at least 0, a float 0.5, 1 or 2"
        )
    if x.dtype.kind == "bool":
        raise DTypeError(f"{line()}: a boolean has no powers: use astype first")
    if exponent == 0:
        return x * 0 + 1
    result = None
    while True:
        if exponent & 1:
            result = x if result is None else result * x
        exponent >>= 1
        if exponent == 0:
            assert result is not None
            return result
        x = x * x


def _same(operation: str, x: Secret, kinds: tuple[str, ...]) -> Secret:
    if x.dtype.kind not in kinds:
        raise DTypeError(f"{line()}: {operation} is not for {x.dtype!r}")
    return each(operation, [x], [x.dtype], x.dtype)


def negative(x: Secret) -> Secret:
    """``-x``; wraps."""
    return _same("neg", x, ("uint", "int", "float", "fixed", "ufixed"))


def absolute(x: Secret) -> Secret:
    """``abs(x)``; the least integer wraps to itself."""
    return x if x.dtype.kind == "bool" else _same("abs", x, ("uint", "int", "float", "fixed", "ufixed"))


def invert(x: Secret) -> Secret:
    """All bits inverted."""
    return _same("not", x, ("bool", "uint", "int"))


def of_floats(operation: str, x: Secret) -> Secret:
    """A function of floats; integers become binary64, as in NumPy for 32 bits and more."""
    if x.dtype.kind != "float":
        x = cast(x, f64)
    return each(operation, [x], [x.dtype], x.dtype)


def bitwise(operation: str, x: Any, y: Any) -> Secret:
    """And, or, exclusive or."""
    dtype = promoted(*types(x, y))
    if dtype.kind not in ("bool", "uint", "int"):
        raise DTypeError(f"{line()}: bits of {dtype!r} are not available")
    _check_scalar(x, dtype)
    _check_scalar(y, dtype)
    return each(operation, [x, y], [dtype, dtype], dtype)


def shift(operation: str, x: Any, amount: Any) -> Secret:
    """``x << amount`` or ``x >> amount``. By the width and more, all bits are shifted out."""
    a, b = types(x, amount)
    if not (a.is_integer or a.kind == "bool") or not (b.is_integer or b.kind == "bool"):
        raise DTypeError(f"{line()}: shifts are for integers, not for {a!r} and {b!r}")
    dtype = promoted(a, b)
    if dtype.kind == "bool":
        dtype = iN(8)
    if is_secret(amount):
        if amount.dtype.kind == "int":
            raise DTypeError(f"{line()}: a secret amount of a shift must be unsigned: use astype")
        _check_scalar(x, dtype)
        unsigned = amount if amount.dtype.kind == "uint" else cast(amount, uN(1))
        return each(operation + "_by", [x, unsigned], [dtype, unsigned.dtype], dtype)
    amounts = whole(amount, f"{line()}: {_OPERAND}")
    if (amounts < 0).any():
        raise RangeError(f"{line()}: a shift by a negative amount")
    if amounts.ndim == 0:
        wide = min(int(amounts), dtype.width)
        return each(operation, [x], [dtype], dtype, wide)
    clipped = np.minimum(amounts, dtype.width).astype(np.uint8)
    return each(operation + "_by", [x, clipped], [dtype, uN(8)], dtype)


def compare(operation: str, x: Any, y: Any) -> Secret:
    """A comparison, exact for integers of any types."""
    for value, other in ((x, y), (y, x)):
        # A Python integer out of range is compared by its value.
        if type(value) is int and is_secret(other) and other.dtype.is_integer:
            low, high = other.dtype.limits
            if not low <= value <= high:
                x_is_less = (value > high) == (value is y)
                answer = {"eq": False, "ne": True, "lt": x_is_less, "le": x_is_less}[operation]
                same = each("xor", [other, other], [other.dtype] * 2, other.dtype)
                return compare("eq" if answer else "ne", same, 0)
    dtype = compared(*types(x, y))
    return each(operation, [x, y], [dtype, dtype], bool_)


def extreme(operation: str, x: Any, y: Any) -> Secret:
    """The smaller or the larger of two."""
    dtype = promoted(*types(x, y))
    _check_scalar(x, dtype)
    _check_scalar(y, dtype)
    return each(operation, [x, y], [dtype, dtype], dtype)


def select(condition: Any, x: Any, y: Any) -> Secret:
    """``x`` where `condition` holds, else ``y``."""
    if is_secret(condition) and condition.dtype.kind != "bool":
        condition = cast(condition, bool_)
    if not is_secret(condition):
        condition = whole(condition, f"{line()}: the condition").astype(bool)
    if is_secret(x) or is_secret(y):
        dtype = promoted(*types(x, y))
    else:
        found = [type_of(x), type_of(y)]
        known = [dtype for dtype in found if dtype is not None]
        dtype = promoted(known[0], known[-1]) if known else _of_public(x, y)
        if len(known) == 1:
            dtype = promoted(known[0], _of_number(y if found[1] is None else x, known[0]))
    _check_scalar(x, dtype)
    _check_scalar(y, dtype)
    return each("where", [condition, x, y], [bool_, dtype, dtype], dtype)


def _of_public(x: Any, y: Any) -> DType:
    """The type of two Python numbers, as NumPy's."""
    return of_numpy(np.result_type(np.asarray(x), np.asarray(y)), _OPERAND)


def cast(x: Secret, dtype: DType) -> Secret:
    """Converts each element."""
    return x if x.dtype == dtype else each("cast", [x], [x.dtype], dtype)


