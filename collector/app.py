"""The composition root: builds the agent from its configuration, runs it, and stops it in order.

Order of an orderly stop: readiness goes down, receivers refuse with a retry hint, what was received is committed, the
steps end after their batch, workers and store close. What is pending stays in the store for the next start.
"""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, timedelta
from functools import partial

import structlog
from apscheduler.schedulers.background import BackgroundScheduler

from adapters.detect import AdaptOptions
from collector import catalogfile, logs
from collector.api import Api
from collector.clock import Clock, system_clock
from collector.config import Config
from collector.errors import ConfigError
from collector.pipeline.adapt import AdaptStep
from collector.pipeline.judge import JudgeStep
from collector.pipeline.keep import KeepStep, WatchStep
from collector.pipeline.loop import Loop
from collector.pipeline.score import ScoreStep
from collector.pipeline.slicing import SliceBook
from collector.pipeline.tasks import CatalogSource, set_up
from collector.pipeline.workers import WorkerPool
from collector.receivers.telemetry import ReceiverTelemetry
from collector.store import open_store
from collector.store.base import Store
from collector.telemetry import Telemetry
from scorers.catalog import Catalog

log = structlog.get_logger(__name__)
