"""Garbling ahead of time, and preprocessing of malicious sessions."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path
from typing import Any, Callable

import pytest

import halfgate as hg
from halfgate import errors

from parties import bill, other_bill

RATES, USED, TOTAL = [2, 3, 4], [10, 20, 2000], 16_080
MALICIOUS = {"security": "malicious", "timeout": 30.0}


@pytest.fixture(scope="module")
def keys(tmp_path_factory: Any) -> Path:
    folder: Path = tmp_path_factory.mktemp("keys")
    for name in ("alice", "bob"):
        hg.keygen(folder / name)
    return folder


def both(
    keys: Path,
    garbler: Callable[[hg.Session], Any],
    evaluator: Callable[[hg.Session], Any],
    **options: Any,
) -> tuple[Any, Any]:
    """What two parties return, or raise, in a session between two threads."""
    alice = {"identity": keys / "alice", "peer": keys / "bob.pub"}
    bob = {"identity": keys / "bob", "peer": keys / "alice.pub"}
    found: list[Any] = [None, None]

    def kept(place: int, party: Callable[[hg.Session], Any], session: hg.Session) -> None:
        try:
            with session:
                found[place] = party(session)
        except hg.HalfgateError as error:
            found[place] = error

    with hg.bind("127.0.0.1:0") as listener:
        address = listener.address

        def dial() -> None:
            kept(1, evaluator, hg.connect(address, **bob, **options))

        other = threading.Thread(target=dial)
        other.start()
        kept(0, garbler, listener.accept(**alice, **options))
        other.join(60)
        assert not other.is_alive()
    return found[0], found[1]


def test_a_garbling_serves_one_run(keys: Path, tmp_path: Path) -> None:
    program, file = bill.compile(), tmp_path / "bill.garbling"
    report = program.garble_ahead(file)
    assert report.and_gates == program.ands and report.bytes == file.stat().st_size
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with pytest.raises(errors.SessionError, match="bill.garbling"):
        program.garble_ahead(file)

    def evaluate(session: hg.Session) -> Any:
        return session.evaluate(program, used=USED)

    def garble(session: hg.Session) -> Any:
        total = session.garble(program, rates=RATES, ahead=file)
        assert session.reports[0].bytes_sent > 32 * program.ands
        return total

    assert both(keys, garble, evaluate, timeout=30.0) == (TOTAL, TOTAL)
    used, _ = both(keys, garble, evaluate, timeout=5.0)
    assert isinstance(used, errors.SessionError) and "used" in str(used)


def test_a_garbling_of_another_program_is_refused(keys: Path, tmp_path: Path) -> None:
    file = tmp_path / "other.garbling"
    other_bill.compile().garble_ahead(file)
    program = bill.compile()

    def garble(session: hg.Session) -> Any:
        return session.garble(program, rates=RATES, ahead=file)

    def evaluate(session: hg.Session) -> Any:
        return session.evaluate(program, used=USED)

    refused, left = both(keys, garble, evaluate, timeout=5.0)
    assert isinstance(refused, errors.SessionError) and "other.garbling" in str(refused)
    assert isinstance(left, errors.SessionError)


@pytest.mark.parametrize("how", ["nothing", "key", "passphrase"])
def test_preprocessing_serves_one_run(keys: Path, tmp_path: Path, how: str) -> None:
    program = bill.compile()
    key = tmp_path / "key"
    key.write_bytes(os.urandom(32))
    key.chmod(0o600)
    secret = {"nothing": {}, "key": {"key": key}, "passphrase": {"passphrase": "a secret"}}[how]

    def half(party: str) -> hg.Preprocessing:
        place, ledger = tmp_path / party, tmp_path / f"{party}.used"
        return hg.Preprocessing(place, ledger=ledger, **secret)

    reports = both(
        keys,
        lambda session: session.preprocess("garbler", program, half("garbler")),
        lambda session: session.preprocess("evaluator", program, half("evaluator")),
        **MALICIOUS,
    )
    assert [report.bytes for report in reports] == [
        (tmp_path / party).stat().st_size for party in ("garbler", "evaluator")
    ]

    def run() -> tuple[Any, Any]:
        return both(
            keys,
            lambda session: session.garble(program, rates=RATES, ahead=half("garbler")),
            lambda session: session.evaluate(program, used=USED, ahead=half("evaluator")),
            **MALICIOUS,
        )

    assert run() == (TOTAL, TOTAL)
    for error in run():
        assert isinstance(error, errors.SessionError) and "used" in str(error)


def test_what_cannot_be_used_is_named(keys: Path, tmp_path: Path) -> None:
    program = bill.compile()
    with pytest.raises(errors.OptionError, match="not both"):
        hg.Preprocessing("x", key="k", passphrase="p")
    with pytest.raises(errors.IdentityError, match="no-key: No such file"):
        hg.Preprocessing("x", key=tmp_path / "no-key")
    open_key = tmp_path / "open-key"
    open_key.write_bytes(os.urandom(32))
    open_key.chmod(0o644)
    with pytest.raises(errors.IdentityError, match="0600"):
        hg.Preprocessing("x", key=open_key)
    with pytest.raises(errors.OptionError, match="use session.preprocess, on both sides"):
        program.garble_ahead(tmp_path / "x", security="malicious")
    assert not (tmp_path / "x").exists()

    def garble(session: hg.Session) -> Any:
        return session.garble(program, rates=RATES, ahead=tmp_path / "missing")

    def evaluate(session: hg.Session) -> Any:
        return session.evaluate(program, used=USED, ahead=tmp_path / "missing")

    missing, refused = both(keys, garble, evaluate, timeout=5.0)
    assert isinstance(missing, errors.SessionError) and "missing" in str(missing)
    assert isinstance(refused, errors.OptionError) and "only the garbler" in str(refused)
    both_missing = both(keys, garble, evaluate, **{**MALICIOUS, "timeout": 5.0})
    for error in both_missing:
        assert isinstance(error, errors.SessionError) and "missing" in str(error)

    nameless, _ = both(
        keys,
        lambda session: session.preprocess("garbler", program, ""),
        lambda session: None,
        **{**MALICIOUS, "timeout": 5.0},
    )
    assert isinstance(nameless, errors.SessionError) and "no name" in str(nameless)

    def twice(session: hg.Session) -> Any:
        runs = [{"rates": RATES}, {"rates": RATES}]
        return session.run("garbler", program, runs, ahead=tmp_path / "missing")

    once, _ = both(keys, twice, lambda session: None, timeout=5.0)
    assert isinstance(once, errors.OptionError) and "one run" in str(once)
