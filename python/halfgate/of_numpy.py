"""NumPy's functions on secrets: those of Halfgate where it has one, else an error with advice."""

from __future__ import annotations

import inspect
from typing import Any, Callable, NoReturn

import numpy as np

from . import api, numbers, reductions
from .dtypes import bool_
from .errors import UnsupportedError
from .numbers import is_secret
from .trace import line

Binary = Callable[[Any, Any], Any]


def _arithmetic(operation: str, integers: bool = False) -> Binary:
    return lambda x, y: numbers.arithmetic(operation, x, y, integers)


def _compare(operation: str, turned: bool = False) -> Binary:
    return lambda x, y: numbers.compare(operation, *((y, x) if turned else (x, y)))


def _bitwise(operation: str) -> Binary:
    return lambda x, y: numbers.bitwise(operation, x, y)


def _shift(operation: str) -> Binary:
    return lambda x, y: numbers.shift(operation, x, y)


def _truth(x: Any) -> Any:
    """Whether elements are not 0."""
    return x.astype(bool_) if is_secret(x) else np.asarray(x).astype(bool)


def _logical(operation: str) -> Binary:
    return lambda x, y: numbers.bitwise(operation, _truth(x), _truth(y))


def _power(x: Any, exponent: Any) -> Any:
    if not is_secret(x):
        raise secret_exponent()
    return numbers.power(x, exponent)


def secret_exponent() -> UnsupportedError:
    """The error about a public number to a secret power."""
    return UnsupportedError(
        f"{line()}: a secret exponent is not supported: write 1 << x for 2 ** x, or look powers up "
        "with hg.take(powers, x)"
    )


_DIVIDE, _REMAINDER = _arithmetic("div", True), _arithmetic("mod", True)

#: Universal functions of NumPy. Operators between arrays and secrets are among them.
UFUNCS: dict[str, Callable[..., Any]] = {
    "add": _arithmetic("add"),
    "subtract": _arithmetic("sub"),
    "multiply": _arithmetic("mul"),
    "divide": numbers.true_divide,
    "true_divide": numbers.true_divide,
    "floor_divide": _DIVIDE,
    "remainder": _REMAINDER,
    "divmod": lambda x, y: (_DIVIDE(x, y), _REMAINDER(x, y)),
    "power": _power,
    "square": lambda x: x * x,
    "negative": numbers.negative,
    "positive": lambda x: x,
    "absolute": numbers.absolute,
    "fabs": lambda x: numbers.of_floats("abs", x),
    "bitwise_and": _bitwise("and"),
    "bitwise_or": _bitwise("or"),
    "bitwise_xor": _bitwise("xor"),
    "invert": numbers.invert,
    "left_shift": _shift("shl"),
    "right_shift": _shift("shr"),
    "logical_and": _logical("and"),
    "logical_or": _logical("or"),
    "logical_xor": _logical("xor"),
    "logical_not": lambda x: numbers.invert(_truth(x)),
    "equal": _compare("eq"),
    "not_equal": _compare("ne"),
    "less": _compare("lt"),
    "less_equal": _compare("le"),
    "greater": _compare("lt", True),
    "greater_equal": _compare("le", True),
    "minimum": api.minimum,
    "maximum": api.maximum,
    "sqrt": api.sqrt,
    "floor": api.floor,
    "ceil": api.ceil,
    "trunc": api.trunc,
    "rint": api.rint,
    "isnan": api.isnan,
    "bitwise_count": api.bitwise_count,
    "matmul": reductions.matmul,
}

#: Functions of NumPy that call those of the package.
FUNCTIONS = {"where", "clip", "concatenate", "stack", "hstack", "vstack", "broadcast_to", "take"}
FUNCTIONS |= {"expand_dims", "sort", "argsort", "dot", "flip", "diff", "outer"}
#: Functions of NumPy that call the methods of a secret.
METHODS = {"sum", "prod", "mean", "var", "std", "min", "max", "amin", "amax", "all", "any"}
METHODS |= {"argmax", "cumsum", "argmin", "reshape", "ravel", "transpose"}

_RUNNING = "hg.fold with outputs=True gives the results of all steps"
_RANK = "hg.sort(x)[k] is the element of rank k, for a public k"
_CURVE = "approximate it with + and *, or look it up with hg.take(table, x)"
_COUNT = "(x == k).sum() counts the elements that are k"
_REPEAT = "hg.broadcast_to repeats along axes, and x[[0, 0, 1]] at public places"
_HOW_MANY = (
    "how many elements there are would be secret, so replace the others with hg.where, or count "
    "with (x > 0).sum()"
)
_NO_VALUE = "it has no value while the function is traced: return it as a result"
_ROUND = "hg.rint(x) rounds to whole numbers, hg.rint(x * 100) / 100 to hundredths"

