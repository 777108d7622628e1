"""Web push: the key that this server signs with (VAPID, RFC 8292), and messages that only the browser can read (RFC
8291). The key is kept apart from the database, as the secrets of deals are: in a file that only its owner can read, or
in the environment variable TACIT_PUSH_KEY.
"""

from __future__ import annotations

import hashlib
import logging
import os
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from urllib.parse import urlsplit

import http_ece
import sqlalchemy as sa
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from tacit.server import logs
from tacit.server.deal_secrets import read_private, secrets_file, write_private
from tacit.server.errors import refuse

ENVIRONMENT = "TACIT_PUSH_KEY"
TTL = 24 * 3600  # seconds for which the push service keeps a message for a device that is off
SIGNED_FOR = 12 * 3600  # seconds
CONTACT = "mailto:postmaster@localhost.localdomain"  # of a server without a public address


class PushKey:
    """The server's key. `public` is what a browser subscribes with."""

    def __init__(self, key: Vapid02, contact: str) -> None:
        self._key, self._contact = key, contact
        point = key.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.public = _encoded(point)
        self.fingerprint = hashlib.sha256(point).digest()

    def letter(self, endpoint: str, keys: dict[str, str], text: bytes, topic: str) -> tuple[bytes, dict[str, str]]:
        """The encrypted body and the headers of a message; a later one of the same topic replaces it on its way.
        Refuses keys that are none.
        """
        parts = urlsplit(endpoint)
        claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int(time.time()) + SIGNED_FOR, "sub": self._contact}
        try:
            receiver, shared = _decoded(keys["p256dh"]), _decoded(keys["auth"])
            sender = ec.generate_private_key(ec.SECP256R1())
            body = http_ece.encrypt(text, private_key=sender, dh=receiver, auth_secret=shared, version="aes128gcm")
        except (ValueError, KeyError, http_ece.ECEException):
            raise refuse("notices.keys", 400) from None
        headers = {
            **self._key.sign(claims), "TTL": str(TTL), "Urgency": "normal", "Topic": topic,
            "Content-Encoding": "aes128gcm", "Content-Type": "application/octet-stream",
        }  # fmt: skip
        return body, headers


def load_push_key(url: sa.URL, known: bytes | None, public_url: str | None) -> PushKey | None:
    """The key for a database that was used with the one of this fingerprint; made at the first start.

    With SQLite a lost file is replaced: devices subscribe again. With PostgreSQL other servers may have it, so that its
    absence turns push off here (None).
    """
    file = secrets_file(url)
    file = file.with_name(file.name.removesuffix(".secrets") + ".push")
    given = os.environ.get(ENVIRONMENT)
    if given is None and not file.exists():
        if known is not None and url.get_backend_name() != "sqlite":
            logs.note("push.key-missing", logging.WARNING)
            return None
        new = Vapid02()
        new.generate_keys()
        write_private(file, new.private_pem().decode(), replace=False)
    contact = public_url if public_url is not None and public_url.startswith("https:") else CONTACT
    try:
        key = Vapid02.from_pem((given.replace("\\n", "\n") if given is not None else read_private(file)).encode())
    except Exception:  # of whichever library reads it
        raise refuse("secrets.unreadable", file=str(file) if given is None else ENVIRONMENT, reason="no key") from None
    found = PushKey(key, contact)
    if known is not None and found.fingerprint != known and url.get_backend_name() != "sqlite":
        raise refuse("secrets.other", file=str(file) if given is None else ENVIRONMENT)
    return found


def _encoded(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def _decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
