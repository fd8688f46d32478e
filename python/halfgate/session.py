"""Sessions: two parties run a program over a network."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import Any, Callable, Mapping, Sequence

from . import _halfgate
from ._halfgate import Options
from .ahead import Preprocessing, ahead_of
from .errors import ArgumentError, IdentityError, OptionError
from .program import Program
from .report import Report

#: A key file of this party, or the public key, fingerprint or "anyone" of the peer.
Path = str | os.PathLike[str]
Progress = Callable[[str, int, int], object]

#: Characters of a progress bar.
_BAR = 30

_DEFAULTS: dict[str, Any] = {
    "security": "semi-honest",
    "ot": "malicious",
    "suite": "half-gates",
    "insecure_suite": False,
    "engine": "cpu",
    "threads": None,
    "kernel": None,
    "timeout": 60.0,
    "setup": 600.0,
    "deadline": None,
    "cycles": None,
}


def made_options(program: Program | None = None, **options: Any) -> Options:
    """Options of a run, checked."""
    if program is not None:
        _check(program)
    unknown = sorted(set(options) - set(_DEFAULTS))
    if unknown:
        raise OptionError(
            f"{', '.join(unknown)}: not an option; the options are {', '.join(_DEFAULTS)}"
        )
    given = {**_DEFAULTS, **options}
    given["engines"] = _engines(given.pop("engine"))
    learn: list[str] = []
    if program is not None and set(program._learn) != {"both"}:
        learn = program._learn
    name = program.name if program is not None else ""
    try:
        return Options(**given, learn=learn, name=name)
    except (TypeError, OverflowError) as error:
        raise OptionError(f"an option has the wrong type: {error}") from None


def _engines(engine: Any) -> tuple[str, str]:
    """The engines of the garbler and of the evaluator."""
    if isinstance(engine, str):
        return engine, engine
    if isinstance(engine, Mapping) and set(engine) <= {"garbler", "evaluator"}:
        found = [engine.get(party, "cpu") for party in ("garbler", "evaluator")]
        if all(isinstance(name, str) for name in found):
            return found[0], found[1]
    raise OptionError(
        f'engine={engine!r}: give the name of an engine (hg.engines() lists them), or a dictionary '
        'such as {"garbler": "model:haac-16ge", "evaluator": "cpu"}'
    )


def _split(wait: float | None, options: dict[str, Any]) -> Options:
    """The options for connecting: `wait` seconds at most, by default the timeout."""
    checked = made_options(None, **options)
    if wait is None:
        return checked
    try:
        return made_options(None, **{**options, "timeout": wait})
    except OptionError:
        raise OptionError(f"wait={wait}: give a number of seconds above 0") from None


def keygen(path: Path) -> str:
    """Creates a key pair: the private key in a new file at `path`, the public one in `path`.pub.

    Returns the fingerprint, by which the other party recognises the key.
    """
    return _halfgate.keygen(os.fspath(path))


def _keys(identity: Path | None, peer: Path | None, insecure: bool) -> Any:
    if insecure:
        if identity is not None or peer is not None:
            raise OptionError("insecure=True takes neither identity nor peer: it does not encrypt")
        return None
    if identity is None or peer is None:
        raise IdentityError(
            'give identity="my.key" and peer="their.key.pub" (hg.keygen makes keys; peer may be a '
            'fingerprint or "anyone"), or insecure=True for a trusted link without encryption'
        )
    found = os.fspath(peer)
    return _Keys(os.fspath(identity), None if found == "anyone" else found)


class _Keys:
    def __init__(self, identity: str, peer: str | None) -> None:
        self.identity = identity
        self.peer = peer


class Session:
    """A connection with the other party, which serves one session. A context manager."""

    def __init__(self, native: Any, options: dict[str, Any]) -> None:
        self._native = native
        self._options = options
        #: What each run of the session took, when it has ended.
        self.reports: list[Report] = []

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connection. A run in progress, on another thread, is cancelled: it raises
        :class:`CancelledError <halfgate.errors.CancelledError>`, and the peer is told."""
        self._native.close()

    @property
    def is_open(self) -> bool:
        """Whether a session may still run."""
        return bool(self._native.is_open)

    def garble(
        self,
        program: Program,
        *args: Any,
        progress: Progress | bool | None = None,
        ahead: Path | Preprocessing | None = None,
        **values: Any,
    ) -> Any:
        """Runs as the garbler, with the values of its inputs. Returns the results it learns.

        A result that the party does not learn is None. ``progress`` is called with a phase and two
        numbers: ANDs done and ANDs in all. If it is True, a bar on standard error shows the
        progress. Ctrl-C, and an exception in ``progress``, end the session, and the peer is told.

        ``ahead`` is a file of :meth:`Program.garble_ahead`, or of :meth:`preprocess` in a malicious
        session. It serves one run, and is marked used before the first label is sent.
        """
        _check(program).refuse_positional(args, "garbler", "garble")
        return self.run("garbler", program, [values], progress, ahead)[0]

    def evaluate(
        self,
        program: Program,
        *args: Any,
        progress: Progress | bool | None = None,
        ahead: Path | Preprocessing | None = None,
        **values: Any,
    ) -> Any:
        """Runs as the evaluator: see :meth:`garble`."""
        _check(program).refuse_positional(args, "evaluator", "evaluate")
        return self.run("evaluator", program, [values], progress, ahead)[0]

    def run(
        self,
        party: str,
        program: Program,
        runs: Sequence[Mapping[str, Any]],
        progress: Progress | bool | None = None,
        ahead: Path | Preprocessing | None = None,
    ) -> list[Any]:
        """Runs a program once for each of `runs`, over this connection."""
        options = made_options(program, **self._options)
        return self._run(party, program, runs, progress, ahead, options)

    def preprocess(
        self,
        party: str,
        program: Program,
        to: Path | Preprocessing,
        progress: Progress | bool | None = None,
    ) -> Report:
        """Does the part of a malicious session that needs no input, and writes it to a new file.

        The peer calls this too, and gets a file of its own. Later, on another connection, both give
        their files as ``ahead``. ``party`` is ``"garbler"`` or ``"evaluator"``.
        """
        _party(party)
        options = made_options(_check(program), **self._options)
        file = ahead_of(to)
        report = _bar if progress is True else progress or None
        found = self._native.preprocess(
            party == "garbler", program.native, options, file.native, report
        )
        return Report.of(found)

    def _run(
        self,
        party: str,
        program: Program,
        runs: Sequence[Mapping[str, Any]],
        progress: Progress | bool | None,
        ahead: Path | Preprocessing | None,
        options: Options,
    ) -> list[Any]:
        _party(party)
        _check(program)
        is_malicious = self._options.get("security") == "malicious"
        if ahead is not None and party == "evaluator" and not is_malicious:
            raise OptionError(
                "ahead: in a semi-honest session only the garbler works ahead of time"
            )
        if isinstance(ahead, Preprocessing) and not is_malicious:
            raise OptionError(
                "ahead: preprocessing is for malicious sessions; give the path of a file of "
                "program.garble_ahead"
            )
        elements = [program.elements(values, party, options.cycles) for values in runs]
        report = _bar if progress is True else progress or None
        file = None if ahead is None else ahead_of(ahead).native
        outcomes = self._native.run(
            party == "garbler", program.native, elements, options, file, report
        )
        self.reports = [Report.of(about) for _, about in outcomes]
        return [program.decoded(outputs) for outputs, _ in outcomes]

    async def garble_async(
        self,
        program: Program,
        *args: Any,
        progress: Progress | bool | None = None,
        ahead: Path | Preprocessing | None = None,
        **values: Any,
    ) -> Any:
        """As :meth:`garble`, on another thread. If the task is cancelled, so is the session."""
        _check(program).refuse_positional(args, "garbler", "garble_async")
        return (await self._async("garbler", program, values, progress, ahead))[0]

    async def evaluate_async(
        self,
        program: Program,
        *args: Any,
        progress: Progress | bool | None = None,
        ahead: Path | Preprocessing | None = None,
        **values: Any,
    ) -> Any:
        """As :meth:`evaluate`, on another thread."""
        _check(program).refuse_positional(args, "evaluator", "evaluate_async")
        return (await self._async("evaluator", program, values, progress, ahead))[0]

    async def _async(
        self,
        party: str,
        program: Program,
        values: Any,
        progress: Progress | bool | None,
        ahead: Path | Preprocessing | None,
    ) -> list[Any]:
        options = made_options(program, **self._options)
        work = asyncio.to_thread(self._run, party, program, [values], progress, ahead, options)
        found: list[Any] = await _cancellable(work, options)
        return found


