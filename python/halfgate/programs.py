"""The built-in programs: ``hg.programs.aes128()``, ``hg.programs.psi("4x32")`` and so on.

A parameter is the text after the colon of the command's name: ``psi:4x32``. ``hg.programs.all()``
lists them.
"""

from __future__ import annotations

from typing import Callable

from ._halfgate import NativeProgram, built_in_programs
from .program import Program


def all() -> list[tuple[str, str, str]]:  # noqa: A001
    """The programs: name, usage and what it computes."""
    return built_in_programs()


def __dir__() -> list[str]:
    return sorted(["all", *(name.replace("-", "_") for name, _, _ in built_in_programs())])


def __getattr__(name: str) -> Callable[..., Program]:
    spec = name.replace("_", "-")
    if spec not in {program for program, _, _ in built_in_programs()}:
        raise AttributeError(f"there is no built-in program {spec!r}: see hg.programs.all()")

    def program(parameters: object = "") -> Program:
        full = f"{spec}:{parameters}" if parameters != "" else spec
        return Program.of_circuit(full, lambda order: NativeProgram.built_in(full, order))

    program.__name__ = name
    return program
