"""Functions of secrets: programs, and functions that programs call."""

from __future__ import annotations

import functools
import inspect
import linecache
import os
import re
import reprlib
from types import MethodType
from typing import TYPE_CHECKING, Any, Callable, Mapping, overload

import numpy as np

from ._halfgate import Traced
from .dtypes import ArrayType, DType, array_type
from .errors import ArgumentError, CircuitError, DTypeError, OptionError, RecursiveFunctionError
from .numbers import is_secret, type_of
from .secret import Secret
from .trace import Trace, check_size, current, line
from .trees import flatten, leaves, like, replace
from .values import whole

if TYPE_CHECKING:
    from .program import Program

_DEF = re.compile(r"\s*(async\s+)?def\s")

#: Most operations that are traced in functions that a program calls.
_MAX_OPERATIONS = 1 << 22

#: What a party's inputs are: types by name.
Inputs = Mapping[str, "DType | ArrayType"]


class Function:
    """A function of secrets, made by :func:`function`.

    With inputs of the two parties it is a program: :meth:`compile` makes it, and :meth:`run` runs
    it in this process. Called with secrets, it stays a function of the circuit. Called with plain
    values only, it is the Python function.
    """

    def __init__(
        self,
        f: Callable[..., Any],
        garbler: Inputs | None,
        evaluator: Inputs | None,
        learn: str | Mapping[str, str] | list[str],
    ) -> None:
        check_function(f)
        functools.update_wrapper(self, f)
        self.f = f
        self.name = getattr(f, "__name__", "function")
        self.is_program = garbler is not None or evaluator is not None
        _check_learn(self.name, learn, self.is_program)
        self.garbler = _inputs(self.name, "garbler", garbler)
        self.evaluator = _inputs(self.name, "evaluator", evaluator)
        self.learn = learn
        self._program: Program | None = None
        if self.is_program:
            self._check_signature()

    def _check_signature(self) -> None:
        both = set(self.garbler) & set(self.evaluator)
        if both:
            raise ArgumentError(
                f"{self.name}: {sorted(both, key=str)} are inputs of both parties: an input has "
                "one owner"
            )
        if not self.garbler and not self.evaluator:
            raise ArgumentError(f"{self.name}: a program needs an input of a party")
        names = set(self.garbler) | set(self.evaluator)
        try:
            parameters = inspect.signature(self.f).parameters
        except (TypeError, ValueError):
            raise ArgumentError(
                f"{self.name} does not tell its parameters: call it in a function of your own"
            ) from None
        of = inspect.Parameter
        many = {of.VAR_POSITIONAL: "*", of.VAR_KEYWORD: "**"}
        unnamed = [many[p.kind] + n for n, p in parameters.items() if p.kind in many]
        if unnamed:
            raise ArgumentError(
                f"{self.name} takes {' and '.join(unnamed)}: a program has one parameter for each "
                "input, and each has a name: write them out"
            )
        unnamed = [n for n, p in parameters.items() if n in names and p.kind is of.POSITIONAL_ONLY]
        if unnamed:
            raise ArgumentError(
                f"{self.name}: the parameters {unnamed} must have names: remove the /"
            )
        unknown = [name for own in (self.garbler, self.evaluator) for name in own]
        unknown = [name for name in unknown if name not in parameters]
        if unknown:
            raise ArgumentError(f"{self.name} has no parameters {unknown}")
        missing = [n for n, p in parameters.items() if n not in names and p.default is of.empty]
        if missing and missing[0] == next(iter(parameters)) in ("self", "cls"):
            raise ArgumentError(
                f"{self.name} is a method, and a program has no {missing[0]}: make a program of "
                'an object\'s method, with hg.function(thing.method, garbler={"x": hg.u32})'
            )
        if missing:
            raise ArgumentError(f"{self.name}: give a party for the parameters {missing}")

    def __repr__(self) -> str:
        return f"<hg.function {self.name}>"

    def compile(self) -> Program:
        """Traces and compiles the program, once. Both parties get the same program."""
        if self._program is None:
            self._program = self._compile()
        return self._program

    def run(self, *args: Any, **values: Any) -> Any:
        """Compiles the program and runs both parties in this process: see ``Program.run``."""
        return self.compile().run(*args, **values)

    def _compile(self) -> Program:
        from .program import Program

        if not self.is_program:
            raise ArgumentError(
                f"{self.name} is no program: give @hg.function the inputs of the parties, as in "
                '@hg.function(garbler={"x": hg.u32})'
            )
        with Trace(self.name) as trace:
            secrets = {}
            where = _line_of(self.f)
            for own, is_garbler in ((self.garbler, True), (self.evaluator, False)):
                for name, of in own.items():
                    node = trace.tracer.input(name, is_garbler, of.dtype.native, _len(of))
                    secrets[name] = Secret(trace, node, of.dtype, of.shape, where, name)
            result = _called(self, secrets)
            results = [_result(trace, part, self.name) for _, part in leaves(result)]
            if not results:
                raise DTypeError(f"{self.name} returns nothing")
            traced = trace.tracer.finish([part._node for part in results])
        names = [name for name, _ in leaves(result)]
        types = [ArrayType(part.dtype, part.shape) for part in results]
        return Program.of_function(self, traced.compile(), traced, result, names, types)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        """A function in a class is a method of its objects, as any function is."""
        return self if instance is None or self.is_program else MethodType(self, instance)

    # Parameters have no types: they are secrets while a function is traced, and plain otherwise.
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        found: list[Secret] = []
        trace = current()
        if trace is None:
            return self.f(*args, **kwargs)
        key = (self, flatten((args, kwargs), found))
        if not found:
            return self.f(*args, **kwargs)
        traced, structure, results = trace_function(trace, self, key, args, kwargs)
        where = line()
        nodes = trace.tracer.call(traced, [secret._node for secret in found], where)
        return made(trace, nodes, structure, results)


