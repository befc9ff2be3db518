"""What adapters may be told, and the one error they raise."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict, Field, PositiveInt

from adapters.mapping import DialectKeys, Keys


class MalformedRecord(Exception):  # noqa: N818 - the name of the contract, not of a failure in our code
    """A record that cannot be read: counted with ``reason``, kept for inspection, and never stops the loop."""

    def __init__(self, reason: str, where: str | None = None) -> None:
        super().__init__(reason if where is None else f"{where}: {reason}")
        self.reason = reason
        self.where = where


ARM_KEY, SHARE_KEY = "groundwire.arm", "groundwire.share"
"""Where a trace says on which side of a split of traffic it was, and how the split was made."""


class PassageKeys(BaseModel):
    """Keys of the metadata of passages that say a fact under a name of one's own, asked before the known ones.

    Each field takes one key or a list of them. Case, blanks, ``_``, ``-`` and ``@`` in a key do not matter; a dot leads
    into an object: ``file.changed``.

    >>> PassageKeys(doc_id="Dokument-Nr", modified_at=["Stand", "file.changed"]).modified_at
    ('Stand', 'file.changed')
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    doc_id: Keys = Field(default=(), description="Id of the document that the passage is a part of.")
    version: Keys = Field(default=(), description="Version of that document.")
    section: Keys = Field(default=(), description="Section of the document.")
    uri: Keys = Field(default=(), description="Where the document lies.")
    text: Keys = Field(default=(), description="The text, in place of what was taken for it.")
    modified_at: Keys = Field(default=(), description="When the source was last changed, as the index has it.")
    published_at: Keys = Field(default=(), description="When the document was published.")
    effective_from: Keys = Field(default=(), description="From when the document governs.")
    effective_to: Keys = Field(default=(), description="Until when it governs; a date includes that day.")
    checksum: Keys = Field(default=(), description="Checksum of the document at its source.")
    authority: Keys = Field(default=(), description="Its weight against others, 0 to 1.")
    role: Keys = Field(default=(), description="What the document is: policy, exception, ...")
    supersedes: Keys = Field(default=(), description="What it replaces: `id@version`, a version, or an id.")
    permitted: Keys = Field(default=(), description="The groups that may see it.")


class AdaptOptions(BaseModel):
    """What to take from a trace beside its answer, and how much of it.

    ``attributes`` and ``versions`` map the name of a slice attribute, or of a component, to the key it is read from;
    ``arm`` and ``share`` are such keys as well. A key is looked up in metadata of the root, then of any span, in span
    attributes, and in resource attributes.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    attributes: Mapping[str, str] = Field(default_factory=dict)
    versions: Mapping[str, str] = Field(default_factory=dict)
    arm: str = ARM_KEY
    share: str = SHARE_KEY
    passages: PassageKeys = PassageKeys()
    """Keys of passages' metadata beside those that are known."""
    retrieval_tools: tuple[str, ...] = ()
    """Tools that search though neither their name nor their description says so."""
    dialects: tuple[DialectKeys, ...] = ()
    """A user's own dialects, asked before the known ones."""
    max_text_chars: PositiveInt = 200_000
    """Longest question, answer or passage text; what is longer is cut and the answer flagged ``content_truncated``."""
    max_passages: PositiveInt = 1_000
    """Most passages of one retrieval; indexed attributes beyond it are ignored and flagged ``content_truncated``."""
    max_json_chars: PositiveInt = 4_000_000
    """Longest JSON text in an attribute that is parsed at all."""
