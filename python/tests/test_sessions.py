"""Sessions between two processes over TLS, and between two threads."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import halfgate as hg
from halfgate import errors

from parties import bill, slow

USED = [10, 20, 2000]
TOTAL = 2 * 10 + 3 * 20 + 4 * 2 * 2000


@pytest.fixture(scope="module")
def keys(tmp_path_factory: Any) -> Path:
    folder: Path = tmp_path_factory.mktemp("keys")
    for name in ("alice", "bob", "eve"):
        hg.keygen(folder / name)
    return folder


def party(keys: Path, address: str, program: str) -> subprocess.Popen[str]:
    """A garbler in another process."""
    file = Path(__file__).with_name("parties.py")
    command = [sys.executable, str(file), str(keys), address.rsplit(":", 1)[1], program]
    found = {**os.environ, "PYTHONPATH": str(Path(hg.__file__).parents[1])}
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=found)


def listening(keys: Path, listener: hg.Listener, **options: Any) -> hg.Session:
    chosen = {"timeout": 30, **options}
    return listener.accept(identity=keys / "bob", peer=keys / "alice.pub", **chosen)


def test_two_processes_compute_over_tls(keys: Path) -> None:
    phases: list[str] = []
    with hg.bind("127.0.0.1:0") as listener:
        other = party(keys, listener.address, "bill")
        with listening(keys, listener) as session:
            total = session.evaluate(
                bill.compile(), used=USED, progress=lambda phase, done, of: phases.append(phase)
            )
            assert not session.is_open
            with pytest.raises(errors.ConnectionError, match="connect again"):
                session.evaluate(bill.compile(), used=USED)
    assert total == TOTAL and isinstance(total, np.uint64)
    assert other.communicate(timeout=60)[0].split() == ["connected", "result", str(TOTAL)]
    assert phases == ["connected", "setup", "run", "progress"]


def test_a_missing_peer_ends_the_wait() -> None:
    with hg.bind("127.0.0.1:0") as listener:
        cases: list[dict[str, Any]] = [{"timeout": 0.2}, {"wait": 0.2, "timeout": 50, "setup": 50}]
        for options in cases:
            with pytest.raises(errors.ConnectionError) as raised:
                listener.accept(insecure=True, **options)
            assert f"nobody connected to {listener.address} within 0.2 s" in str(raised.value)
        address = listener.address
    with pytest.raises(errors.ConnectionError, match=address):
        hg.connect(address, insecure=True, wait=0.2)
    with pytest.raises(errors.OptionError, match="wait=0"):
        hg.connect(address, insecure=True, wait=0)


def test_another_program_is_named(keys: Path) -> None:
    with hg.bind("127.0.0.1:0") as listener:
        other = party(keys, listener.address, "other")
        with listening(keys, listener) as session, pytest.raises(errors.MismatchError) as raised:
            session.evaluate(bill.compile(), used=USED)
    assert raised.value.party == "garbler" and "program" in str(raised.value)
    # The other party finds it too, or hears of it first.
    heard = other.communicate(timeout=60)[0]
    assert "MismatchError evaluator" in heard or "AbortedError evaluator" in heard, heard
    assert "program" in heard


def test_a_function_that_differs_is_named() -> None:
    types: dict[str, Any] = {"garbler": {"x": hg.u64[99]}, "evaluator": {"y": hg.u64[99]}}
    mine = hg.function(lambda x, y: (x * y).max() + 1, **types).compile()
    theirs = hg.function(lambda x, y: (x * y * y).max() + 1, **types).compile()

    def fails(session: hg.Session, *run: Any) -> str:
        with pytest.raises(errors.MismatchError) as raised:
            session.run(*run)
        return str(raised.value)

    for found in between_threads(
        lambda session: fails(session, "garbler", mine, [{"x": range(99)}]),
        lambda session: fails(session, "evaluator", theirs, [{"y": range(99)}]),
    ):
        assert re.search(r"function 0.*here it is test_sessions.py:\d+", found), found


def test_ctrl_c_ends_the_session_and_the_peer_is_told(keys: Path) -> None:
    with hg.bind("127.0.0.1:0") as listener:
        other = party(keys, listener.address, "slow")

        def interrupt(phase: str, done: int, total: int) -> None:
            if phase == "progress" and done:
                other.send_signal(signal.SIGINT)

        with listening(keys, listener) as session, pytest.raises(errors.AbortedError):
            session.evaluate(slow.compile(), y=range(4000), progress=interrupt)
    assert "interrupted" in other.communicate(timeout=60)[0]


def test_an_exception_in_progress_ends_the_session(keys: Path) -> None:
    def fail(phase: str, done: int, total: int) -> None:
        if phase == "progress":
            raise KeyError("mine")

    with hg.bind("127.0.0.1:0") as listener:
        other = party(keys, listener.address, "slow")
        with listening(keys, listener) as session, pytest.raises(KeyError, match="mine"):
            session.evaluate(slow.compile(), y=range(4000), progress=fail)
    assert "AbortedError evaluator" in other.communicate(timeout=60)[0]


def between_threads(garbler: Any, evaluator: Any, **options: Any) -> tuple[Any, Any]:
    """What both parties get without encryption."""
    found: dict[str, Any] = {}
    with hg.bind("127.0.0.1:0") as listener:

        def garble() -> None:
            with hg.connect(listener.address, insecure=True, **options) as session:
                found["garbler"] = garbler(session)

        thread = threading.Thread(target=garble)
        thread.start()
        with listener.accept(insecure=True, **options) as session:
            found["evaluator"] = evaluator(session)
        thread.join()
    return found["garbler"], found["evaluator"]


@pytest.mark.parametrize("security", ["semi-honest", "malicious"])
def test_security_levels(security: str) -> None:
    program = bill.compile()
    found = between_threads(
        lambda session: session.garble(program, rates=[2, 3, 4]),
        lambda session: session.evaluate(program, used=USED),
        security=security,
    )
    assert found == (TOTAL, TOTAL)


def test_several_runs_and_learners() -> None:
    @hg.function(
        garbler={"x": hg.u8},
        evaluator={"y": hg.u8},
        learn={"sum": "garbler", "product": "evaluator", "both": "both"},
    )
    def f(x: Any, y: Any) -> Any:
        return {"sum": x + y, "product": x * y, "both": x > y}

    program = f.compile()
    runs = [{"x": 3}, {"x": 5}]
    mine, theirs = between_threads(
        lambda session: session.run("garbler", program, runs),
        lambda session: session.run("evaluator", program, [{"y": 4}, {"y": 2}]),
    )
    assert mine == [
        {"sum": 7, "product": None, "both": False},
        {"sum": 7, "product": None, "both": True},
    ]
    assert [run["product"] for run in theirs] == [12, 10] and theirs[0]["sum"] is None
    assert f.run(x=3, y=4) == {"sum": 7, "product": 12, "both": False}


@pytest.mark.parametrize("security", ["semi-honest", "malicious"])
def test_progress_ends_with_all_ands_of_each_run(security: str) -> None:
    program = bill.compile()
    free = hg.function(lambda x, y: x ^ y, garbler={"x": hg.u8}, evaluator={"y": hg.u8}).compile()
    calls: dict[str, list[tuple[str, int, int]]] = {"garbler": [], "evaluator": []}

    def run(session: hg.Session, party: str, program: hg.Program, values: dict[str, Any]) -> None:
        own = calls[party]
        own.clear()
        session.run(party, program, [values] * 3, lambda *call: own.append(call))

    for chosen, rates, used in (
        (program, {"rates": [2, 3, 4]}, {"used": USED}),
        (free, {"x": 1}, {"y": 2}),
    ):
        between_threads(
            lambda session: run(session, "garbler", chosen, rates),
            lambda session: run(session, "evaluator", chosen, used),
            security=security,
        )
        for own in calls.values():
            starts = [place for place, call in enumerate(own) if call[0] == "run"]
            assert [own[place] for place in starts] == [("run", run, 0) for run in range(3)]
            for start, following in zip(starts, [*starts[1:], len(own)]):
                done = ("progress", chosen.ands, chosen.ands)
                assert own[following - 1] == done and own[start:following].count(done) == 1


def test_a_bar_shows_progress(capsys: Any) -> None:
    program = bill.compile()
    between_threads(
        lambda session: session.garble(program, progress=True, rates=[2, 3, 4]),
        lambda session: session.evaluate(program, used=USED),
    )
    assert "100 % of" in capsys.readouterr().err
    program = slow_enough()
    between_threads(
        lambda session: session.garble(program, progress=True, x=range(500)),
        lambda session: session.evaluate(program, y=range(500)),
    )
    assert "100 % of" in capsys.readouterr().err


def slow_enough() -> hg.Program:
    f = hg.function(lambda x, y: x * y, garbler={"x": hg.u64[500]}, evaluator={"y": hg.u64[500]})
    program: hg.Program = f.compile()
    return program


def test_built_in_programs_and_files(tmp_path: Path) -> None:
    aes = hg.programs.aes128()
    assert aes.ands == 6400 and {port.party for port in aes.inputs} == {"garbler", "evaluator"}
    psi = hg.programs.psi("4x32")
    sets = {"garbler": [2, 3, 5, 9], "evaluator": [1, 2, 5, 7]}
    values = {port.name: sets[port.party] for port in psi.inputs}
    assert psi.run(**values) == 2
    with pytest.raises(errors.CircuitError, match="psi"):
        hg.programs.psi("x")
    with pytest.raises(AttributeError, match="hg.programs.all"):
        hg.programs.nothing()
    file = tmp_path / "and.txt"
    file.write_text("1 3\n2 1 1\n1 1\n\n2 1 0 1 2 AND\n")
    both = hg.circuit(file)
    names = [port.name for port in both.inputs]
    assert both.run(**{names[0]: 1, names[1]: 1}) == 1
    with pytest.raises(errors.CircuitError):
        hg.circuit(tmp_path / "missing.hgc")


def test_keys_and_peers(keys: Path) -> None:
    with pytest.raises(errors.IdentityError, match="insecure=True"):
        hg.connect("127.0.0.1:1")
    with pytest.raises(errors.IdentityError):
        hg.connect("127.0.0.1:1", identity=keys / "missing", peer="anyone")
    with pytest.raises(errors.IdentityError):
        hg.keygen(keys / "alice")
    with pytest.raises(errors.ConnectionError):
        hg.connect("127.0.0.1:1", insecure=True, timeout=0.3)
    with pytest.raises(errors.ConnectionError), hg.bind("127.0.0.1:0") as listener:
        listener.accept(insecure=True, timeout=0.3)


def test_coroutines() -> None:
    program = bill.compile()

    async def both() -> tuple[Any, Any]:
        with hg.bind("127.0.0.1:0") as listener:

            async def evaluator() -> Any:
                session = await asyncio.to_thread(lambda: listener.accept(insecure=True))
                return await session.evaluate_async(program, used=USED)

            async def garbler() -> Any:
                session = await hg.connect_async(listener.address, insecure=True)
                return await session.garble_async(program, rates=[2, 3, 4])

            return await asyncio.gather(garbler(), evaluator())  # type: ignore[return-value]

    assert list(asyncio.run(both())) == [TOTAL, TOTAL]


def test_a_cancelled_task_ends_its_session() -> None:
    program = slow.compile()

    async def both() -> Any:
        with hg.bind("127.0.0.1:0") as listener:
            accepted = asyncio.create_task(
                asyncio.to_thread(lambda: listener.accept(insecure=True))
            )
            garbler = await hg.connect_async(listener.address, insecure=True)
            task = asyncio.create_task(garbler.garble_async(program, x=range(4000)))
            # A listener without keys accepts whoever speaks the protocol, once it does.
            evaluator = await accepted
            other = asyncio.create_task(evaluator.evaluate_async(program, y=range(4000)))
            await asyncio.sleep(0.3)
            task.cancel()
            return await asyncio.gather(task, other, return_exceptions=True)

    mine, theirs = asyncio.run(both())
    assert isinstance(mine, asyncio.CancelledError) and isinstance(theirs, errors.AbortedError)


class Closing:
    """A session whose run is closed from elsewhere, and what both parties get."""

    def __init__(self) -> None:
        self.found: dict[str, Any] = {}
        self.started = threading.Event()

    def run(self, close: Any, progress: Any = None) -> float:
        """Calls `close` with the evaluator's session once it runs. Returns its seconds."""
        program = slow.compile()

        def started(phase: str, done: int, total: int) -> None:
            if phase == "progress" and done:
                self.started.set()
                if progress is not None:
                    progress(session)

        def attempt(party: str, session: hg.Session, values: dict[str, Any], report: Any) -> None:
            try:
                session.run(party, program, [values], report)
            except errors.SessionError as error:
                self.found[party] = error

        with hg.bind("127.0.0.1:0") as listener:

            def garble() -> None:
                with hg.connect(listener.address, insecure=True) as session:
                    attempt("garbler", session, {"x": range(4000)}, None)

            other = threading.Thread(target=garble)
            other.start()
            session = listener.accept(insecure=True)
            run = threading.Thread(
                target=attempt, args=("evaluator", session, {"y": range(4000)}, started)
            )
            run.start()
            assert self.started.wait(30)
            begin = time.monotonic()
            close(session)
            seconds = time.monotonic() - begin
            run.join(30)
            other.join(30)
            assert not run.is_alive() and not other.is_alive() and not session.is_open
        return seconds


