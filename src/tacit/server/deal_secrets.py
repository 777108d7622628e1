"""The secrets that the cards of deals and matches follow from. They are kept apart from the database.

They are in a file that only its owner can read (beside an SQLite file; with PostgreSQL in the data folder), or in the
environment variable TACIT_DEAL_SECRETS. There is one for each epoch: `tacit admin rotate-secret` begins a new one, and
what began in an older epoch keeps its secret. The database has a fingerprint of each, so that a server with another
secret notices.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import secrets
import stat
from collections.abc import Callable, Mapping
from pathlib import Path

import sqlalchemy as sa

from tacit.core.errors import TacitError
from tacit.core.keyed_chance import KEY_BYTES, commitment, derive
from tacit.server.database import data_home
from tacit.server.errors import refuse

ENVIRONMENT = "TACIT_DEAL_SECRETS"
FINGERPRINT = "deal secret "  # the name of its row in the table `server`, before the epoch
_LINE = re.compile(r"([1-9][0-9]{0,5}) ([0-9a-f]{64})")


class DealSecrets:
    """The secret of each epoch that this server knows. `read` looks for those that were added since the start."""

    def __init__(self, epochs: Mapping[int, bytes], read: Callable[[], Mapping[int, bytes]] = dict) -> None:
        self.epochs, self._read = dict(epochs), read

    @property
    def newest(self) -> int:
        return max(self.epochs)

    def knows(self, epoch: int) -> bool:
        """Is the secret of an epoch known here? Another process may have begun one."""
        if epoch not in self.epochs:
            with contextlib.suppress(TacitError):
                self.epochs = {**self._read(), **self.epochs}
        return epoch in self.epochs

    def deal_key(self, epoch: int, deal: str) -> tuple[bytes, bytes]:
        """The key of a deal's order, and the salt of its commitment. Refused if the secret is gone."""
        if not self.knows(epoch):
            raise refuse("deal.secret", 503)
        return derive(self.epochs[epoch], "deal", deal), derive(self.epochs[epoch], "salt", deal)

    def commitment(self, epoch: int, deal: str) -> str:
        return commitment(*self.deal_key(epoch, deal))

    def match_key(self, epoch: int | None, table: str, salt: str | None) -> bytes | None:
        """The key of a match without a deal, before its people add to it; None if chance is the system's."""
        if epoch is None or salt is None or not self.knows(epoch):
            return None
        return derive(self.epochs[epoch], "match", table, salt)

    def fingerprints(self) -> dict[str, bytes]:
        """A hash of each secret, by the name of its row."""
        return {f"{FINGERPRINT}{epoch}": hashlib.sha256(secret).digest() for epoch, secret in self.epochs.items()}


def secrets_file(url: sa.URL) -> Path:
    """Where the secrets are kept: beside an SQLite file, otherwise in the data folder."""
    if url.get_backend_name() == "sqlite":
        path = Path(url.database or "")
        return path.with_name(path.name + ".secrets")
    return data_home() / "deals.secrets"


def load_secrets(url: sa.URL, fingerprints: Mapping[str, bytes]) -> DealSecrets:
    """The secrets for a database that has these fingerprints; the first one is made. Refuses those of another database.

    With SQLite, a lost file is replaced: what began with it can no longer be checked, and its deals cannot go on. With
    PostgreSQL other servers may have it, so its absence is refused.
    """
    given, file = os.environ.get(ENVIRONMENT), secrets_file(url)
    known = [int(name.removeprefix(FINGERPRINT)) for name in fingerprints]
    if given is None and not file.exists():
        if known and url.get_backend_name() != "sqlite":
            raise refuse("secrets.missing", file=str(file))
        add_secret(file, max(known, default=0) + 1)

    def read() -> dict[int, bytes]:
        text = given.replace(",", "\n") if given is not None else read_private(file)
        return _parsed(text, str(file) if given is None else ENVIRONMENT)

    found = DealSecrets(read(), read)
    for name, fingerprint in found.fingerprints().items():
        if fingerprints.get(name, fingerprint) != fingerprint:
            raise refuse("secrets.other", file=str(file))
    return found


def add_secret(file: Path, epoch: int | None = None) -> int:
    """Write a new secret into the file, whole or not at all; returns its epoch. Without one, the next."""
    old = read_private(file) if file.exists() else ""
    number = epoch or max(_parsed(old, str(file)), default=0) + 1
    write_private(file, f"{old}{number} {secrets.token_hex(KEY_BYTES)}\n", replace=bool(old))
    return number


def write_private(file: Path, text: str, replace: bool) -> None:
    """Write a file that only its owner can read, whole or not at all. Without `replace` one that is there stays."""
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f"{file.name}.{secrets.token_hex(4)}")
    with os.fdopen(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())
    try:
        if replace:
            part.replace(file)
        else:
            with contextlib.suppress(FileExistsError):  # another process was first: what it wrote counts
                os.link(part, file)
    finally:
        part.unlink(missing_ok=True)


def read_private(file: Path) -> str:
    """The text of a file, which is made readable by its owner only. Refuses if it cannot be read."""
    try:
        if stat.S_IMODE(file.stat().st_mode) & 0o077 and os.name != "nt":
            file.chmod(0o600)
        return file.read_text()
    except (OSError, UnicodeError) as error:
        raise refuse("secrets.unreadable", file=str(file), reason=getattr(error, "strerror", "") or "?") from None


def _parsed(text: str, file: str) -> dict[int, bytes]:
    found: dict[int, bytes] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        fits = _LINE.fullmatch(line)
        if fits is None:
            raise refuse("secrets.unreadable", file=file, reason="it has a line that is no secret")
        found[int(fits[1])] = bytes.fromhex(fits[2])
    return found
