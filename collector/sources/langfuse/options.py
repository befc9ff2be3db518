"""The options of a Langfuse source."""

from __future__ import annotations

from datetime import timedelta
from typing import Literal

from pydantic import Field

from collector.clock import duration
from collector.outbound.credentials import KeyPairOptions
from collector.security.address import BaseUrl
from collector.sources.base import ScoredSourceOptions, Source, SourceOptions, scores_beside
from collector.sources.langfuse.requests import Requests
from collector.sources.langfuse.scores import LangfuseScorePuller, ScoreTimes
from collector.sources.langfuse.source import LangfusePuller, Times
from gates.units.duration import Duration


class LangfuseSource(KeyPairOptions, ScoredSourceOptions):
    """Observations of one Langfuse project, by its public API."""

    type: Literal["langfuse"] = "langfuse"
    url: BaseUrl = Field(
        default="https://cloud.langfuse.com",
        description="Base URL of the server, with its path prefix if it has one, without `/api`.",
    )
    timeout: Duration = Field(
        default=timedelta(seconds=30), le=timedelta(minutes=5), description="Time limit of one request."
    )
    environments: tuple[str, ...] = Field(
        default=(), max_length=50, description="Environments to read; defaults to all."
    )
    metadata_keys: tuple[str, ...] = Field(
        default=(),
        max_length=50,
        description="Metadata keys whose values are read whole even when longer than 200 characters.",
    )
    since: Duration = Field(
        default=timedelta(days=1),
        description="How far back the very first look reads; traces that began earlier are never read.",
    )
    poll: Duration = Field(
        default=timedelta(seconds=30), description="Time between two looks while there is nothing new."
    )
    lag: Duration = Field(
        default=timedelta(minutes=2),
        description="Observations younger than this are not read yet; must be longer than a trace and its export take.",
    )
    legacy_lag: Duration = Field(
        default=timedelta(minutes=10),
        description="The same for servers with the older API only, where traces show up later.",
    )
    hold: Duration = Field(
        default=timedelta(minutes=10),
        description="How long to wait for the end of a trace before it is taken as it is.",
    )
    window: Duration = Field(
        default=timedelta(hours=1), description="Longest time window read at once; shortened where it holds too much."
    )
    page: int = Field(default=200, ge=1, le=1000, description="Observations per request.")

    def open(self, where: str) -> Source:
        """Return the source. Raises `ConfigError` for a key or a certificate that cannot be read."""
        return LangfusePuller(
            requests=Requests(self.client(where), self.environments, self.metadata_keys),
            times=Times(
                window=duration(self.window),
                lag=duration(self.lag),
                legacy_lag=duration(self.legacy_lag),
                hold=duration(self.hold),
                since=duration(self.since),
            ),
            page=self.page,
        )

    def of_scores(self) -> SourceOptions | None:
        """Return the source of the scores of the project, where they are wanted."""
        return scores_beside(self, LangfuseScores)


class LangfuseScores(LangfuseSource):
    """The scores of one Langfuse project."""

    def open(self, where: str) -> Source:
        """Return the source. Raises `ConfigError` for a key or a certificate that cannot be read."""
        times = ScoreTimes(window=duration(self.window), lag=duration(self.lag), since=duration(self.since))
        return LangfuseScorePuller(requests=Requests(self.client(where), self.environments), times=times)
