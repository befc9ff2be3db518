"""Annotations of alerts on verdicts: the words of the newest decision, which the agent exposes beside the verdict.

They are written in Prometheus's templates: https://prometheus.io/docs/prometheus/latest/configuration/template_reference/
"""

from __future__ import annotations

from collections.abc import Sequence

from telemetry.instruments import FAILURE_INFO
from telemetry.pages import address

OPEN_THE_GATE = "Open the gate and read its newest decision"


def failure_words(label: str, otherwise: str, dimensions: Sequence[str], *, of_slice: bool) -> str:
    """Return a template of one label of the failure that an alert is about, ``otherwise`` where the agent has none.

    It looks for the failure ``of_slice`` of the alert's labels, or for that of the gate as a whole.

    >>> failure_words("cause", "not known", [], of_slice=False)
    '{{ with printf "groundwire_failure_info{gate=%q}" $labels.gate | query }}{{ . | first | label "cause" }}{{ else \
}}not known{{ end }}'
    """
    return f"{_failure(dimensions, of_slice=of_slice)}{_label(label)}{{{{ else }}}}{otherwise}{{{{ end }}}}"


def failure_annotations(dimensions: Sequence[str], public_url: str | None, *, of_slice: bool) -> dict[str, str]:
    """Return what is said of a failure beside summary and description, with links if ``public_url`` is known."""
    told = {
        "metric": failure_words("metric", "not known", dimensions, of_slice=of_slice),
        "cause": failure_words("cause", "not known", dimensions, of_slice=of_slice),
        "first_step": failure_words("first_step", OPEN_THE_GATE, dimensions, of_slice=of_slice),
    }
    example = _label("example")
    if public_url is not None:
        pairs = "".join(
            f"{{{{ with $labels.{name} }}}}&{name}={{{{ . | urlquery }}}}{{{{ end }}}}" for name in dimensions
        )
        path = f"/slices/{{{{ $labels.gate }}}}?{pairs}" if of_slice else "/gates/{{ $labels.gate }}"
        told["link"] = address(public_url, path)
        seen = _failure(dimensions, of_slice=of_slice)
        decision = address(public_url, f"/decisions/{_label('decision')}")
        told["decision"] = (
            f"{seen}{decision}{{{{ else }}}}{address(public_url, '/gates/')}{{{{ $labels.gate }}}}{{{{ end }}}}"
        )
        example = address(public_url, '/answers/{{ . | first | label "example" | urlquery }}')
    some = f'{{{{ if . | first | label "example" }}}}{example}{{{{ else }}}}none recorded{{{{ end }}}}'
    told["example"] = f"{_failure(dimensions, of_slice=of_slice)}{some}{{{{ else }}}}none recorded{{{{ end }}}}"
    return told


def _failure(dimensions: Sequence[str], *, of_slice: bool) -> str:
    pairs = ["gate=%q", *(f"{name}=%q" if of_slice else f'{name}=\\"\\"' for name in dimensions)]
    values = ["$labels.gate", *(f"$labels.{name}" for name in dimensions if of_slice)]
    return f'{{{{ with printf "{FAILURE_INFO.name}{{{",".join(pairs)}}}" {" ".join(values)} | query }}}}'


def _label(name: str) -> str:
    return f'{{{{ . | first | label "{name}" }}}}'
