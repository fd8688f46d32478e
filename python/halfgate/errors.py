"""Exceptions. Each message says what happened, to what, and what to do.

All are subclasses of :class:`HalfgateError`, and of the built-in exception that fits best.
"""

from __future__ import annotations

import builtins


class HalfgateError(Exception):
    """Base class of all exceptions of this package."""

    #: The party that an error of a session is about: ``"garbler"``, ``"evaluator"`` or ``None``.
    party: str | None = None


class TraceError(HalfgateError):
    """A function cannot be traced: it uses secrets in a way that a circuit cannot compute."""


class BranchError(TraceError, TypeError):
    """Python's ``if``, ``while``, ``and``, ``range``, ``int()`` or ``print`` needs a secret."""


class UnsupportedError(TraceError, TypeError, AttributeError):
    """An operation that secrets do not have. The message says what to write instead."""


class EscapeError(TraceError):
    """A secret is used outside the function that it belongs to."""


class RecursiveFunctionError(TraceError, RecursionError):
    """A function calls itself, so its circuit would never end."""


class DTypeError(HalfgateError, TypeError):
    """A value has the wrong type, or an operation does not exist for its type."""


class ShapeError(HalfgateError, ValueError):
    """An array has the wrong shape."""


class RangeError(HalfgateError, ValueError, OverflowError):
    """A public value does not fit its type."""


class ArgumentError(HalfgateError, TypeError):
    """An argument of a program is missing, or is not one of the program's."""


class CircuitError(HalfgateError):
    """A circuit cannot be built or read, or is too large."""


class OptionError(HalfgateError, ValueError):
    """An option of a run has a wrong value, or options do not go together."""


class IdentityError(HalfgateError):
    """A key file cannot be read, written or used."""


class SessionError(HalfgateError):
    """A session ended without a result. ``party`` is the party that the error is about."""


class MismatchError(SessionError):
    """The two parties differ in the program, the options or the roles."""


class ConnectionError(SessionError, builtins.ConnectionError):
    """There is no connection with the peer, or it was lost."""


class TimeoutError(SessionError, builtins.TimeoutError):
    """The peer sent nothing for too long, or a step took too long."""


class AbortedError(SessionError):
    """The peer ended the session."""


class ProtocolError(SessionError):
    """The peer broke the protocol, cheated, or its data was damaged."""


class CancelledError(SessionError):
    """This side was cancelled. The peer was told."""


class EngineError(SessionError):
    """This side's engine or operating system failed."""


class NotLearnedError(SessionError):
    """A result was asked for that this party does not learn."""


class ForkError(HalfgateError, RuntimeError):
    """The process was forked after Halfgate had run in its parent."""