def test_a_session_that_is_closed_ends_its_run() -> None:
    closing = Closing()
    assert closing.run(lambda session: session.close()) < 2
    assert isinstance(closing.found["evaluator"], errors.CancelledError)
    assert isinstance(closing.found["garbler"], errors.AbortedError)
    assert closing.found["garbler"].party == "evaluator"


def test_progress_may_close_the_session() -> None:
    closing = Closing()
    closing.run(lambda session: None, lambda session: session.close())
    assert isinstance(closing.found["evaluator"], errors.CancelledError)
    assert isinstance(closing.found["garbler"], errors.AbortedError)


def test_a_closed_session_does_not_run() -> None:
    with hg.bind("127.0.0.1:0") as listener:
        session = hg.connect(listener.address, insecure=True)
        session.close()
        session.close()
        with pytest.raises(errors.ConnectionError, match="connect again"):
            session.garble(bill.compile(), rates=[2, 3, 4])


def test_a_listener_without_keys_waits_for_the_peer_to_begin() -> None:
    with hg.bind("127.0.0.1:0") as listener:
        early = hg.connect(listener.address, insecure=True)
        begin = time.monotonic()
        with pytest.raises(errors.ConnectionError, match="it sent nothing within 0.3 s"):
            listener.accept(insecure=True, wait=0.3)
        assert time.monotonic() - begin < 2
        with pytest.raises(errors.ConnectionError):
            early.garble(bill.compile(), rates=[2, 3, 4])