def trace_function(
    trace: Trace, f: Callable[..., Any], key: Any, args: Any, kwargs: Any
) -> tuple[Traced, Any, list[ArrayType]]:
    """Traces a function with parameters in place of the secrets.

    It is traced at each call, since it may depend on anything that has changed since the last one.
    If the trace is that of an earlier call, the program calls the same function of the circuit.
    """
    root = trace.root
    name = getattr(f, "__name__", "function")
    if key in root.active:
        raise RecursiveFunctionError(
            f"{line()}: {name} calls itself with the same types: a circuit has no recursion; write "
            "a loop of fixed length, or hg.fold"
        )
    root.active.add(key)
    try:
        with Trace(name, trace) as inner:

            def parameter(secret: Secret) -> Secret:
                node = inner.tracer.parameter(secret.dtype.native, secret.size)
                return Secret(inner, node, secret.dtype, secret.shape)

            inside = replace((args, kwargs), parameter)
            run = f.f if isinstance(f, Function) else f
            result = guarded(name, run, *inside[0], **inside[1])
            results = [_result(inner, part, name) for _, part in leaves(result)]
            if not results:
                raise DTypeError(f"{line()}: {name} returns nothing")
            root.operations += len(inner.tracer)
            traced = inner.tracer.finish([part._node for part in results])
            if root.operations > _MAX_OPERATIONS:
                raise CircuitError(
                    f"{line()}: the functions of {root.name} were traced with more than "
                    f"{_MAX_OPERATIONS:,} operations in all: a function is traced at each call, so "
                    "functions that call others twice, many levels deep, take very long"
                )
    finally:
        root.active.discard(key)
    types = [ArrayType(part.dtype, part.shape) for part in results]
    earlier = root.functions.setdefault(key, [])
    same = next((found for found in earlier if found.same(traced)), None)
    if same is None:
        earlier.append(traced)
    return same or traced, replace(result, lambda _: None), types


def made(trace: Trace, nodes: list[int], structure: Any, types: list[ArrayType]) -> Any:
    """The results of a call in the structure that the function returns."""
    parts = [Secret(trace, node, of.dtype, of.shape) for node, of in zip(nodes, types)]
    return like(structure, parts)


def _line_of(f: Callable[..., Any]) -> str:
    """The source line of a function's ``def``, which decorators may precede."""
    code = getattr(inspect.unwrap(f), "__code__", None)
    if code is None:
        return line()
    number: int = code.co_firstlineno
    if code.co_name != "<lambda>":
        texts = enumerate(linecache.getlines(code.co_filename)[number - 1 :], number)
        number = next((place for place, text in texts if _DEF.match(text)), number)
    return f"{os.path.basename(code.co_filename)}:{number}"


def _called(f: Function, secrets: dict[str, Secret]) -> Any:
    return guarded(f.name, f.f, **secrets)


