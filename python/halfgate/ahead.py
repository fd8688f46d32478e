"""Files that are made before the inputs are known."""

from __future__ import annotations

import os

from ._halfgate import NativeAhead, used_preprocessing
from .errors import IdentityError, OptionError

#: Most bytes of a key file.
_MAX_KEY = 1 << 20


class Preprocessing:
    """A party's file of preprocessing for malicious sessions.

    The file is as secret as the inputs, and good for one run with the peer that it was made with.
    Never copy it. ``key`` is the path of a file with at least 32 random bytes, and ``passphrase``
    text or bytes: the file is encrypted under the one that is given. ``ledger`` is this user's list
    of used files, by which copies are refused; by default it is that of the command.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        key: str | os.PathLike[str] | None = None,
        passphrase: str | bytes | None = None,
        ledger: str | os.PathLike[str] | None = None,
    ) -> None:
        if key is not None and passphrase is not None:
            raise OptionError("give a key or a passphrase, not both")
        self.path = _path(path, "the file of preprocessing")
        place = used_preprocessing() if ledger is None else _path(ledger, "ledger")
        if place is None:
            raise OptionError(
                "there is no home folder for the list of used preprocessing: name a file, ledger="
            )
        secret = None
        if key is not None:
            secret = _key(_path(key, "key"))
        elif passphrase is not None:
            secret = _secret(passphrase)
        self.native = NativeAhead(self.path, place, secret, key is not None)

    def __repr__(self) -> str:
        return f"<Preprocessing {self.path}>"


def ahead_of(ahead: str | os.PathLike[str] | Preprocessing) -> Preprocessing:
    """The file of ``ahead=``."""
    return ahead if isinstance(ahead, Preprocessing) else Preprocessing(ahead)


def _path(path: object, what: str) -> str:
    if not isinstance(path, (str, bytes, os.PathLike)):
        raise OptionError(f"{what} is of type {type(path).__name__}: give a path")
    name = os.fsdecode(path)
    if "\0" in name:
        raise OptionError(f"{what}: the path {name!r} has a null character")
    return name


def _secret(passphrase: object) -> bytes:
    """The bytes of a passphrase. Errors neither show nor hold it."""
    if isinstance(passphrase, bytes):
        return passphrase
    if not isinstance(passphrase, str):
        raise OptionError(f"the passphrase is of type {type(passphrase).__name__}: give text")
    # A UnicodeEncodeError would hold the passphrase, also as the context of another error.
    if any("\ud800" <= letter <= "\udfff" for letter in passphrase):
        raise OptionError("the passphrase has a character that is half of a surrogate pair")
    return passphrase.encode()


def _key(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            if os.name == "posix" and os.fstat(file.fileno()).st_mode & 0o077:
                raise IdentityError(f"{path}: others can read it; set its mode to 0600")
            content = file.read(_MAX_KEY + 1)
    except OSError as error:
        raise IdentityError(f"{path}: {error.strerror}") from None
    if len(content) > _MAX_KEY:
        raise IdentityError(f"{path}: more than {_MAX_KEY} bytes are no key")
    return content


__all__ = ["Preprocessing"]