def _party(party: str) -> None:
    if party not in ("garbler", "evaluator"):
        raise OptionError(f"party={party!r}: give garbler or evaluator")


def _check(program: object) -> Program:
    if not isinstance(program, Program):
        raise ArgumentError(f"{program!r} is no program: call compile() on the function")
    return program


def _bar(phase: str, done: int, of: int) -> None:
    """Shows the progress of a session on standard error."""
    if phase != "progress" or of == 0:
        return
    full = _BAR * done // of
    end = "\n" if done >= of else ""
    bar = "#" * full + "." * (_BAR - full)
    print(f"\r{bar} {100 * done // of:3} % of {of:,} ANDs", end=end, file=sys.stderr, flush=True)


async def _cancellable(work: Any, options: Options) -> Any:
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        options.cancel()
        # The thread ends soon: the peer is told first.
        made: Any = await asyncio.gather(task, return_exceptions=True)
        if isinstance(made[0], Session):
            made[0].close()
        raise


class Listener:
    """A listening port, which accepts one peer after the other. A context manager."""

    def __init__(self, address: str) -> None:
        self._native: Any = _halfgate.NativeListener(address)

    def __enter__(self) -> Listener:
        return self

    def __exit__(self, *_: object) -> None:
        self._native = None

    @property
    def address(self) -> str:
        """The address with the actual port."""
        return str(self._native.address)

    def accept(
        self,
        *,
        identity: Path | None = None,
        peer: Path | None = None,
        insecure: bool = False,
        wait: float | None = None,
        **options: Any,
    ) -> Session:
        """Waits for the peer, `wait` seconds or the timeout. Others do not end the wait.

        Without keys the peer is the first that begins a session, so this also waits until then: the
        peer's :func:`connect` returns before.
        """
        return self._accept(_keys(identity, peer, insecure), _split(wait, options), options)

    async def accept_async(
        self,
        *,
        identity: Path | None = None,
        peer: Path | None = None,
        insecure: bool = False,
        wait: float | None = None,
        **options: Any,
    ) -> Session:
        """As :meth:`accept`, on another thread. A cancelled task ends the wait."""
        keys, waiting = _keys(identity, peer, insecure), _split(wait, options)
        work = asyncio.to_thread(self._accept, keys, waiting, options)
        session: Session = await _cancellable(work, waiting)
        return session

    def _accept(self, keys: Any, waiting: Options, options: dict[str, Any]) -> Session:
        return Session(self._native.accept(keys, waiting), options)


