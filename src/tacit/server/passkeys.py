"""Passkeys (WebAuthn): making one, and signing in with one. The library verifies; here is what is kept and for whom."""

from __future__ import annotations

import ipaddress
import time
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec
import sqlalchemy as sa
from webauthn import (
    base64url_to_bytes,
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import bytes_to_base64url
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from tacit.server.errors import refuse
from tacit.server.keys import new_key
from tacit.server.models import challenges, passkeys, people
from tacit.server.people import CHANGED, People
from tacit.server.you_protocol import PasskeyAnswer, PasskeyOptions

ANSWER_WITHIN = 600.0  # seconds in which a challenge can be answered
MAX_PASSKEYS = 20  # of a person
BROKEN = (WebAuthnException, ValueError, TypeError, KeyError, AttributeError)  # what the library raises on nonsense


class Site(NamedTuple):
    """For which pages a passkey is: WebAuthn's relying party and origin."""

    host: str
    origin: str


def site_of(address: str) -> Site:
    """The site of the address that people use. Refuses one for which browsers make no passkeys: a bare IP address."""
    scheme, netloc = urlsplit(address)[:2]
    host = urlsplit(address).hostname or ""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        if host:
            return Site(host, f"{scheme}://{netloc}")
    raise refuse("passkey.host", 409)


class Passkeys:
    """Makes passkeys and signs in by them. A challenge is for one device, and is answered once."""

    def __init__(self, people: People) -> None:
        self.people, self.store = people, people.store

    # -------------------------------------------------------------- making one
    async def begin(self, identity: str, person: str, site: Site, name: str | None) -> PasskeyOptions:
        """What the browser needs to make a passkey for a person."""
        async with self.store.reading() as connection:
            own = await connection.execute(sa.select(passkeys.c.id).where(passkeys.c.person == person))
            known = [PublicKeyCredentialDescriptor(id=base64url_to_bytes(one)) for one in own.scalars()]
        if len(known) >= MAX_PASSKEYS:
            raise refuse("passkey.many", n=MAX_PASSKEYS)
        challenge = await self._new_challenge(identity)
        options = generate_registration_options(
            rp_id=site.host, rp_name="tacit", user_id=bytes.fromhex(person), user_name=name or "tacit",
            challenge=base64url_to_bytes(challenge), exclude_credentials=known,
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.PREFERRED
            ),
        )  # fmt: skip
        return PasskeyOptions(challenge=challenge, options=msgspec.json.decode(options_to_json(options)))

    async def finish(self, identity: str, person: str, site: Site, answer: PasskeyAnswer, label: str) -> None:
        """Keep a new passkey. Refuses an answer that does not fit."""
        await self._use_challenge(identity, answer.challenge)
        try:
            made = verify_registration_response(
                credential=answer.credential, expected_challenge=base64url_to_bytes(answer.challenge),
                expected_rp_id=site.host, expected_origin=site.origin,
            )  # fmt: skip
        except BROKEN:
            raise refuse("passkey.wrong", 403) from None
        now = time.time()
        row = {
            "id": bytes_to_base64url(made.credential_id), "person": person, "sign_count": made.sign_count,
            "public_key": bytes_to_base64url(made.credential_public_key), "host": site.host, "label": label,
            "made": now,
        }  # fmt: skip

        def job(connection: sa.Connection) -> bool:
            new = self.store.insert(passkeys).values(row).on_conflict_do_nothing().returning(passkeys.c.id)
            if connection.execute(new).first() is None:
                return False
            known = self.store.insert(people).values(id=person, made=now).on_conflict_do_nothing()
            connection.execute(known)
            return True

        if not await self.store.submit(job, CHANGED):
            raise refuse("passkey.wrong", 403)

    # -------------------------------------------------------------- signing in
    async def begin_sign_in(self, identity: str, site: Site) -> PasskeyOptions:
        """What the browser needs to sign in: any passkey of this site."""
        challenge = await self._new_challenge(identity)
        options = generate_authentication_options(rp_id=site.host, challenge=base64url_to_bytes(challenge))
        return PasskeyOptions(challenge=challenge, options=msgspec.json.decode(options_to_json(options)))

    async def sign_in(self, identity: str, site: Site, answer: PasskeyAnswer) -> str:
        """The person whose passkey answered. Every refusal is the same: nothing tells which passkeys there are."""
        await self._use_challenge(identity, answer.challenge)
        name = answer.credential.get("id")
        async with self.store.reading() as connection:
            here = sa.and_(passkeys.c.id == str(name)[:1400], passkeys.c.host == site.host)
            row = (await connection.execute(sa.select(passkeys).where(here))).one_or_none()
        if row is None:
            raise refuse("passkey.wrong", 403)
        try:
            done = verify_authentication_response(
                credential=answer.credential, expected_challenge=base64url_to_bytes(answer.challenge),
                expected_rp_id=site.host, expected_origin=site.origin,
                credential_public_key=base64url_to_bytes(row.public_key), credential_current_sign_count=row.sign_count,
            )  # fmt: skip
        except BROKEN:
            raise refuse("passkey.wrong", 403) from None
        used: dict[str, Any] = {"sign_count": done.new_sign_count, "used": time.time()}

        def job(connection: sa.Connection) -> bool:
            connection.execute(sa.update(passkeys).where(passkeys.c.id == row.id).values(used))
            return True

        await self.store.submit(job)
        return str(row.person)

    # -------------------------------------------------------------- challenges
    async def _new_challenge(self, identity: str) -> str:
        challenge, now = new_key(), time.time()

        def job(connection: sa.Connection) -> bool:
            connection.execute(sa.delete(challenges).where(challenges.c.made < now - ANSWER_WITHIN))
            connection.execute(sa.insert(challenges).values(id=challenge, identity=identity, made=now))
            return True

        await self.store.submit(job)
        return challenge

    async def _use_challenge(self, identity: str, challenge: str) -> None:
        """Take a challenge; refuses one that is not this device's, was answered, or is too old."""
        fresh = time.time() - ANSWER_WITHIN
        own = sa.and_(challenges.c.id == challenge, challenges.c.identity == identity, challenges.c.made > fresh)

        def job(connection: sa.Connection) -> int:
            return connection.execute(sa.delete(challenges).where(own)).rowcount

        if not await self.store.submit(job):
            raise refuse("passkey.expired", 403)
