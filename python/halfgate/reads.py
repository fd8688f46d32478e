"""What a function reads besides its arguments, so that the trace of a call can be used again.

Python has no functions without side effects. So this is a list of what is known to be harmless: a
function that does anything else is traced at each call.
"""

from __future__ import annotations

import builtins
import dis
from functools import lru_cache
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, Hashable

import numpy as np

from .dtypes import ArrayType, DType
from .numbers import is_secret


class _UnknownError(Exception):
    """Something is read that may change, or that changes something."""


#: Modules whose attributes do not change.
_MODULES = {"functools", "halfgate", "itertools", "math", "numpy", "operator"}
#: Attributes of these that give another result at each call, or change something.
_CHANGING = {"cache", "lru_cache", "random", "setattr", "seterr", "shuffle"}
_BUILTINS = set(
    """abs all any bool dict divmod enumerate filter float frozenset int isinstance len list map max
    min object pow range repr reversed round set slice sorted str sum tuple type zip
    ArithmeticError AssertionError Ellipsis Exception IndexError KeyError NotImplemented
    RuntimeError TypeError ValueError ZeroDivisionError""".split()
)
_READS_GLOBAL = {"LOAD_GLOBAL", "LOAD_NAME"}
_READS_ATTRIBUTE = {"LOAD_ATTR", "LOAD_METHOD"}
_CHANGES_CELL = {"STORE_DEREF", "DELETE_DEREF"}
#: Bytes of the largest array that is compared.
_MAX_BYTES = 1 << 20
_SCALARS = (type(None), bool, int, str, bytes, range, type(Ellipsis))


def reads(f: Any) -> Hashable | None:
    """A key of a function's code and of all that it reads besides its arguments, or None if that is
    not known."""
    try:
        return _of_function(f, set())
    except _UnknownError:
        return None


def arguments(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Hashable | None:
    """A key of arguments: of secrets their types, of others their values. None if it is not known
    that they stay the same."""
    try:
        return _of_value((args, kwargs), None)
    except _UnknownError:
        return None


def _of_value(value: Any, seen: set[int] | None) -> Hashable:
    """The key of a value. `seen` has the functions that were read; None for an argument."""
    of = type(value)
    if is_secret(value):
        # A secret that is no argument belongs to another function.
        if seen is not None:
            raise _UnknownError
        return ("secret", value.dtype, value.shape)
    if of in _SCALARS or of in (DType, ArrayType):
        return (of, value)
    if of is float:
        # 0.0 equals -0.0, and a NaN does not equal itself.
        return (of, value.hex())
    if isinstance(value, (np.generic, np.ndarray)) and of in (np.ndarray, value.dtype.type):
        if value.dtype.kind in "biuf" and value.nbytes <= _MAX_BYTES:
            return (of, value.dtype.str, value.shape, value.tobytes())
        raise _UnknownError
    if of in (tuple, list) or (isinstance(value, tuple) and _is_named(of)):
        return (of, *(_of_value(part, seen) for part in value))
    if of is dict:
        return (of, *((_of_value(key, seen), _of_value(part, seen)) for key, part in value.items()))
    if isinstance(value, type) and (_is_named(value) or _is_known(value)):
        return (type, value)
    if of is ModuleType:
        if _is_of_known(value.__name__):
            return (of, value.__name__)
        raise _UnknownError
    if isinstance(value, np.dtype):
        return (np.dtype, value.str)
    if _is_known(value):
        return ("known", value.__module__, value.__qualname__)
    return _of_function(value, set() if seen is None else seen)


def _is_of_known(module: Any) -> bool:
    parts = str(module).split(".")
    return parts[0] in _MODULES and not _CHANGING.intersection(parts)


def _is_named(of: type) -> bool:
    return issubclass(of, tuple) and hasattr(of, "_fields")


def _is_known(value: Any) -> bool:
    """Whether it is a function, class or universal function of a module that is known."""
    if isinstance(value, np.ufunc):
        return True
    if not isinstance(value, (BuiltinFunctionType, FunctionType, type)):
        return False
    # A method of an object may change it.
    if not isinstance(getattr(value, "__self__", builtins), ModuleType):
        return False
    name = value.__name__
    if value.__module__ == "builtins":
        return name in _BUILTINS and getattr(builtins, name, None) is value
    return _is_of_known(value.__module__) and name not in _CHANGING


def _of_function(f: Any, seen: set[int]) -> Hashable:
    from .function import Function

    if type(f) is Function:
        return (Function, _of_function(f.f, seen))
    if type(f) is not FunctionType or vars(f):
        raise _UnknownError
    if id(f) in seen:
        return ("again", f.__code__)
    seen.add(id(f))
    names = _names(f.__code__)
    if names is None:
        raise _UnknownError
    found = []
    for name in names:
        if name in f.__globals__:
            found.append(_of_value(f.__globals__[name], seen))
        elif name in _BUILTINS:
            found.append((builtins, name))
        else:
            raise _UnknownError
    for cell in f.__closure__ or ():
        try:
            found.append(_of_value(cell.cell_contents, seen))
        except ValueError:
            raise _UnknownError from None
    defaults = _of_value((f.__defaults__, f.__kwdefaults__), seen)
    return (f.__name__, f.__code__, f.__code__.co_filename, defaults, tuple(found))


@lru_cache(maxsize=None)
def _names(code: CodeType) -> tuple[str, ...] | None:
    """The globals that code reads, or None if it does what is not known to be harmless."""
    free = set(code.co_freevars)
    names: dict[str, None] = {}
    pending = [code]
    while pending:
        part = pending.pop()
        pending += [constant for constant in part.co_consts if isinstance(constant, CodeType)]
        for step in dis.get_instructions(part):
            if step.opname in _READS_GLOBAL:
                names[str(step.argval)] = None
            elif step.opname in _READS_ATTRIBUTE:
                if step.argval in _CHANGING:
                    return None
            elif step.opcode in dis.hasname:
                return None
            elif step.opname in _CHANGES_CELL and step.argval in free:
                return None
    return tuple(names)