def bind(address: str) -> Listener:
    """Listens on ``HOST:PORT``; with port 0 the system chooses the port."""
    return Listener(address)


def listen(
    address: str,
    *,
    identity: Path | None = None,
    peer: Path | None = None,
    insecure: bool = False,
    wait: float | None = None,
    **options: Any,
) -> Session:
    """Listens on ``HOST:PORT`` and waits for the peer, over TLS between pinned keys.

    ``identity`` is this party's key file, ``peer`` the peer's public key file or fingerprint.
    Either party may listen. ``wait`` is how many seconds to wait for the peer to connect, by
    default the timeout. Options: ``security`` ("semi-honest", "malicious"), ``ot``, ``suite``,
    ``threads``, ``kernel``, ``timeout``, ``setup`` and ``deadline`` in seconds, ``cycles``.
    """
    listener = bind(address)
    return listener.accept(identity=identity, peer=peer, insecure=insecure, wait=wait, **options)


def connect(
    address: str,
    *,
    identity: Path | None = None,
    peer: Path | None = None,
    insecure: bool = False,
    wait: float | None = None,
    **options: Any,
) -> Session:
    """Connects to a listening peer, and retries until the wait is over. As :func:`listen`."""
    return _connect(address, _keys(identity, peer, insecure), _split(wait, options), options)


def _connect(address: str, keys: Any, waiting: Options, options: dict[str, Any]) -> Session:
    return Session(_halfgate.connect(address, keys, waiting), options)


async def listen_async(address: str, **options: Any) -> Session:
    """As :func:`listen`, on another thread. A cancelled task ends the wait."""
    return await bind(address).accept_async(**options)


async def connect_async(
    address: str,
    *,
    identity: Path | None = None,
    peer: Path | None = None,
    insecure: bool = False,
    wait: float | None = None,
    **options: Any,
) -> Session:
    """As :func:`connect`, on another thread. A cancelled task ends the wait."""
    keys, waiting = _keys(identity, peer, insecure), _split(wait, options)
    work = asyncio.to_thread(_connect, address, keys, waiting, options)
    session: Session = await _cancellable(work, waiting)
    return session