def guarded(name: str, f: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Calls a function that is being traced, with better errors than Python's."""
    try:
        return f(*args, **kwargs)
    except RecursiveFunctionError:
        raise
    except RecursionError:
        raise RecursiveFunctionError(
            f"{name} is nested too deeply while it is traced: a circuit has no recursion; write a "
            "loop of fixed length, or hg.fold"
        ) from None
    except TypeError as error:
        _check_arguments(name, f, args, kwargs, error)
        raise


def _check_arguments(
    name: str, f: Callable[..., Any], args: Any, kwargs: Any, error: TypeError
) -> None:
    """Refuses a call with more, fewer or other arguments than the function has."""
    try:
        inspect.signature(f).bind(*args, **kwargs)
    except ValueError:
        return
    except TypeError as why:
        raise ArgumentError(f"{line()}: {name} cannot be called like this: {why}") from error


def _result(trace: Trace, part: Any, name: str) -> Secret:
    """A result, which may be public."""
    if is_secret(part):
        from .trace import of_same_trace

        of_same_trace([part])
        secret: Secret = part
        return secret
    if isinstance(part, (tuple, list, dict)):
        raise DTypeError(
            f"{name} returns {part!r} inside a tuple, list or dictionary: results are not nested; "
            "return all parts in one dictionary, or join those of one shape with hg.stack"
        )
    what = f"{name}'s result"
    try:
        array = whole(part, what)
    except ValueError:
        array = np.empty(0, dtype=object)
    try:
        dtype = None if isinstance(part, (str, bytes)) else type_of(array)
    except DTypeError:
        dtype = None
    if dtype is None:
        raise DTypeError(
            f"{name} returns {reprlib.repr(part)}, of type {type(part).__name__}: a result is a "
            "secret, a number of at most 128 bits or an array, or a tuple, list or dictionary of "
            "these"
        )
    return Secret(trace, trace.public(dtype, array, what), dtype, array.shape)


def check_function(f: Any, what: str = "hg.function") -> None:
    """Refuses what cannot be traced."""
    if isinstance(f, classmethod):
        raise ArgumentError("write @hg.function below @classmethod: it takes a function")
    if not callable(f):
        raise ArgumentError(
            f"{what} takes a function first, not {f!r}"
            + (
                ': give inputs by name, as in @hg.function(garbler={"x": hg.u32})'
                if what == "hg.function"
                else ""
            )
        )
    code = inspect.unwrap(f)
    if inspect.iscoroutinefunction(code) or inspect.isasyncgenfunction(code):
        raise ArgumentError(
            f"{f.__name__} is async: a traced function runs once and waits for nothing, so remove "
            "async; sessions have garble_async and evaluate_async"
        )
    if inspect.isgeneratorfunction(code):
        raise ArgumentError(
            f"{f.__name__} is a generator: a traced function returns its results: replace yield by "
            "return, and hg.stack joins several"
        )


#: Who may learn a result.
_LEARNERS = ("garbler", "evaluator", "both", "none")


def _check_learn(name: str, learn: Any, is_program: bool) -> None:
    """Refuses learners that do not exist. Whether there is one for each result is known later."""
    if isinstance(learn, str):
        found = [learn]
    elif isinstance(learn, Mapping):
        found = list(learn.values())
    elif isinstance(learn, (tuple, list)):
        found = list(learn)
    else:
        found = [learn]
    unknown = [who for who in found if who not in _LEARNERS]
    if unknown:
        raise OptionError(
            f"{name}: learn={learn!r}: {unknown[0]!r} is not one of {', '.join(_LEARNERS)}"
        )
    if not is_program and learn != "both":
        raise OptionError(
            f"{name} has no inputs of parties, so it is no program: give learn to the program that "
            "calls it"
        )


#: Names of arguments of ``run`` and of sessions, which take inputs by name.
_TAKEN = ("ahead", "options", "party", "program", "progress", "self")


def _inputs(name: str, party: str, inputs: Inputs | None) -> dict[str, ArrayType]:
    if not isinstance(inputs, (Mapping, type(None))):
        raise ArgumentError(
            f"{name}: the {party}'s inputs are a {type(inputs).__name__}: give a dictionary of "
            'types, such as {"x": hg.u32}'
        )
    found = {}
    for key, of in (inputs or {}).items():
        what = f"{name}: the {party}'s input {key!r}"
        if key in _TAKEN:
            raise ArgumentError(f"{what}: this name is taken by run and by sessions: rename it")
        found[key] = array_type(of, what)
        check_size(found[key], what)
    return found


def _len(of: ArrayType) -> int:
    return int(np.prod(of.shape, dtype=np.int64))


@overload
def function(
    f: Callable[..., Any],
    *,
    garbler: Inputs | None = None,
    evaluator: Inputs | None = None,
    learn: str | Mapping[str, str] | list[str] = "both",
) -> Function: ...
@overload
def function(
    *,
    garbler: Inputs | None = None,
    evaluator: Inputs | None = None,
    learn: str | Mapping[str, str] | list[str] = "both",
) -> Callable[[Callable[..., Any]], Function]: ...
def function(
    f: Callable[..., Any] | None = None,
    *,
    garbler: Inputs | None = None,
    evaluator: Inputs | None = None,
    learn: str | Mapping[str, str] | list[str] = "both",
) -> Function | Callable[[Callable[..., Any]], Function]:
    """Makes a :class:`Function` of a Python function.

    ``garbler`` and ``evaluator`` give the types of the parties' inputs by name: the function is a
    program then. ``learn`` says who learns the results: ``"both"``, ``"garbler"``,
    ``"evaluator"`` or ``"none"``, one for each result if it is a list or a dictionary. Without
    inputs, the function is a part of programs that call it: it is traced and written once.
    """
    if f is not None:
        return Function(f, garbler, evaluator, learn)
    return lambda f: Function(f, garbler, evaluator, learn)
