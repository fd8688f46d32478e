"""What can garble and evaluate: this processor, and the machines."""

from __future__ import annotations

from typing import NamedTuple

from . import _halfgate


class Machine(NamedTuple):
    """A machine, which an option ``engine="model:NAME"`` or ``engine="rtl:NAME"`` chooses."""

    name: str
    about: str
    #: ``"garbler"``, ``"evaluator"`` or both.
    roles: list[str]
    suites: list[str]
    #: Form of an engine's name, and what it is.
    engines: list[tuple[str, str]]
    #: Names for the forms, and what they are.
    configurations: list[tuple[str, str]]


def engines() -> list[Machine]:
    """The machines. The engine ``"cpu"``, this processor, is there too.

    >>> [machine.name for machine in engines()]
    ['haac', 'fase', 'garbledcpu', 'overlay', 'mobile']
    """
    return [Machine(*machine) for machine in _halfgate.engines()]


__all__ = ["Machine", "engines"]