#: What to write instead of functions and methods of NumPy.
ADVICE = {
    "cumprod": _RUNNING,
    "accumulate": "hg.cumsum sums, and " + _RUNNING,
    "median": _RANK,
    "percentile": _RANK,
    "quantile": _RANK,
    "partition": _RANK,
    "bincount": _COUNT,
    "histogram": _COUNT,
    "count_nonzero": "(x != 0).sum() counts",
    "unique": "hg.unique_count(x) counts the different elements, and hg.sort(x) orders them",
    "nonzero": _HOW_MANY,
    "flatnonzero": _HOW_MANY,
    "argwhere": _HOW_MANY,
    "compress": _HOW_MANY,
    "extract": _HOW_MANY,
    "searchsorted": "(table <= x).sum() is the place of a scalar x in a sorted table",
    "isin": "(x[:, None] == values).any(axis=1)",
    "zeros_like": "np.zeros(x.shape, x.dtype), which is public",
    "ones_like": "np.ones(x.shape, x.dtype), which is public",
    "full_like": "hg.broadcast_to(value, x.shape)",
    "tile": _REPEAT,
    "repeat": _REPEAT,
    "roll": "hg.concatenate([x[-k:], x[:-k]])",
    "squeeze": "x.reshape(...) or x[:, 0]",
    "swapaxes": "x.transpose(...) with the order of axes",
    "moveaxis": "x.transpose(...) with the order of axes",
    "append": "hg.concatenate([x, y])",
    "array_equal": "(x == y).all()",
    "allclose": "(abs(x - y) < e).all()",
    "round": _ROUND,
    "around": _ROUND,
    "tolist": _NO_VALUE,
    "item": _NO_VALUE,
    "tobytes": _NO_VALUE,
    "copy": "a secret never changes, so use it as it is",
    "sign": "hg.where(x > 0, 1, hg.where(x < 0, -1, 0))",
    "fmin": "hg.minimum, in which a NaN wins",
    "fmax": "hg.maximum, in which a NaN wins",
    "fmod": "x - hg.trunc(x / y) * y",
    "isfinite": "abs(x) < np.inf",
    "isinf": "abs(x) == np.inf",
    **{
        name: _CURVE
        for name in "exp exp2 expm1 log log2 log10 log1p sin cos tan tanh arctan cbrt".split()
    },
}

_OTHERWISE = (
    "use a function of halfgate, a method of the secret or an operator; docs/python.md lists them"
)


def unsupported(what: str, name: str) -> UnsupportedError:
    """The error about something that secrets do not have."""
    is_function = name in FUNCTIONS or UFUNCS.get(name) is getattr(api, name, api)
    otherwise = f"write hg.{name}(x, ...)" if is_function else _OTHERWISE
    return UnsupportedError(
        f"{line()}: {what} is not supported for secrets: {ADVICE.get(name, otherwise)}"
    )


def ufunc(f: Any, method: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A universal function of NumPy on arguments of which one is secret."""
    name: str = f.__name__
    if kwargs.get("out") is not None:
        raise UnsupportedError(
            f"{line()}: a secret result of numpy.{name} cannot be written into a public array: "
            "make a new one, with `a = a + x` instead of `a += x`"
        )
    if method != "__call__":
        raise unsupported(f"numpy.{name}.{method}", method)
    return _call(UFUNCS.get(name), name, args, kwargs)


def function(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A function of NumPy with a secret among its arguments."""
    name: str = f.__name__
    if name in ("shape", "ndim", "size") and len(args) == 1:
        return getattr(args[0], name)
    if name in FUNCTIONS:
        return _call(getattr(api, name), name, args, kwargs)
    if name in METHODS and args and is_secret(args[0]):
        method = name[1:] if name in ("amin", "amax") else name
        return _call(getattr(args[0], method), name, args[1:], kwargs)
    raise unsupported(f"numpy.{name}", name)


def _call(
    f: Callable[..., Any] | None, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    if f is None:
        raise unsupported(f"numpy.{name}", name)
    try:
        inspect.signature(f).bind(*args, **kwargs)
    except TypeError as error:
        raise UnsupportedError(
            f"{line()}: numpy.{name} is supported for secrets, but not with these arguments: {error}"
        ) from None
    return f(*args, **kwargs)


def attribute(name: str) -> NoReturn:
    """Raises the error about an attribute that secrets do not have."""
    raise unsupported(f".{name}", name)
