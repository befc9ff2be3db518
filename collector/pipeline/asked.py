"""What workers are asked while somebody waits for the reply."""

from __future__ import annotations

from collector.pipeline.compare_task import CompareRequest
from collector.pipeline.coverage_task import CoverageRequest
from collector.pipeline.keys_task import KeysRequest
from collector.pipeline.verify_task import VerifyRequest

AskedRequest = VerifyRequest | CoverageRequest | CompareRequest | KeysRequest
