"""The ways in which servers ask who is there, as options: a key, a pair of keys, or a token in a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pydantic import Field, SecretStr

from collector.outbound.options import Credentials, ServerOptions
from collector.security.secrets import read_secret


class ApiKeyOptions(ServerOptions):
    """A server that may ask for a key, as Phoenix does."""

    api_key: SecretStr | None = Field(
        default=None, min_length=1, description="API key, sent as bearer token, where the server asks for one."
    )
    api_key_file: Path | None = Field(default=None, description="File that holds the key, in place of `api_key`.")

    @property
    def secret(self) -> bool:
        """Whether requests carry a secret."""
        return self.api_key is not None or self.api_key_file is not None

    def problems(self, where: str) -> Iterator[str]:
        """Yield what is wrong with the section: a key given twice."""
        yield from super().problems(where)
        if self.api_key is not None and self.api_key_file is not None:
            yield f"{where}.api_key_file: give the key or its file, not both"

    def credentials(self, where: str) -> Credentials:
        """Return the key as a bearer token."""
        return Credentials.bearer(read_secret(self.api_key, self.api_key_file, f"{where}.api_key_file"))


class KeyPairOptions(ServerOptions):
    """A server that asks for the two keys of a project, as Langfuse does."""

    public_key: str = Field(min_length=1, max_length=200, description="Public key of the project.")
    secret_key: SecretStr | None = Field(default=None, min_length=1, description="Secret key of the project.")
    secret_key_file: Path | None = Field(
        default=None, description="File that holds the secret key, in place of `secret_key`."
    )

    @property
    def secret(self) -> bool:
        """Whether requests carry a secret: always."""
        return True

    def problems(self, where: str) -> Iterator[str]:
        """Yield what is wrong with the section: no secret key, or two."""
        yield from super().problems(where)
        if self.secret_key is not None and self.secret_key_file is not None:
            yield f"{where}.secret_key_file: give the key or its file, not both"
        if self.secret_key is None and self.secret_key_file is None:
            yield f"{where}.secret_key: required, or {where}.secret_key_file"

    def credentials(self, where: str) -> Credentials:
        """Return the two keys as user name and password."""
        secret = read_secret(self.secret_key, self.secret_key_file, f"{where}.secret_key_file")
        return Credentials(auth=(self.public_key, secret or ""))


class TokenOptions(ServerOptions):
    """A server that may ask for a bearer token."""

    token_file: Path | None = Field(
        default=None, description="File that holds a token, sent as `Authorization: Bearer TOKEN`."
    )

    @property
    def secret(self) -> bool:
        """Whether requests carry a secret."""
        return self.token_file is not None

    def credentials(self, where: str) -> Credentials:
        """Return the token, if there is one."""
        return Credentials.bearer(read_secret(None, self.token_file, f"{where}.token_file"))
