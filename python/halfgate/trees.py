"""Secrets inside tuples, lists and dictionaries."""

from __future__ import annotations

from typing import Any, Callable, Hashable

import numpy as np

from .errors import DTypeError
from .numbers import is_secret
from .secret import Secret
from .trace import line


def flatten(value: Any, found: list[Secret]) -> Hashable:
    """Appends the secrets in a value. Returns what the value is without them, as a key."""
    if is_secret(value):
        found.append(value)
        return ("secret", value.dtype, value.shape)
    if isinstance(value, (tuple, list)):
        return (type(value), *(flatten(part, found) for part in value))
    if isinstance(value, dict):
        items = tuple((key, flatten(part, found)) for key, part in value.items())
        return ("dict", items)
    if isinstance(value, np.ndarray) and value.dtype.kind != "O":
        return ("array", value.shape, value.dtype.str, value.tobytes())
    try:
        hash(value)
    except TypeError:
        raise DTypeError(
            f"{line()}: an argument of a traced function is a {type(value).__name__}: give "
            "secrets, numbers, arrays, or tuples, lists and dictionaries of these"
        ) from None
    # 1, 1.0 and True are equal but not the same argument.
    return ("public", type(value), value)


def replace(value: Any, secrets: Callable[[Secret], Any]) -> Any:
    """The value with other things in place of its secrets."""
    if is_secret(value):
        return secrets(value)
    if isinstance(value, (tuple, list)):
        return _sequence(value, [replace(part, secrets) for part in value])
    if isinstance(value, dict):
        return {key: replace(part, secrets) for key, part in value.items()}
    return value


def _sequence(like: Any, parts: list[Any]) -> Any:
    """Parts as a tuple or list of the same type."""
    of = type(like)
    # The constructor of a named tuple takes the parts one by one.
    return of(*parts) if hasattr(of, "_fields") else of(parts)


def leaves(value: Any) -> list[tuple[str, Any]]:
    """The parts of a result with their names."""
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return list(zip(value._fields, value))
    if isinstance(value, (tuple, list)):
        return [(str(number), part) for number, part in enumerate(value)]
    if isinstance(value, dict):
        return list(value.items())
    return [("", value)]


def like(value: Any, parts: list[Any]) -> Any:
    """Parts in the structure of a result."""
    if isinstance(value, (tuple, list)):
        return _sequence(value, parts)
    if isinstance(value, dict):
        return dict(zip(value, parts))
    return parts[0]