def test_a_cancelled_wait_ends() -> None:
    """Listening, accepting, dialling and the TLS handshake."""

    async def cancelled(work: Any) -> float:
        task = asyncio.create_task(work)
        await asyncio.sleep(0.3)
        begin = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return time.monotonic() - begin

    async def all_waits(keys: dict[str, Any]) -> None:
        with hg.bind("127.0.0.1:0") as listener, hg.bind("127.0.0.1:0") as free:
            closed = free.address
            free.__exit__()
            address = listener.address
            assert await cancelled(hg.listen_async("127.0.0.1:0", wait=20, **keys)) < 1
            assert await cancelled(hg.connect_async(closed, wait=20, **keys)) < 1
            assert await cancelled(listener.accept_async(wait=20, **keys)) < 1
            if "insecure" not in keys:
                # The listener's system accepts the connection, and nobody shakes hands.
                assert await cancelled(hg.connect_async(address, wait=20, **keys)) < 1
            with socket.create_connection(address.rsplit(":", 1)):
                assert await cancelled(listener.accept_async(wait=20, **keys)) < 1

    with tempfile.TemporaryDirectory() as folder:
        hg.keygen(f"{folder}/own")
        asyncio.run(all_waits({"insecure": True}))
        asyncio.run(all_waits({"identity": f"{folder}/own", "peer": "anyone"}))


def in_child(queue: Any) -> None:
    try:
        bill.run(rates=[1, 2, 3], used=USED)
        queue.put("ran")
    except errors.ForkError as error:
        queue.put(str(error))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_fork_is_noticed() -> None:
    bill.run(rates=[1, 2, 3], used=USED)
    context = multiprocessing.get_context("fork")
    queue: Any = context.Queue()
    child = context.Process(target=in_child, args=(queue,))
    child.start()
    assert "spawn" in queue.get(timeout=60)
    child.join()
